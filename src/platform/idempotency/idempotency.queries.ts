import type { Statement } from '../../platform/database/database.js';
import { LAZY_COMMIT } from '../../platform/database/writes.js';

/** A key that the caller now holds. */
export interface ClaimedKeyRow {
  client_id: string;
  key: string;
  subject_id: number | null;
  lock_version: number;
}

export interface IdempotencyRow {
  /** The client that sent the key first. */
  client_id: string;
  request_hash: Buffer;
  response_body: string | null;
  /** The key can be taken over: it has expired, or its holder died without an answer and the lock has expired. */
  is_free: boolean;
}

/**
 * Claims new keys, and returns the rows that the caller now holds: arrays of $1 clients, $2 keys, $3 hashes of the
 * requests, $5 merchants; $4 lock in ms. Existing keys do not change, locked or not. Rows are inserted in the order of
 * the merchants' keys, so that two such statements never wait for each other. The commit is not flushed: a key matters
 * only together with its subject, which is committed later. The subject's column is `payment_id`: all are payments.
 */
export const CLAIM_KEYS: Statement = {
  name: 'idempotency.claim_many',
  text: `WITH ${LAZY_COMMIT}
    INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until, merchant_id)
    SELECT n.client_id, n.key, n.request_hash, now() + $4 * interval '1 ms', n.merchant_id
    FROM unnest($1::text[], $2::text[], $3::bytea[], $5::bigint[]) AS n (client_id, key, request_hash, merchant_id), lazy
    ORDER BY n.merchant_id, n.key
    ON CONFLICT DO NOTHING
    RETURNING client_id, key, payment_id AS subject_id, lock_version`,
};

const IS_OVER = `created_at < now() - $3 * interval '1 ms'`;
const IS_ABANDONED = '(response_body IS NULL AND locked_until < now())';

const STATE = `client_id, request_hash, response_body, (${IS_OVER} OR ${IS_ABANDONED}) AS is_free`;

/**
 * State of a merchant's key: $1 client, $2 key, $3 how long keys are kept in ms, $4 merchant. The client's own comes
 * first: keys that two clients used before keys were the merchant's are still two.
 */
export const FIND_KEY: Statement = {
  name: 'idempotency.find',
  text: `SELECT ${STATE} FROM idempotency_keys WHERE client_id = $1 AND key = $2
    UNION ALL SELECT ${STATE} FROM idempotency_keys WHERE merchant_id = $4 AND key = $2 LIMIT 1`,
};

/**
 * Takes over a free key: $1 client, $2 key, $3 how long keys are kept in ms, $4 hash of the request, $5 lock in ms.
 * Returns no row if it was not free.
 */
export const TAKE_KEY_OVER: Statement = {
  name: 'idempotency.take_over',
  text: `UPDATE idempotency_keys SET
      request_hash = $4,
      payment_id = CASE WHEN ${IS_OVER} THEN NULL ELSE payment_id END,
      response_body = NULL,
      lock_version = lock_version + 1,
      locked_until = now() + $5 * interval '1 ms',
      created_at = CASE WHEN ${IS_OVER} THEN now() ELSE created_at END
    WHERE client_id = $1 AND key = $2 AND (${IS_OVER} OR (${IS_ABANDONED} AND request_hash = $4))
    RETURNING client_id, key, payment_id AS subject_id, lock_version`,
};

/**
 * Renews a lock: $1 client, $2 key, $3 lock version, $4 lock in ms. Returns no row if another request has taken over
 * the key.
 */
export const RENEW_KEY: Statement = {
  name: 'idempotency.renew',
  text: `UPDATE idempotency_keys SET locked_until = now() + $4 * interval '1 ms'
    WHERE client_id = $1 AND key = $2 AND lock_version = $3 RETURNING lock_version`,
};

/**
 * The heartbeat of keys that requests of this process hold: arrays of $1 clients, $2 keys, $3 lock versions; $4 lock in
 * ms. Skips locked rows: the other statement completes, renews or takes over the key.
 */
export const RENEW_KEYS: Statement = {
  name: 'idempotency.renew_many',
  text: `WITH input AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]) AS n (client_id, key, lock_version)
    ), held AS MATERIALIZED (
      SELECT k.client_id, k.key, k.lock_version FROM idempotency_keys k
      WHERE k.client_id = ANY ($1) AND k.key = ANY ($2) AND k.response_body IS NULL
        AND (k.client_id, k.key, k.lock_version) IN (SELECT client_id, key, lock_version FROM input)
      FOR NO KEY UPDATE OF k SKIP LOCKED
    )
    UPDATE idempotency_keys k SET locked_until = now() + $4 * interval '1 ms'
    FROM held h
    WHERE k.client_id = ANY ($1) AND k.key = ANY ($2)
      AND k.client_id = h.client_id AND k.key = h.key AND k.lock_version = h.lock_version`,
};

/**
 * SQL that stores answers, except those that must not be stored as they are: `mayStore` is a condition on the key `k`.
 * Arrays of $1 clients, $2 keys, $3 lock versions, $4 answers. Returns the keys that were stored. `SKIP LOCKED` leaves out
 * keys that are locked; otherwise the statement waits for them.
 */
export const completeKeys = (mayStore: string, ifLocked: 'SKIP LOCKED' | ''): string => `WITH input AS (
      SELECT * FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[]) AS n (client_id, key, lock_version, response_body)
    ), held AS MATERIALIZED (
      SELECT k.client_id, k.key FROM idempotency_keys k
      WHERE k.client_id = ANY ($1) AND k.key = ANY ($2)
        AND (k.client_id, k.key, k.lock_version) IN (SELECT client_id, key, lock_version FROM input)
        AND ${mayStore}
      FOR NO KEY UPDATE OF k ${ifLocked}
    )
    UPDATE idempotency_keys k SET response_body = n.response_body
    FROM held h JOIN input n ON n.client_id = h.client_id AND n.key = h.key
    WHERE k.client_id = ANY (ARRAY(SELECT client_id FROM held)) AND k.key = ANY (ARRAY(SELECT key FROM held))
      AND k.client_id = h.client_id AND k.key = h.key AND k.lock_version = n.lock_version
    RETURNING k.client_id, k.key`;

/** Stores an answer without personal data: $1 client, $2 key, $3 lock version, $4 answer. */
export const COMPLETE_REDACTED_KEY: Statement = {
  name: 'idempotency.complete_erased',
  text: 'UPDATE idempotency_keys SET response_body = $4 WHERE client_id = $1 AND key = $2 AND lock_version = $3',
};

/** The stored answers about these subjects: $1. */
export const LOCK_ANSWERS: Statement = {
  name: 'idempotency.lock_answers',
  text: `SELECT client_id, key, lock_version, response_body FROM idempotency_keys
    WHERE payment_id = ANY ($1::bigint[]) AND response_body IS NOT NULL ORDER BY client_id, key FOR UPDATE`,
};

/** Deletes a key without a subject: $1 client, $2 key, $3 lock version. */
export const RELEASE_KEY: Statement = {
  name: 'idempotency.release',
  text: 'DELETE FROM idempotency_keys WHERE client_id = $1 AND key = $2 AND lock_version = $3 AND payment_id IS NULL',
};

/** Deletes expired keys: $1 how long keys are kept in ms, $2 limit. Skips a key that is being taken over. */
export const PRUNE_KEYS: Statement = {
  name: 'idempotency.prune',
  text: `DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at < now() - $1 * interval '1 ms' ORDER BY created_at LIMIT $2
      FOR UPDATE SKIP LOCKED
    )) RETURNING 1`,
};
