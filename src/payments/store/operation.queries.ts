import type { Statement } from '../../platform/database/database.js';
import { DAY_MS } from '../../shared/clock.js';
import {
  dueAtOf,
  type DueSubject,
  endDueWorkFrom,
  isDue,
  isDueWorkOf,
  moveDueWorkFrom,
} from '../../platform/due-work/due-work-sql.js';

/** How long an operation is tried; after that it stays open for a person. */
export const TRIED_FOR_MS = 3 * DAY_MS;

/** Open operations. */
export const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

/**
 * Each open operation has a row of `due_work`, and no other: its next try, or `infinity` if no worker tries it. Statements
 * lock the operation before that row.
 */
export const OPERATION_WORK = (paymentId: string, id: string): DueSubject => ({
  kind: 'operation',
  id: paymentId,
  part: id,
});
const WORK_OF_O = OPERATION_WORK('o.payment_id', 'o.id');
/** The work of a row of this relation, with `payment_id` and `id`. */
const workOf = (relation: string): DueSubject => OPERATION_WORK(`${relation}.payment_id`, `${relation}.id`);

/** When a worker tries the operation `o` next; `NULL`: none does. */
export const NEXT_TRY_AT = dueAtOf(WORK_OF_O);

/**
 * Processes of the version before still write and claim by this column (`1764010900050-due-operations.ts`): they do
 * not claim an operation of theirs that this version has claimed.
 */
const OLD_CLAIM = (inMs: string): string =>
  `next_try_at = CASE WHEN o.next_try_at IS NOT NULL THEN clock_timestamp() + ${inMs} * interval '1 ms' END`;

/** State of a charge's operation after this outcome of its attempt. */
const STATE_AFTER = (outcome: string): string =>
  `CASE ${outcome} WHEN 'approved' THEN 'confirmed' WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'refused' END`;

/**
 * CTEs that record outcomes of charges, from a relation with `id` of the payment, `attempt`, `attempt_outcome`,
 * `decline_code`, `provider_transaction_id` and `updated_at`; `isOfThese`: the condition that finds rows of these payments.
 * An operation that stays open keeps its due time. So does an approved charge without a transaction id, which is still to be
 * looked up. A stopped operation keeps its reason.
 */
export const recordChargesFrom = (relation: string, isOfThese = `= ANY (ARRAY(SELECT id FROM ${relation}))`): string =>
  `charges_recorded AS (
      UPDATE provider_operations o SET state = ${STATE_AFTER('c.attempt_outcome')}, last_answer = c.attempt_outcome,
        reason = c.decline_code, updated_at = c.updated_at,
        sealed_payment_token = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.sealed_payment_token END
      FROM ${relation} c
      WHERE o.payment_id ${isOfThese} AND o.payment_id = c.id
        AND o.attempt = c.attempt AND o.kind = 'charge' AND o.${IS_OPEN}
        AND NOT (o.state = 'pending' AND c.attempt_outcome = 'unknown')
        AND NOT (c.attempt_outcome IN ('processing', 'unknown') AND ${NEXT_TRY_AT} IS NULL)
        AND NOT (c.attempt_outcome = 'approved' AND c.provider_transaction_id IS NULL AND ${NEXT_TRY_AT} IS NOT NULL)
      RETURNING o.payment_id, o.id, o.state
    ), charges_ended AS MATERIALIZED (
      SELECT payment_id, id FROM charges_recorded WHERE NOT ${IS_OPEN}
    ), charges_work_ended AS (
      ${endDueWorkFrom('charges_ended', workOf('charges_ended'), isOfThese)}
    )`;

/** The attempt of an operation `o`: see `src/schema/attempts.ts`. */
export const ATTEMPT_OF = 'coalesce(o.attempt, o.charge_attempt, o.earlier_attempt)';

/** Columns of `provider_operations` o and its attempt a. */
const COLUMNS = `o.id, o.merchant_id, o.shop_id, o.payment_id, ${ATTEMPT_OF} AS attempt, o.refund_id, o.kind, o.cause, o.idempotency_key, o.reference,
  o.amount, o.currency, o.state, o.tries, o.key_calls, ${NEXT_TRY_AT} AS next_try_at, o.provider_operation_id, o.reason, o.refund_reason,
  o.sealed_payment_token, o.last_answer, o.requested_by, o.created_at, o.updated_at,
  (extract(epoch FROM clock_timestamp() - o.created_at) * 1000)::float8 AS age_ms, a.provider, a.provider_transaction_id,
  a.started_at AS attempted_at, CASE WHEN o.kind = 'void' THEN (SELECT c.idempotency_key FROM provider_operations c
    WHERE c.payment_id = o.payment_id AND c.attempt = ${ATTEMPT_OF} AND c.kind = 'charge') END AS charge_idempotency_key`;
export const ATTEMPT = `JOIN payment_attempts a ON a.payment_id = o.payment_id AND a.number = ${ATTEMPT_OF}`;

/** Operations of the payment $1, or of those $2 if it is not null, in the order of the requests. */
export const LIST_OPERATIONS: Statement = {
  name: 'operations.list',
  text: `SELECT ${COLUMNS} FROM provider_operations o ${ATTEMPT}
    WHERE o.payment_id = $1 AND ($2::bigint[] IS NULL OR o.id = ANY ($2)) ORDER BY o.payment_id, o.id`,
};

/**
 * A refund failed, perhaps after its success: $1 payment, $2 operation, $3 reason. The operation was refused in the end.
 */
export const REFUSE_REFUND: Statement = {
  name: 'operations.refuse_refund',
  text: `UPDATE provider_operations SET state = 'refused', reason = $3, last_answer = $3, updated_at = clock_timestamp()
    WHERE payment_id = $1 AND id = $2 AND state <> 'refused'`,
};

/**
 * Due operations, the longest due first, without locks: $1 due since, $2 limit. $1 avoids reading index entries of
 * operations that were closed long ago, which remain while an old snapshot is open.
 */
export const LIST_DUE: Statement = {
  name: 'operations.list_due',
  text: `WITH due AS MATERIALIZED (
      SELECT subject_id AS payment_id, part AS id, due_at AS next_try_at FROM due_work
      WHERE ${isDue(`'operation'`)} AND due_at >= $1 ORDER BY due_at LIMIT $2
    )
    SELECT due.payment_id, due.id, o.shop_id, due.next_try_at,
      (SELECT provider FROM payment_attempts a WHERE a.payment_id = due.payment_id AND a.number = o.attempt) AS provider
    FROM due CROSS JOIN LATERAL (
      SELECT o.shop_id, ${ATTEMPT_OF} AS attempt FROM provider_operations o
      WHERE o.payment_id = due.payment_id AND o.id = due.id OFFSET 0
    ) o ORDER BY due.next_try_at`,
};

/**
 * Claims those of the operations that are still due: $1 payments and $2 their operations, $3 for how many ms. No other
 * worker gets them until then, unless they are rescheduled. Rows that another transaction has locked are skipped. The
 * work of a closed operation ends: a process of the version before that closes an operation of this version leaves it.
 */
export const CLAIM_DUE: Statement = {
  name: 'operations.claim_due',
  text: `WITH due AS MATERIALIZED (
      SELECT asked.*, o.is_open FROM unnest($1::bigint[], $2::bigint[]) AS asked (payment_id, id) CROSS JOIN LATERAL (
        SELECT FROM due_work d WHERE ${isDueWorkOf(workOf('asked'))} AND d.due_at <= clock_timestamp() FOR UPDATE SKIP LOCKED
      ) d CROSS JOIN LATERAL (
        SELECT ${IS_OPEN} AS is_open FROM provider_operations o WHERE o.payment_id = asked.payment_id AND o.id = asked.id
        FOR UPDATE SKIP LOCKED
      ) o
    ), open AS (
      SELECT * FROM due WHERE is_open
    ), closed AS (
      SELECT * FROM due WHERE NOT is_open
    ), work_ended AS (
      ${endDueWorkFrom('closed', workOf('closed'))}
    ), work_moved AS (
      ${moveDueWorkFrom('open', workOf('open'), `clock_timestamp() + $3 * interval '1 ms'`)}
    ), claimed AS (
      UPDATE provider_operations o SET tries = o.tries + 1, key_calls = o.key_calls + 1, ${OLD_CLAIM('$3')}
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM open)) AND o.id = ANY (ARRAY(SELECT id FROM open))
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
  text: `WITH taken AS (
      UPDATE provider_operations o SET tries = o.tries + 1, key_calls = o.key_calls + 1, ${OLD_CLAIM('$3')}
      WHERE o.payment_id = $1 AND o.id = $2 AND o.${IS_OPEN} RETURNING o.*
    ), work_moved AS (
      ${moveDueWorkFrom('taken', workOf('taken'), `clock_timestamp() + $3 * interval '1 ms'`, `d.due_at < 'infinity'`)}
    )
    SELECT ${COLUMNS} FROM taken o ${ATTEMPT}`,
};

/**
 * When an operation of `relation` is due again. `delays`: delays in ms by the number of tries; the last one repeats.
 * `longest`: after this many ms it waits for a person.
 */
const nextTry = (relation: string, delays: string, longest: string): string =>
  `CASE WHEN ${relation}.created_at < clock_timestamp() - ${longest} * interval '1 ms' THEN 'infinity' ELSE clock_timestamp()
        + (${delays}::bigint[])[least(greatest(${relation}.tries, 1), cardinality(${delays}::bigint[]))] * interval '1 ms' END`;

/**
 * Records the result of a call: $1 payment, $2 operation, $3 the key of the call, $4 state, $5 reason, $6 last answer, null: unchanged,
 * $7 the provider's id of the operation, $8 the next key, null: unchanged, $9 delays in ms, $10 longest time of tries
 * in ms. An open operation is due again after the delay for its number of tries; a too old one waits for a person.
 * Returns no row if another worker has closed it. $11: nor if there were other calls under the key, whose outcome is
 * still unknown.
 */
export const RECORD_OPERATION: Statement = {
  name: 'operations.record',
  text: `WITH recorded AS (
      UPDATE provider_operations SET state = $4, reason = coalesce($5, reason), last_answer = coalesce($6, last_answer),
        provider_operation_id = CASE WHEN $8::text IS NULL THEN coalesce($7, provider_operation_id) END,
        idempotency_key = coalesce($8, idempotency_key), key_calls = CASE WHEN $8::text IS NULL THEN key_calls ELSE 0 END,
        updated_at = clock_timestamp(),
        sealed_payment_token = CASE WHEN $4 IN ('confirmed', 'refused') THEN NULL ELSE sealed_payment_token END
      WHERE payment_id = $1 AND id = $2 AND idempotency_key = $3 AND ${IS_OPEN} AND (key_calls <= 1 OR NOT $11)
      RETURNING payment_id, id, state, tries, created_at
    ), ended AS (
      SELECT payment_id, id FROM recorded WHERE NOT ${IS_OPEN}
    ), work_ended AS (
      ${endDueWorkFrom('ended', workOf('ended'))}
    ), work_moved AS (
      ${moveDueWorkFrom('recorded', workOf('recorded'), nextTry('recorded', '$9', '$10'), `recorded.${IS_OPEN}`)}
    )
    SELECT id FROM recorded`,
};

/**
 * Schedules the next try: $1 payment, $2 operation, $3 last answer, $4 delays in ms, $5 longest time of tries in ms. An
 * open operation that was not stopped is due again after the delay for its number of tries; a too old one waits for a
 * person.
 */
export const RESCHEDULE_OPERATION: Statement = {
  name: 'operations.reschedule',
  text: `WITH checked AS (
      UPDATE provider_operations o SET last_answer = $3, updated_at = clock_timestamp()
      WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} AND ${NEXT_TRY_AT} IS NOT NULL
      RETURNING payment_id, id, tries, created_at
    )
    ${moveDueWorkFrom('checked', workOf('checked'), nextTry('checked', '$4', '$5'), `d.due_at < 'infinity'`)}`,
};

/** Counts one more call of an existing operation: $1 payment, $2 operation. Returns no row if it is closed. */
export const COUNT_CALL: Statement = {
  name: 'operations.count_call',
  text: `UPDATE provider_operations SET key_calls = key_calls + 1
    WHERE payment_id = $1 AND id = $2 AND ${IS_OPEN} RETURNING id`,
};

/**
 * Keeps a settlement that waits for a second client, and returns the one before: $1 payment, locked in the transaction, $2
 * operation, $3 settlement as JSON.
 */
export const REQUEST_SETTLEMENT: Statement = {
  name: 'operations.request_settlement',
  text: `UPDATE provider_operations o SET settle_request = $3 FROM provider_operations before
    WHERE o.payment_id = $1 AND o.id = $2 AND before.payment_id = o.payment_id AND before.id = o.id
    RETURNING before.settle_request`,
};

/** Stops the open operations of an attempt; a person must act: $1 payment, $2 attempt, $3 reason. */
export const STOP_OPERATIONS: Statement = {
  name: 'operations.stop',
  text: `WITH stopped AS (
      UPDATE provider_operations o SET state = 'unknown', reason = $3, next_try_at = NULL, sealed_payment_token = NULL,
        updated_at = clock_timestamp()
      WHERE payment_id = $1 AND ${ATTEMPT_OF} = $2 AND ${IS_OPEN} RETURNING payment_id, id
    )
    ${moveDueWorkFrom('stopped', workOf('stopped'), `'infinity'`)}`,
};

/** Makes operations of the payment $1 due now; `which`: a condition on the operation `o`. */
export const expediteOperations = (which: string): string =>
  `WITH waiting AS (SELECT payment_id, id FROM provider_operations o WHERE o.payment_id = $1 AND o.${IS_OPEN} AND ${which})
    ${moveDueWorkFrom('waiting', workOf('waiting'), 'clock_timestamp()', `d.due_at > clock_timestamp() AND d.due_at < 'infinity'`)}`;

/** Makes the charge of an attempt due now, for the next worker: $1 payment, $2 attempt. */
export const EXPEDITE_CHARGE: Statement = {
  name: 'operations.expedite_charge',
  text: expediteOperations(`o.attempt = $2 AND o.kind = 'charge'`),
};

/** The open operations `o`; the order of reading keeps PostgreSQL from reading all that were ever recorded. */
export const OPEN_OPERATIONS = `due_work d CROSS JOIN LATERAL (
      SELECT * FROM provider_operations o WHERE o.payment_id = d.subject_id AND o.id = d.part AND o.${IS_OPEN} OFFSET 0
    ) o`;

/** Open operations by kind and state; `stopped`: no worker tries them. */
export const COUNT_OPEN: Statement = {
  name: 'operations.count_open',
  text: `SELECT o.kind, CASE WHEN d.due_at = 'infinity' THEN 'stopped' ELSE o.state END AS state, count(*)::integer AS count,
      extract(epoch FROM clock_timestamp() - min(o.created_at))::float8 AS oldest_seconds
    FROM ${OPEN_OPERATIONS} WHERE d.kind = 'operation' GROUP BY 1, 2`,
};
