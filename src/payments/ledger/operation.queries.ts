import type { Statement } from '../../platform/database/database.js';

/** What is not settled; the predicate of the index `provider_operations_open`. */
const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

/** What a charge's operation is when its attempt came out so. */
const STATE_AFTER = (outcome: string): string =>
  `CASE ${outcome} WHEN 'approved' THEN 'confirmed' WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'refused' END`;

/**
 * A CTE that records what came of charges, from a relation with `id` of the payment, `attempt`, `attempt_outcome`,
 * `decline_code`, `provider_transaction_id` and `updated_at`. What is not settled by it is looked at again when it was due
 * anyway, and so is what was approved without a transaction id; what waits for a person keeps its reason.
 */
export const recordChargesFrom = (relation: string): string =>
  `charges_recorded AS (
      UPDATE provider_operations o SET state = ${STATE_AFTER('c.attempt_outcome')}, last_answer = c.attempt_outcome,
        reason = c.decline_code, updated_at = c.updated_at,
        next_try_at = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.next_try_at END,
        sealed_payment_token = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.sealed_payment_token END
      FROM ${relation} c
      WHERE o.payment_id = ANY (ARRAY(SELECT id FROM ${relation} WHERE attempt IS NOT NULL)) AND o.payment_id = c.id
        AND o.attempt = c.attempt AND o.kind = 'charge' AND o.${IS_OPEN}
        AND NOT (o.state = 'pending' AND c.attempt_outcome = 'unknown')
        AND NOT (o.next_try_at IS NULL AND c.attempt_outcome IN ('processing', 'unknown'))
        AND NOT (o.next_try_at IS NOT NULL AND c.attempt_outcome = 'approved' AND c.provider_transaction_id IS NULL)
    )`;

/** Of `provider_operations` o and its attempt a. */
const COLUMNS = `o.id, o.merchant_id, o.shop_id, o.payment_id, o.attempt, o.kind, o.cause, o.idempotency_key, o.reference,
  o.amount, o.currency, o.state, o.tries, o.key_calls, o.next_try_at, o.provider_operation_id, o.reason, o.refund_reason,
  o.sealed_payment_token, o.last_answer, o.created_at, o.updated_at,
  (extract(epoch FROM clock_timestamp() - o.created_at) * 1000)::float8 AS age_ms, a.provider, a.provider_transaction_id`;
const ATTEMPT = `JOIN payment_attempts a ON a.payment_id = o.payment_id AND a.number = o.attempt`;

/** $1 payment, in the order in which they were asked for. */
export const LIST_OPERATIONS: Statement = {
  name: 'operations.list',
  text: `SELECT ${COLUMNS} FROM provider_operations o ${ATTEMPT} WHERE o.payment_id = $1 ORDER BY o.payment_id, o.id`,
};

/**
 * A void or refund of what an attempt took: $1 payment, $2 attempt, $3 kind, $4 cause, $5 idempotency key, $6 refund reason,
 * $7 tries that the caller makes at once: 0 or 1, $8 in how many ms somebody else may make one. No row when there is one
 * that is not refused, whoever has put it there.
 */
export const INSERT_OPERATION: Statement = {
  name: 'operations.insert',
  text: `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
      amount, currency, state, refund_reason, tries, key_calls, next_try_at)
    SELECT p.merchant_id, a.shop_id, p.id, a.number, $3, $4, $5, a.reference, p.amount, p.currency, 'open', $6, $7, $7,
      clock_timestamp() + $8 * interval '1 ms'
    FROM payments p JOIN payment_attempts a ON a.payment_id = p.id
    WHERE p.id = $1 AND a.number = $2
    ON CONFLICT (payment_id, attempt, kind) WHERE kind <> 'charge' AND state <> 'refused' DO NOTHING
    RETURNING id`,
};

/** Voids before payments end that have expired, due at once: $1 payments. Those that are there already stay. */
export const VOID_EXPIRED: Statement = {
  name: 'operations.void_expired',
  text: `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
      amount, currency, state, tries, key_calls, next_try_at)
    SELECT p.merchant_id, a.shop_id, p.id, a.number, 'void', 'expired', gen_random_uuid()::text, a.reference, p.amount,
      p.currency, 'open', 0, 0, clock_timestamp()
    FROM payments p JOIN payment_attempts a ON a.payment_id = p.id AND a.number = p.attempt
    WHERE p.id = ANY ($1::bigint[])
    ON CONFLICT (payment_id, attempt, kind) WHERE kind <> 'charge' AND state <> 'refused' DO NOTHING`,
};

/**
 * What is due, the longest first, locking nothing: $1 due since then only, $2 how many. $1 spares the walk over index
 * entries of what was settled long ago, which stay for as long as an old snapshot is open.
 */
export const LIST_DUE: Statement = {
  name: 'operations.list_due',
  text: `WITH due AS MATERIALIZED (
      SELECT payment_id, id, shop_id, attempt, next_try_at FROM provider_operations
      WHERE ${IS_OPEN} AND next_try_at <= clock_timestamp() AND next_try_at >= $1 ORDER BY next_try_at LIMIT $2
    )
    SELECT payment_id, id, shop_id, next_try_at,
      (SELECT provider FROM payment_attempts a WHERE a.payment_id = due.payment_id AND a.number = due.attempt) AS provider
    FROM due ORDER BY next_try_at`,
};

/**
 * Takes what is still due of these for whoever asks: $1 payments and $2 their operations, $3 for how many ms. Nobody else
 * gets it until then, unless it is rescheduled before. What somebody else takes in this moment is left to them.
 * What is due is open, as the table checks; not to say so keeps the planner from going through all that is open.
 */
export const CLAIM_DUE: Statement = {
  name: 'operations.claim_due',
  text: `WITH due AS MATERIALIZED (
      SELECT payment_id, id FROM provider_operations
      WHERE payment_id = ANY ($1::bigint[]) AND id = ANY ($2::bigint[]) AND next_try_at <= clock_timestamp()
      FOR UPDATE SKIP LOCKED
    ), claimed AS (
      UPDATE provider_operations o SET tries = o.tries + 1, key_calls = o.key_calls + 1,
        next_try_at = clock_timestamp() + $3 * interval '1 ms'
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM due)) AND o.id = ANY (ARRAY(SELECT id FROM due))
      RETURNING o.*
    )
    SELECT ${COLUMNS} FROM claimed o CROSS JOIN LATERAL (
      SELECT provider, provider_transaction_id FROM payment_attempts WHERE payment_id = o.payment_id AND number = o.attempt
    ) a ORDER BY o.payment_id, o.id`,
};

/** Takes what is open, due or not, as `CLAIM_DUE` does: $1 payment, $2 operation, $3 for how many ms. What was stopped stays so. */
export const TAKE_OPERATION: Statement = {
  name: 'operations.take',
  text: `UPDATE provider_operations o SET tries = o.tries + 1, key_calls = o.key_calls + 1,
      next_try_at = CASE WHEN o.next_try_at IS NOT NULL THEN clock_timestamp() + $3 * interval '1 ms' END
    FROM payment_attempts a
    WHERE o.payment_id = $1 AND o.id = $2 AND o.${IS_OPEN} AND a.payment_id = o.payment_id AND a.number = o.attempt
    RETURNING ${COLUMNS}`,
};

/**
 * $1 payment, $2 operation, $3 the key it was called under, $4 state, $5 reason, $6 last answer, $7 the provider's id of the
 * operation, $8 another key, null: as before, $9 delays in ms, $10 how long it is tried at most in ms. What is open is due
 * again by its tries; what is too old waits for a person. No row when somebody else has settled it. $11: nor when there were
 * other calls under the key, whose outcome is as open as before.
 */
export const RECORD_OPERATION: Statement = {
  name: 'operations.record',
  text: `UPDATE provider_operations SET state = $4, reason = coalesce($5, reason), last_answer = $6,
      provider_operation_id = CASE WHEN $8::text IS NULL THEN coalesce($7, provider_operation_id) END,
      idempotency_key = coalesce($8, idempotency_key), key_calls = CASE WHEN $8::text IS NULL THEN key_calls ELSE 0 END,
      updated_at = clock_timestamp(),
      sealed_payment_token = CASE WHEN $4 IN ('confirmed', 'refused') THEN NULL ELSE sealed_payment_token END,
      next_try_at = CASE WHEN $4 IN ('confirmed', 'refused') OR created_at < clock_timestamp() - $10 * interval '1 ms' THEN NULL
        ELSE clock_timestamp() + ($9::bigint[])[least(greatest(tries, 1), cardinality($9::bigint[]))] * interval '1 ms' END
    WHERE payment_id = $1 AND id = $2 AND idempotency_key = $3 AND ${IS_OPEN} AND (key_calls <= 1 OR NOT $11)
    RETURNING id`,
};

/**
 * $1 payment, $2 operation, $3 last answer, $4 delays in ms, $5 how long it is tried at most in ms: what is still open, and
 * was not stopped, is due again by its tries; what is too old waits for a person.
 */
export const RESCHEDULE_OPERATION: Statement = {
  name: 'operations.reschedule',
  text: `UPDATE provider_operations SET last_answer = $3, updated_at = clock_timestamp(), next_try_at =
      CASE WHEN created_at >= clock_timestamp() - $5 * interval '1 ms'
        THEN clock_timestamp() + ($4::bigint[])[least(greatest(tries, 1), cardinality($4::bigint[]))] * interval '1 ms' END
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} AND next_try_at IS NOT NULL`,
};

/** One more call of what is there already: $1 payment, $2 operation. No row when it is settled. */
export const COUNT_CALL: Statement = {
  name: 'operations.count_call',
  text: `UPDATE provider_operations SET key_calls = key_calls + 1
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} RETURNING id`,
};

/** What is open of an attempt, by a word of the provider's: $1 payment, $2 attempt, $3 kind, $4 state, $5 reason, $6 last answer. */
export const CLOSE_OPERATION: Statement = {
  name: 'operations.close',
  text: `UPDATE provider_operations SET state = $4, reason = coalesce($5, reason), last_answer = $6, next_try_at = NULL,
      sealed_payment_token = NULL, updated_at = clock_timestamp()
    WHERE payment_id = $1 AND attempt = $2 AND kind = $3 AND ${IS_OPEN}
    RETURNING id`,
};

/** Stays open, for a person to look at: $1 payment, $2 attempt, $3 reason. */
export const STOP_OPERATIONS: Statement = {
  name: 'operations.stop',
  text: `UPDATE provider_operations SET state = 'unknown', reason = $3, next_try_at = NULL, sealed_payment_token = NULL,
      updated_at = clock_timestamp()
    WHERE payment_id = $1 AND attempt = $2 AND ${IS_OPEN}`,
};

/** Makes the charge of an attempt due now, for who comes next: $1 payment, $2 attempt. */
export const EXPEDITE_CHARGE: Statement = {
  name: 'operations.expedite_charge',
  text: `UPDATE provider_operations SET next_try_at = clock_timestamp()
    WHERE payment_id = $1 AND attempt = $2 AND kind = 'charge' AND ${IS_OPEN} AND next_try_at > clock_timestamp()`,
};

/** $1 payment, $2 status now, $3 cause, $4 at: an entry of the history that changes no status. */
export const NOTE_IN_HISTORY: Statement = {
  name: 'operations.note_in_history',
  text: `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at) VALUES ($1, $2, $2, $3, $4)`,
};

/** $1 payment. No row when it was known before. */
export const MARK_CHARGED_AFTER_END: Statement = {
  name: 'operations.mark_charged_after_end',
  text: `UPDATE payments SET charged_after_end = true WHERE id = $1 AND NOT charged_after_end RETURNING id`,
};

/** → what is open, by kind and state; `stopped`: nobody tries it any more. */
export const COUNT_OPEN: Statement = {
  name: 'operations.count_open',
  text: `SELECT kind, CASE WHEN next_try_at IS NULL THEN 'stopped' ELSE state END AS state, count(*)::integer AS count,
      extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS oldest_seconds
    FROM provider_operations WHERE ${IS_OPEN} GROUP BY 1, 2`,
};
