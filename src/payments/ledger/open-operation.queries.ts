import type { Statement } from '../../platform/database/database.js';
import { addDueWorkFrom } from '../../platform/due-work/due-work-sql.js';
import type { OperationCause } from '../money/state/operation.js';
import { ATTEMPT_OF, OPERATION_WORK } from './operation.queries.js';

/** A CTE that adds the work of the new operations of `relation`, due in `inMs` ms. */
export const addOperationWorkFrom = (relation: string, inMs: string): string =>
  `work_added AS (
      ${addDueWorkFrom(relation, { ...OPERATION_WORK('payment_id', 'id'), owner: 'merchant_id' }, `clock_timestamp() + ${inMs} * interval '1 ms'`)}
    )`;

interface Opened {
  /** SQL of the column that has the attempt: the unique keys of voids and reversals, and of captures, name different ones. */
  column: 'attempt' | 'charge_attempt';
  kind: string;
  cause: string;
  key: string;
  reason: string;
  /** Calls that the caller makes at once. */
  calls: string;
  /** In how many ms recovery may claim it. */
  inMs: string;
}

/**
 * Records an operation for each attempt of `asked`: `payment_id`, `merchant_id`, `attempt`, `amount`, `currency` of payments
 * that are locked in the transaction. An attempt with one that is not refused gets none; those that were refused leave the
 * unique key.
 */
const openFrom = (asked: string, { column, kind, cause, key, reason, calls, inMs }: Opened): string =>
  `WITH asked AS MATERIALIZED (${asked}), replaced AS (
      UPDATE provider_operations o SET earlier_attempt = ${ATTEMPT_OF}, attempt = NULL, charge_attempt = NULL
      FROM asked p
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM asked)) AND o.payment_id = p.payment_id
        AND o.${column} = p.attempt AND o.kind = ${kind} AND o.state = 'refused'
      RETURNING o.id
    ), opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, ${column}, kind, cause, idempotency_key, reference,
        amount, currency, state, refund_reason, tries, key_calls)
      SELECT p.merchant_id, a.shop_id, p.payment_id, a.number, ${kind}, ${cause}, ${key}, a.reference, p.amount, p.currency,
        'open', ${reason}, ${calls}, ${calls}
      FROM asked p JOIN payment_attempts a ON a.payment_id = p.payment_id AND a.number = p.attempt
      WHERE (SELECT count(*) FROM replaced) >= 0
      ON CONFLICT (payment_id, ${column}${column === 'attempt' ? `, kind) WHERE kind <> 'charge'` : `) WHERE kind = 'capture'`} DO NOTHING
      RETURNING payment_id, id, merchant_id
    ), ${addOperationWorkFrom('opened', inMs)}
    SELECT payment_id, id FROM opened`;

/**
 * Records a void or refund of an attempt: $1 payment, $2 attempt, $3 kind, $4 cause, $5 idempotency key, $6 refund
 * reason, $7 calls that the caller makes at once: 0 or 1, $8 in how many ms recovery may claim it, $9 amount, null: the
 * payment's. Returns no row if there already is one that is not refused.
 */
export const INSERT_OPERATION: Statement = {
  name: 'operations.insert',
  text: openFrom(
    `SELECT id AS payment_id, merchant_id, $2::smallint AS attempt, coalesce($9, amount) AS amount, currency FROM payments
      WHERE id = $1`,
    {
      column: 'attempt',
      kind: '$3::text',
      cause: '$4',
      key: '$5',
      reason: '$6',
      calls: '$7::integer',
      inMs: '$8::float8',
    },
  ),
};

/**
 * Records a capture of an attempt: $1 payment, $2 attempt, $3 idempotency key, $4 amount, $5 in how many ms recovery may
 * claim it; the caller makes the first call at once. Returns no row if there already is one that is not refused.
 */
export const INSERT_CAPTURE: Statement = {
  name: 'operations.insert_capture',
  text: openFrom(
    `SELECT id AS payment_id, merchant_id, $2::smallint AS attempt, $4::numeric AS amount, currency FROM payments WHERE id = $1`,
    {
      column: 'charge_attempt',
      kind: `'capture'`,
      cause: `'capture_requested'`,
      key: '$3',
      reason: 'NULL',
      calls: '1',
      inMs: '$5::float8',
    },
  ),
};

/** Records voids, due at once, of the present attempts of `payments`, a query. Returns the payments. */
const insertVoids = (cause: OperationCause, payments: string): string =>
  openFrom(`SELECT p.id AS payment_id, p.merchant_id, p.attempt, p.amount, p.currency FROM (${payments}) p`, {
    column: 'attempt',
    kind: `'void'`,
    cause: `'${cause}'`,
    key: 'gen_random_uuid()::text',
    reason: 'NULL',
    calls: '0',
    inMs: '0',
  });

/**
 * Voids the authorisation of the payment $1 if it has lapsed. One that is being captured or voided is left to that operation.
 * A locked payment is skipped.
 */
export const VOID_LAPSED: Statement = {
  name: 'operations.void_lapsed',
  text: insertVoids(
    'authorization_expired',
    `SELECT id, merchant_id, attempt, amount, currency FROM payments
      WHERE id = $1 AND status = 'processing' AND capture_before <= clock_timestamp() AND capture = 'manual'
        AND amount_authorized > 0
        AND (SELECT count(*) FROM provider_operations o WHERE o.payment_id = payments.id AND ${ATTEMPT_OF} = payments.attempt
          AND o.kind IN ('void', 'capture') AND o.state <> 'refused') = 0
      FOR NO KEY UPDATE SKIP LOCKED`,
  ),
};

/** Whether the payment $1 is authorised and not ended; no row: it is not. */
export const FIND_AUTHORIZED: Statement = {
  name: 'payments.find_authorized',
  text: `SELECT id FROM payments WHERE id = $1 AND status = 'processing' AND capture_before IS NOT NULL`,
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
  text: `WITH opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, charge_attempt, refund_id, kind, cause,
        idempotency_key, reference, amount, currency, state, refund_reason, tries, key_calls)
      SELECT r.merchant_id, r.shop_id, r.payment_id, r.attempt, r.id, 'refund', 'refund_requested', $3, a.reference, r.amount,
        r.currency, 'open', r.reason, 1, 1
      FROM refunds r JOIN payment_attempts a ON a.payment_id = r.payment_id AND a.number = r.attempt
      WHERE r.payment_id = $1 AND r.id = $2 RETURNING payment_id, id, merchant_id
    ), ${addOperationWorkFrom('opened', '$4::float8')}
    SELECT id FROM opened`,
};
