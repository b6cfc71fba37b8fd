import type { Statement } from '../platform/database/database.js';

/**
 * $1 client id, $2 session of a person, or null → the client's rights, and the hash of its secret; no row for an unknown or
 * revoked client, or an ended session
 */
export const ACTIVE_CLIENT: Statement = {
  name: 'auth.active_client',
  text: `SELECT secret_hash, role, scopes FROM api_clients
    WHERE client_id = $1 AND revoked_at IS NULL AND NOT EXISTS (SELECT FROM ended_sessions WHERE id = $2)`,
};

/**
 * $1 session, $2 its regular end, $3 the time before which ended sessions are deleted: a few with each new one, so that
 * the table stays small.
 */
export const END_SESSION: Statement = {
  name: 'auth.end_session',
  text: `
    WITH forgotten AS (
      DELETE FROM ended_sessions WHERE id IN (
        SELECT id FROM ended_sessions WHERE over_at < $3 ORDER BY over_at LIMIT 100 FOR UPDATE SKIP LOCKED
      )
    )
    INSERT INTO ended_sessions (id, over_at) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
};

/** $1 name → the merchant's id */
export const INSERT_MERCHANT: Statement = {
  name: 'auth.insert_merchant',
  text: `INSERT INTO merchants (name) VALUES ($1) RETURNING id`,
};

/** $1 merchant id, $2 client id, $3 name, $4 hash of its secret, $5 scopes, $6 kind, $7 role, $8 the client that makes it */
export const INSERT_CLIENT: Statement = {
  name: 'auth.insert_client',
  text: `INSERT INTO api_clients (merchant_id, client_id, name, secret_hash, scopes, kind, role, created_by)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** $1 merchant id */
export const MERCHANT_EXISTS: Statement = {
  name: 'auth.merchant_exists',
  text: `SELECT id FROM merchants WHERE id = $1`,
};

/** A client as a change of it begins: $1 merchant, $2 client id. */
export const FIND_MANAGED: Statement = {
  name: 'auth.find_managed',
  text: `SELECT merchant_id AS "merchantId", client_id AS "clientId", name, kind, role, scopes, revoked_at AS "revokedAt"
    FROM api_clients WHERE merchant_id = $1 AND client_id = $2`,
};

/** $1 client id, $2 name, $3 kind, $4 role, $5 scopes: the new values. A revoked client stays as it is. */
export const UPDATE_CLIENT: Statement = {
  name: 'auth.update_client',
  text: `UPDATE api_clients SET name = $2, kind = $3, role = $4, scopes = $5, changed_at = now()
    WHERE client_id = $1 AND revoked_at IS NULL RETURNING *`,
};

/** The active clients of the merchant $1 that may give rights: by one of the roles $2, or without a role by the scope $3. */
export const FIND_GIVERS: Statement = {
  name: 'auth.find_givers',
  text: `SELECT client_id, name FROM api_clients WHERE merchant_id = $1 AND revoked_at IS NULL
      AND (role = ANY ($2::text[]) OR (role IS NULL AND $3 = ANY (scopes)))
    ORDER BY kind, id LIMIT 20`,
};

/** The name of an external person: $1 merchant, $2 client id, $3 name. */
export const KEEP_PERSON_NAME: Statement = {
  name: 'auth.keep_person_name',
  text: `INSERT INTO external_people (merchant_id, client_id, name) VALUES ($1, $2, $3)
    ON CONFLICT (merchant_id, client_id) DO UPDATE SET name = excluded.name WHERE external_people.name <> excluded.name`,
};

/** $1 client id → its merchant; no row if it is revoked already */
export const REVOKE_CLIENT: Statement = {
  name: 'auth.revoke_client',
  text: `UPDATE api_clients SET revoked_at = now() WHERE client_id = $1 AND revoked_at IS NULL RETURNING merchant_id`,
};

/**
 * $1 client id, $2 hash of the new secret, $3 for how many seconds the old one stays valid → its merchant, and until when;
 * no row for an unknown or revoked client
 */
export const ROTATE_CLIENT_SECRET: Statement = {
  name: 'auth.rotate_client_secret',
  text: `UPDATE api_clients SET secret_hash = $2, changed_at = now(),
      previous_secret_hash = CASE WHEN $3 > 0 THEN secret_hash END,
      previous_secret_expires_at = CASE WHEN $3 > 0 THEN now() + $3 * interval '1 s' END
    WHERE client_id = $1 AND revoked_at IS NULL
    RETURNING merchant_id, previous_secret_expires_at`,
};
