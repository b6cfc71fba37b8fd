import type { Statement } from '../platform/database/database.js';

export interface IdempotencyRow {
  request_hash: Buffer;
  payment_id: number | null;
  response_body: string | null;
  lock_version: number;
}

/**
 * Takes the key, and answers with its row when this caller holds it now: $1 client, $2 key, $3 hash of the request,
 * $4 lock in ms, $5 how long keys are kept in ms. A key is taken over when it is older than that, or when the process
 * that held it has died: no answer, and its lock is over.
 */
export const CLAIM_KEY: Statement = {
  name: 'idempotency.claim',
  text: `INSERT INTO idempotency_keys AS k (client_id, key, request_hash, locked_until)
    VALUES ($1, $2, $3, now() + $4 * interval '1 ms')
    ON CONFLICT (client_id, key) DO UPDATE SET
      request_hash = excluded.request_hash,
      payment_id = CASE WHEN k.created_at < now() - $5 * interval '1 ms' THEN NULL ELSE k.payment_id END,
      response_body = NULL,
      lock_version = k.lock_version + 1,
      locked_until = excluded.locked_until,
      created_at = CASE WHEN k.created_at < now() - $5 * interval '1 ms' THEN now() ELSE k.created_at END
    WHERE k.created_at < now() - $5 * interval '1 ms'
      OR (k.response_body IS NULL AND k.locked_until < now() AND k.request_hash = excluded.request_hash)
    RETURNING request_hash, payment_id, response_body, lock_version`,
};

/** $1 client, $2 key. */
export const FIND_KEY: Statement = {
  name: 'idempotency.find',
  text: 'SELECT request_hash, payment_id, response_body, lock_version FROM idempotency_keys WHERE client_id = $1 AND key = $2',
};

/** $1 client, $2 key, $3 lock version, $4 payment. No row comes back when somebody else has taken the key over. */
export const ATTACH_PAYMENT: Statement = {
  name: 'idempotency.attach_payment',
  text: `UPDATE idempotency_keys SET payment_id = $4 WHERE client_id = $1 AND key = $2 AND lock_version = $3 RETURNING lock_version`,
};

/** $1 client, $2 key, $3 lock version, $4 lock in ms. No row comes back when somebody else has taken the key over. */
export const RENEW_KEY: Statement = {
  name: 'idempotency.renew',
  text: `UPDATE idempotency_keys SET locked_until = now() + $4 * interval '1 ms'
    WHERE client_id = $1 AND key = $2 AND lock_version = $3 RETURNING lock_version`,
};

/** $1 client, $2 key, $3 lock version, $4 the answer's body. */
export const COMPLETE_KEY: Statement = {
  name: 'idempotency.complete',
  text: 'UPDATE idempotency_keys SET response_body = $4 WHERE client_id = $1 AND key = $2 AND lock_version = $3',
};

/** $1 client, $2 key, $3 lock version. */
export const RELEASE_KEY: Statement = {
  name: 'idempotency.release',
  text: 'DELETE FROM idempotency_keys WHERE client_id = $1 AND key = $2 AND lock_version = $3 AND payment_id IS NULL',
};

/** $1 how long keys are kept in ms, $2 how many at most. */
export const PRUNE_KEYS: Statement = {
  name: 'idempotency.prune',
  text: `DELETE FROM idempotency_keys WHERE (client_id, key) IN (
      SELECT client_id, key FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 ms' LIMIT $2
    ) RETURNING 1`,
};
