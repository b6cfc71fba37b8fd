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
  /** The refund object that it carries out. */
  refund: string;
  /** The client that asked for it. */
  by: string;
  /** Calls that the caller makes at once. */
  calls: string;
  /** In how many ms recovery may claim it. */
  inMs: string;
}

/**
 * Records an operation for each attempt of `asked`: `payment_id`, `merchant_id`, `attempt`, `amount`, `currency` of payments
 * that are locked in the transaction. An attempt with one that is not refused gets none, unless it is a refund; those that were
 * refused leave the unique key.
 */
const openFrom = (asked: string, { column, kind, cause, key, refund, by, calls, inMs }: Opened): string =>
  `WITH asked AS MATERIALIZED (${asked}), replaced AS (
      UPDATE provider_operations o SET earlier_attempt = ${ATTEMPT_OF}, attempt = NULL, charge_attempt = NULL
      FROM asked p
      WHERE o.payment_id = ANY (ARRAY(SELECT payment_id FROM asked)) AND o.payment_id = p.payment_id
        AND o.${column} = p.attempt AND o.kind = ${kind} AND o.state = 'refused' AND ${refund} IS NULL
      RETURNING o.id
    ), opened AS (
      INSERT INTO provider_operations (merchant_id, shop_id, payment_id, ${column}, kind, cause, idempotency_key, reference,
        amount, currency, state, refund_id, refund_reason, requested_by, tries, key_calls)
      SELECT p.merchant_id, a.shop_id, p.payment_id, a.number, ${kind}, ${cause}, ${key}, a.reference, p.amount, p.currency,
        'open', ${refund}, (SELECT r.reason FROM refunds r WHERE r.id = ${refund}), ${by}, ${calls}, ${calls}
      FROM asked p JOIN payment_attempts a ON a.payment_id = p.payment_id AND a.number = p.attempt
      WHERE (SELECT count(*) FROM replaced) >= 0
      ON CONFLICT (payment_id, ${column}${column === 'attempt' ? `, kind) WHERE kind <> 'charge'` : `) WHERE kind = 'capture'`} DO NOTHING
      RETURNING payment_id, id, merchant_id
    ), ${addOperationWorkFrom('opened', inMs)}
    SELECT payment_id, id FROM opened`;

const insert = (name: string, column: Opened['column']): Statement => ({
  name,
  text: openFrom(
    `SELECT id AS payment_id, merchant_id, $2::smallint AS attempt, coalesce($8, amount) AS amount, currency FROM payments
      WHERE id = $1`,
    {
      ...{
        column,
        kind: '$3::text',
        cause: '$4',
        key: '$5',
        refund: '$9::bigint',
        by: '$10::text',
        calls: '$6::integer',
      },
      inMs: '$7::float8',
    },
  ),
});

/**
 * Records a void or reversal of an attempt: $1 payment, $2 attempt, $3 kind, $4 cause, $5 idempotency key, $6 calls that the caller
 * makes at once: 0 or 1, $7 in how many ms recovery may claim it, $8 amount, null: the payment's, $9 null, $10 the client that asked for it, or null. Returns no row if
 * there already is one that is not refused.
 */
export const INSERT_REVERSAL = insert('operations.insert_reversal', 'attempt');

/** The same for a capture, or for $9 a refund object. */
export const INSERT_FOR_CHARGE = insert('operations.insert_for_charge', 'charge_attempt');

/** Records voids, due at once, of the present attempts of `payments`, a query. Returns the payments. */
const insertVoids = (cause: OperationCause, payments: string): string =>
  openFrom(`SELECT p.id AS payment_id, p.merchant_id, p.attempt, p.amount, p.currency FROM (${payments}) p`, {
    ...{ column: 'attempt', kind: `'void'`, cause: `'${cause}'`, key: 'gen_random_uuid()::text' },
    ...{ refund: 'NULL::bigint', by: 'NULL::text', calls: '0', inMs: '0' },
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
