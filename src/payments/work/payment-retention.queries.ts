import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { BATCH_RESULT, batchOf, type BatchRow } from '../../platform/maintenance/id-walk.js';
import { dueAtOf, isDueWorkOf } from '../../platform/due-work/due-work-sql.js';
import { ERASURE_WORK } from '../store/customer.js';
import { LOOK_UP_WORK } from '../store/payment.queries.js';
import { IS_RETURNED } from '../store/known-charges.service.js';
import { IS_OPEN } from '../store/operation.queries.js';
import { ENDED_DELIVERIES, PENDING_DELIVERIES } from '../../shared/relations.js';

export const PAYMENTS_IN_TIME = searchByTime('payment_retention.payments_in_time', 'payments');

/** A space of advisory locks of its own: see `LOCK_SPACE` of maintenance jobs. */
const LOCK_SPACE = 730_513;

export interface LockedPaymentsRow extends BatchRow {
  /** Those that ended and did not change since. */
  ids: number[];
}

/**
 * Locks ended payments of the next ids, with their attempts: $1 id to start after, $2 last id, $3 changed before, $4 rows to
 * read. A change of money locks the payment, and a notification that only asks writes the attempt. So a statement after this one
 * sees every change, and later ones wait and find the archived charge. Locked rows are left for the next walk.
 */
export const LOCK_ENDED_PAYMENTS: Statement = {
  name: 'payment_retention.lock',
  text: `WITH ${batchOf('payments', 'id', LOCK_SPACE)}, ended AS MATERIALIZED (
      SELECT id FROM payments WHERE id = ANY (ARRAY(SELECT id FROM batch))
        AND status IN ('completed', 'failed', 'cancelled', 'refunded') AND updated_at < $3::timestamptz
      FOR UPDATE SKIP LOCKED
    ), attempts AS MATERIALIZED (
      SELECT FROM payment_attempts WHERE payment_id = ANY (ARRAY(SELECT id FROM ended)) FOR UPDATE
    )
    SELECT ${BATCH_RESULT}, ARRAY(SELECT id FROM ended ORDER BY id) AS ids, (SELECT count(*) FROM attempts)::int AS attempts`,
};

/** OFFSET 0: a subquery for each payment, never a hash of all rows. */
const exists = (from: string, ...anyOf: string[]): string =>
  `EXISTS (SELECT FROM ${from}${anyOf.length > 0 ? ` AND (${anyOf.join(' OR ')})` : ''} OFFSET 0)`;

/**
 * Why an ended payment `p` stays: it has something open, or something about it changed since $2. The first reason counts, those
 * that are found most often first.
 */
const REASONS = {
  delivery: exists(`${ENDED_DELIVERIES} d WHERE d.payment_id = p.id`),
  pending_delivery: exists(`${PENDING_DELIVERIES} d WHERE d.payment_id = p.id`),
  history: exists('payment_status_changes h WHERE h.payment_id = p.id', 'h.at >= $2::timestamptz'),
  operation: exists(
    'provider_operations o WHERE o.payment_id = p.id',
    `o.${IS_OPEN}`,
    'o.updated_at >= $2::timestamptz',
  ),
  refund: exists('refunds r WHERE r.payment_id = p.id', `r.status = 'pending'`, 'r.updated_at >= $2::timestamptz'),
  dispute: exists(
    'disputes d WHERE d.payment_id = p.id',
    `d.status IN ('open', 'under_review')`,
    'd.updated_at >= $2::timestamptz',
  ),
  attempt: exists('payment_attempts a WHERE a.payment_id = p.id', 'a.ended_at >= $2::timestamptz'),
  look_up: exists(
    `payment_attempts a JOIN due_work d ON ${isDueWorkOf(LOOK_UP_WORK('a.payment_id', 'a.number'))} WHERE a.payment_id = p.id`,
  ),
  // a waiting one is a change to come, and an alarm is for a person
  notification: exists(
    'provider_notifications n WHERE n.payment_id = p.id',
    `n.outcome = 'waiting'`,
    `(n.outcome = 'alarm' AND n.acknowledged_at IS NULL)`,
    'n.received_at >= $2::timestamptz',
  ),
  // its request may be repeated
  idempotency_key: exists('idempotency_keys k WHERE k.payment_id = p.id'),
  // it is about to be removed
  unusable_method: `p.amount_authorized = 0 AND ${exists('saved_payment_methods m WHERE m.payment_id = p.id', 'm.removed_at IS NULL')}`,
  erasure: `${dueAtOf(ERASURE_WORK('p.customer_id'))} IS NOT NULL`,
};
type ReasonToStay = keyof typeof REASONS;

const REASON = `CASE ${Object.entries(REASONS)
  .map(([reason, condition]) => `WHEN ${condition} THEN '${reason}'`)
  .join(' ')} END`;

const list = (columns: string, from: string, order: string): string =>
  `(SELECT coalesce(json_agg(r ORDER BY ${order}), '[]') FROM (SELECT ${columns} FROM ${from} x WHERE x.payment_id = p.id) r)`;
const amount = (column: string): string => `trim_scale(${column}) AS ${column.split('.')[1]}`;

/**
 * A payment `p` as one line of JSON. Columns are named, so that none enters by being added: no secrets, no card data, no
 * addresses, and of a customer only the id. Line breaks of JSON are white space: in a text they are escaped.
 */
const LINE = `(SELECT translate(row_to_json(line)::text, E'\\n\\r', '  ') FROM (SELECT p.id, p.merchant_id, p.shop_id, p.flow_id, p.flow_version, p.rollout_id,
      p.rollout_stage, p.customer_id, p.payment_session_id, p.payment_provider, p.provider_transaction_id, p.status,
      ${amount('p.amount')}, p.currency, ${amount('p.amount_authorized')}, ${amount('p.amount_captured')},
      ${amount('p.amount_refunded')}, p.capture, p.country, p.payment_method ->> 'type' AS payment_method, p.initiator, p.agreement,
      p.charged_after_end, p.metadata, p.decision, p.created_at, p.updated_at,
      ${list(
        'number, shop_id, provider, provider_transaction_id, reference, outcome, decline_code, started_at, ended_at',
        'payment_attempts',
        'r.number',
      )} AS attempts,
      ${list(
        `id, coalesce(attempt, charge_attempt, earlier_attempt) AS attempt, kind, cause, state, ${amount('x.amount')}, currency, refund_id,
          provider_operation_id, reference, reason, created_at, updated_at`,
        'provider_operations',
        'r.id',
      )} AS operations,
      ${list(
        `id, attempt, ${amount('x.amount')}, currency, status, origin, provider_refund_id, failure_code, reason, metadata, created_at,
          updated_at`,
        'refunds',
        'r.id',
      )} AS refunds,
      ${list(
        `id, attempt, provider, provider_dispute_id, kind, status, ${amount('x.amount')}, currency, reason_code, network_reason_code,
          evidence_due_by, opened_at, updated_at`,
        'disputes',
        'r.id',
      )} AS disputes,
      ${list('id, from_status, to_status, cause, at', 'payment_status_changes', 'r.id')} AS history) line)`;

export interface EndedPaymentRow {
  id: number;
  /** `null`: it can be archived. */
  stays_for: ReasonToStay | null;
  /** JSON; `null`: it stays, or nothing is archived. */
  line: string | null;
  /** A person settled one of its operations, and gave a reason. */
  is_settled: boolean;
}

/** The payments $1, which are locked in the transaction; $2: what changed at that time or later is recent; $3 whether with lines. */
export const READ_ENDED: Statement = {
  name: 'payment_retention.read',
  text: `SELECT p.id, s.stays_for, CASE WHEN $3 AND s.stays_for IS NULL THEN ${LINE} END AS line,
      ${exists('provider_operations o WHERE o.payment_id = p.id', `o.reason LIKE 'settled as %'`)} AS is_settled
    FROM payments p CROSS JOIN LATERAL (SELECT ${REASON} AS stays_for OFFSET 0) s
    WHERE p.id = ANY ($1::bigint[]) ORDER BY p.id`,
};

const OF_GONE = 'payment_id = ANY ($1::bigint[])';

/**
 * Deletes the payments $1, which are locked in the transaction, with all their rows, and keeps each charge's ids. A payment
 * method that a charge saved stays, as one that no payment saved. Counters and cells are rows of their own and stay.
 */
export const DELETE_ENDED: Statement = {
  name: 'payment_retention.delete',
  text: `WITH charges AS (
      INSERT INTO archived_charges (payment_id, attempt, merchant_id, shop_id, reference, transaction_id, status, is_current, is_returned)
      SELECT p.id, coalesce(a.number, p.attempt), p.merchant_id, coalesce(a.shop_id, p.shop_id), a.reference,
        CASE WHEN coalesce(a.number, p.attempt) = p.attempt THEN coalesce(p.provider_transaction_id, a.provider_transaction_id)
          ELSE a.provider_transaction_id END,
        p.status, coalesce(a.number, p.attempt) = p.attempt, ${IS_RETURNED}
      FROM payments p LEFT JOIN payment_attempts a ON a.payment_id = p.id WHERE p.id = ANY ($1::bigint[])
    ), terms AS (
      DELETE FROM payment_terms t USING (
        SELECT p.id, m.value_hash, m.key_hash FROM payments p CROSS JOIN LATERAL terms_of_metadata(p.merchant_id, p.metadata) m
        WHERE p.id = ANY ($1::bigint[]) OFFSET 0) old
      WHERE t.value_hash = old.value_hash AND t.key_hash = old.key_hash AND t.payment_id = old.id
    ), early AS (
      DELETE FROM provider_notifications WHERE id = ANY (ARRAY(
        SELECT n.id FROM payment_attempts a CROSS JOIN LATERAL (
          SELECT id FROM provider_notifications WHERE shop_id = a.shop_id
            AND provider_transaction_id = a.provider_transaction_id AND payment_id IS NULL OFFSET 0) n
        WHERE a.payment_id = ANY ($1::bigint[])))
    ), notifications AS (DELETE FROM provider_notifications WHERE ${OF_GONE}
    ), attempts AS (DELETE FROM payment_attempts WHERE ${OF_GONE}
    ), operations AS (DELETE FROM provider_operations WHERE ${OF_GONE}
    ), refunds AS (DELETE FROM refunds WHERE ${OF_GONE}
    ), disputes AS (DELETE FROM disputes WHERE ${OF_GONE}
    ), history AS (DELETE FROM payment_status_changes WHERE ${OF_GONE}
    ), methods AS (UPDATE saved_payment_methods SET payment_id = NULL WHERE ${OF_GONE}
    )
    DELETE FROM payments WHERE id = ANY ($1::bigint[])`,
};
