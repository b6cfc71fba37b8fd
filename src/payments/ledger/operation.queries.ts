import type { Statement } from '../../platform/database/database.js';
import type { OperationCause } from './operation.js';

/** Open operations; the predicate of the index `provider_operations_open`. */
const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

/** State of a charge's operation after this outcome of its attempt. */
const STATE_AFTER = (outcome: string): string =>
  `CASE ${outcome} WHEN 'approved' THEN 'confirmed' WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'refused' END`;

/**
 * A CTE that records outcomes of charges, from a relation with `id` of the payment, `attempt`, `attempt_outcome`,
 * `decline_code`, `provider_transaction_id` and `updated_at`. An operation that stays open keeps its due time. So does
 * an approved charge without a transaction id, which is still to be looked up. A stopped operation keeps its reason.
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

/** The attempt of an operation `o`: see the migration `Refunds1764010080000`. */
export const ATTEMPT_OF = 'coalesce(o.attempt, o.charge_attempt)';

/** Columns of `provider_operations` o and its attempt a. */
const COLUMNS = `o.id, o.merchant_id, o.shop_id, o.payment_id, ${ATTEMPT_OF} AS attempt, o.refund_id, o.kind, o.cause, o.idempotency_key, o.reference,
  o.amount, o.currency, o.state, o.tries, o.key_calls, o.next_try_at, o.provider_operation_id, o.reason, o.refund_reason,
  o.sealed_payment_token, o.last_answer, o.created_at, o.updated_at,
  (extract(epoch FROM clock_timestamp() - o.created_at) * 1000)::float8 AS age_ms, a.provider, a.provider_transaction_id,
  a.started_at AS attempted_at, CASE WHEN o.kind = 'void' THEN (SELECT c.idempotency_key FROM provider_operations c
    WHERE c.payment_id = o.payment_id AND c.attempt = o.attempt AND c.kind = 'charge') END AS charge_idempotency_key`;
export const ATTEMPT = `JOIN payment_attempts a ON a.payment_id = o.payment_id AND a.number = ${ATTEMPT_OF}`;

/** Operations of the payment $1, in the order of the requests. */
export const LIST_OPERATIONS: Statement = {
  name: 'operations.list',
  text: `SELECT ${COLUMNS} FROM provider_operations o ${ATTEMPT} WHERE o.payment_id = $1 ORDER BY o.payment_id, o.id`,
};

/** The open ones of {@link LIST_OPERATIONS}. */
export const LIST_OPEN_OPERATIONS: Statement = {
  name: 'operations.list_open',
  text: `SELECT ${COLUMNS} FROM provider_operations o ${ATTEMPT} WHERE o.payment_id = $1 AND o.${IS_OPEN}
    ORDER BY o.payment_id, o.id`,
};

/**
 * Records a void or refund of an attempt: $1 payment, $2 attempt, $3 kind, $4 cause, $5 idempotency key, $6 refund
 * reason, $7 calls that the caller makes at once: 0 or 1, $8 in how many ms recovery may claim it, $9 amount, null: the
 * payment's. Returns no row if there already is one that is not refused.
 */
export const INSERT_OPERATION: Statement = {
  name: 'operations.insert',
  text: `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
      amount, currency, state, refund_reason, tries, key_calls, next_try_at)
    SELECT p.merchant_id, a.shop_id, p.id, a.number, $3, $4, $5, a.reference, coalesce($9, p.amount), p.currency, 'open', $6, $7,
      $7, clock_timestamp() + $8 * interval '1 ms'
    FROM payments p JOIN payment_attempts a ON a.payment_id = p.id
    WHERE p.id = $1 AND a.number = $2
    ON CONFLICT (payment_id, attempt, kind) WHERE kind <> 'charge' AND state <> 'refused' DO NOTHING
    RETURNING id`,
};

/**
 * Records a capture of an attempt: $1 payment, $2 attempt, $3 idempotency key, $4 amount, $5 in how many ms recovery may
 * claim it; the caller makes the first call at once. Returns no row if there already is one that is not refused.
 */
export const INSERT_CAPTURE: Statement = {
  name: 'operations.insert_capture',
  text: `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, charge_attempt, kind, cause, idempotency_key,
      reference, amount, currency, state, tries, key_calls, next_try_at)
    SELECT p.merchant_id, a.shop_id, p.id, a.number, 'capture', 'capture_requested', $3, a.reference, $4, p.currency,
      'open', 1, 1, clock_timestamp() + $5 * interval '1 ms'
    FROM payments p JOIN payment_attempts a ON a.payment_id = p.id
    WHERE p.id = $1 AND a.number = $2
    ON CONFLICT (payment_id, charge_attempt) WHERE kind = 'capture' AND state <> 'refused' DO NOTHING
    RETURNING id`,
};

/** Records voids, due at once, of the present attempts of `payments`, a query. Returns the payments. */
const insertVoids = (cause: OperationCause, payments: string): string =>
  `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
      amount, currency, state, tries, key_calls, next_try_at)
    SELECT p.merchant_id, a.shop_id, p.id, a.number, 'void', '${cause}', gen_random_uuid()::text, a.reference,
      p.amount, p.currency, 'open', 0, 0, clock_timestamp()
    FROM (${payments}) p JOIN payment_attempts a ON a.payment_id = p.id AND a.number = p.attempt
    ON CONFLICT (payment_id, attempt, kind) WHERE kind <> 'charge' AND state <> 'refused' DO NOTHING
    RETURNING payment_id`;

/**
 * Voids lapsed authorisations: $1 now, $2 limit. Authorisations that are being captured or voided are left to those
 * operations. Locked payments are skipped, so parallel workers get different ones.
 */
export const VOID_LAPSED: Statement = {
  name: 'operations.void_lapsed',
  text: insertVoids(
    'authorization_expired',
    `SELECT id, merchant_id, attempt, amount, currency FROM payments
      WHERE status = 'processing' AND capture_before <= $1 AND capture = 'manual' AND amount_authorized > 0
        AND (SELECT count(*) FROM provider_operations o WHERE o.payment_id = payments.id AND ${ATTEMPT_OF} = payments.attempt
          AND o.kind IN ('void', 'capture') AND o.state <> 'refused') = 0
      ORDER BY capture_before LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
  ),
};

/** Voids the expired payments $1. */
export const VOID_EXPIRED: Statement = {
  name: 'operations.void_expired',
  text: insertVoids('expired', 'SELECT * FROM payments WHERE id = ANY ($1::bigint[])'),
};

/**
 * Records the operation of a refund: $1 payment, $2 refund, $3 idempotency key, $4 in how many ms recovery may claim it;
 * the caller makes the first call at once.
 */
export const INSERT_REFUND: Statement = {
  name: 'operations.insert_refund',
  text: `INSERT INTO provider_operations (merchant_id, shop_id, payment_id, charge_attempt, refund_id, kind, cause,
      idempotency_key, reference, amount, currency, state, refund_reason, tries, key_calls, next_try_at)
    SELECT r.merchant_id, r.shop_id, r.payment_id, r.attempt, r.id, 'refund', 'refund_requested', $3, a.reference, r.amount,
      r.currency, 'open', r.reason, 1, 1, clock_timestamp() + $4 * interval '1 ms'
    FROM refunds r JOIN payment_attempts a ON a.payment_id = r.payment_id AND a.number = r.attempt
    WHERE r.payment_id = $1 AND r.id = $2`,
};

/**
 * A refund failed, perhaps after its success: $1 payment, $2 operation, $3 reason. The operation was refused in the end.
 */
export const REFUSE_REFUND: Statement = {
  name: 'operations.refuse_refund',
  text: `UPDATE provider_operations SET state = 'refused', reason = $3, last_answer = $3, next_try_at = NULL,
      updated_at = clock_timestamp()
    WHERE payment_id = $1 AND id = $2 AND state <> 'refused'`,
};

/**
 * Due operations, the longest due first, without locks: $1 due since, $2 limit. $1 avoids reading index entries of
 * operations that were closed long ago, which remain while an old snapshot is open.
 */
export const LIST_DUE: Statement = {
  name: 'operations.list_due',
  text: `WITH due AS MATERIALIZED (
      SELECT payment_id, id, shop_id, ${ATTEMPT_OF} AS attempt, next_try_at FROM provider_operations o
      WHERE ${IS_OPEN} AND next_try_at <= clock_timestamp() AND next_try_at >= $1 ORDER BY next_try_at LIMIT $2
    )
    SELECT payment_id, id, shop_id, next_try_at,
      (SELECT provider FROM payment_attempts a WHERE a.payment_id = due.payment_id AND a.number = due.attempt) AS provider
    FROM due ORDER BY next_try_at`,
};

/**
 * Claims those of the operations that are still due: $1 payments and $2 their operations, $3 for how many ms. No other
 * worker gets them until then, unless they are rescheduled. Rows that another worker is claiming are skipped. Due
 * operations are open, as the table checks. Without that condition the planner does not read all open rows.
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
      SELECT provider, provider_transaction_id, started_at FROM payment_attempts WHERE payment_id = o.payment_id AND number = ${ATTEMPT_OF}
    ) a ORDER BY o.payment_id, o.id`,
};

/**
 * Claims one open operation, due or not: $1 payment, $2 operation, $3 for how many ms. A stopped operation stays
 * stopped.
 */
export const TAKE_OPERATION: Statement = {
  name: 'operations.take',
  text: `UPDATE provider_operations o SET tries = o.tries + 1, key_calls = o.key_calls + 1,
      next_try_at = CASE WHEN o.next_try_at IS NOT NULL THEN clock_timestamp() + $3 * interval '1 ms' END
    FROM payment_attempts a
    WHERE o.payment_id = $1 AND o.id = $2 AND o.${IS_OPEN} AND a.payment_id = o.payment_id AND a.number = ${ATTEMPT_OF}
    RETURNING ${COLUMNS}`,
};

/** When an operation is due again. `delays`: delays in ms by the number of tries; the last one repeats. */
const nextTry = (delays: string): string =>
  `clock_timestamp() + (${delays}::bigint[])[least(greatest(tries, 1), cardinality(${delays}::bigint[]))] * interval '1 ms'`;

/**
 * Records the result of a call: $1 payment, $2 operation, $3 the key of the call, $4 state, $5 reason, $6 last answer,
 * $7 the provider's id of the operation, $8 the next key, null: unchanged, $9 delays in ms, $10 longest time of tries
 * in ms. An open operation is due again after the delay for its number of tries; a too old one waits for a person.
 * Returns no row if another worker has closed it. $11: nor if there were other calls under the key, whose outcome is
 * still unknown.
 */
export const RECORD_OPERATION: Statement = {
  name: 'operations.record',
  text: `UPDATE provider_operations SET state = $4, reason = coalesce($5, reason), last_answer = $6,
      provider_operation_id = CASE WHEN $8::text IS NULL THEN coalesce($7, provider_operation_id) END,
      idempotency_key = coalesce($8, idempotency_key), key_calls = CASE WHEN $8::text IS NULL THEN key_calls ELSE 0 END,
      updated_at = clock_timestamp(),
      sealed_payment_token = CASE WHEN $4 IN ('confirmed', 'refused') THEN NULL ELSE sealed_payment_token END,
      next_try_at = CASE WHEN $4 IN ('confirmed', 'refused') OR created_at < clock_timestamp() - $10 * interval '1 ms' THEN NULL
        ELSE ${nextTry('$9')} END
    WHERE payment_id = $1 AND id = $2 AND idempotency_key = $3 AND ${IS_OPEN} AND (key_calls <= 1 OR NOT $11)
    RETURNING id`,
};

/**
 * Schedules the next try: $1 payment, $2 operation, $3 last answer, $4 delays in ms, $5 longest time of tries in ms. An
 * open operation that was not stopped is due again after the delay for its number of tries; a too old one waits for a
 * person.
 */
export const RESCHEDULE_OPERATION: Statement = {
  name: 'operations.reschedule',
  text: `UPDATE provider_operations SET last_answer = $3, updated_at = clock_timestamp(), next_try_at =
      CASE WHEN created_at >= clock_timestamp() - $5 * interval '1 ms'
        THEN ${nextTry('$4')} END
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} AND next_try_at IS NOT NULL`,
};

/** Counts one more call of an existing operation: $1 payment, $2 operation. Returns no row if it is closed. */
export const COUNT_CALL: Statement = {
  name: 'operations.count_call',
  text: `UPDATE provider_operations SET key_calls = key_calls + 1
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} RETURNING id`,
};

/** Closes an open operation of an attempt: $1 payment, $2 attempt, $3 kind, $4 state, $5 reason, $6 last answer. */
export const CLOSE_OPERATION: Statement = {
  name: 'operations.close',
  text: `UPDATE provider_operations o SET state = $4, reason = coalesce($5, reason), last_answer = $6, next_try_at = NULL,
      sealed_payment_token = NULL, updated_at = clock_timestamp()
    WHERE payment_id = $1 AND ${ATTEMPT_OF} = $2 AND kind = $3 AND ${IS_OPEN}
    RETURNING id`,
};

/**
 * Closes one open operation as a person found it: $1 payment, $2 operation, $3 state, $4 reason, $5 the provider's id of
 * the operation, null: unknown. The provider's last answer stays. Returns no row if it is closed.
 */
export const SETTLE_OPERATION: Statement = {
  name: 'operations.settle',
  text: `UPDATE provider_operations SET state = $3, reason = $4, provider_operation_id = coalesce(provider_operation_id, $5),
      next_try_at = NULL, sealed_payment_token = NULL, updated_at = clock_timestamp()
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} RETURNING id`,
};

/** Stops the open operations of an attempt; a person must act: $1 payment, $2 attempt, $3 reason. */
export const STOP_OPERATIONS: Statement = {
  name: 'operations.stop',
  text: `UPDATE provider_operations o SET state = 'unknown', reason = $3, next_try_at = NULL, sealed_payment_token = NULL,
      updated_at = clock_timestamp()
    WHERE payment_id = $1 AND ${ATTEMPT_OF} = $2 AND ${IS_OPEN}`,
};

/** Makes the charge of an attempt due now, for the next worker: $1 payment, $2 attempt. */
export const EXPEDITE_CHARGE: Statement = {
  name: 'operations.expedite_charge',
  text: `UPDATE provider_operations SET next_try_at = clock_timestamp()
    WHERE payment_id = $1 AND attempt = $2 AND kind = 'charge' AND ${IS_OPEN} AND next_try_at > clock_timestamp()`,
};

/** Open operations by kind and state; `stopped`: no worker tries them. */
export const COUNT_OPEN: Statement = {
  name: 'operations.count_open',
  text: `SELECT kind, CASE WHEN next_try_at IS NULL THEN 'stopped' ELSE state END AS state, count(*)::integer AS count,
      extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS oldest_seconds
    FROM provider_operations WHERE ${IS_OPEN} GROUP BY 1, 2`,
};
