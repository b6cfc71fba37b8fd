import type { Statement, Transaction } from '../../platform/database/database.js';
import { storedReport } from './dispute.js';
import { ATTEMPT_OF, IS_OPEN, NEXT_TRY_AT } from './operation.queries.js';
import type { PaymentRow } from '../money/state/payment.js';
import { factOf } from '../money/state/call-fact.js';
import type { Fact } from '../money/state/fact.js';
import type { ReportedEvent } from '../money/state/notification.js';
import type {
  MoneyAttempt,
  MoneyDispute,
  MoneyOperation,
  MoneyRefund,
  MoneyState,
  OtherRefunds,
  WaitingFact,
} from '../money/state/state.js';
import { WAITING_MS } from './notification.queries.js';

const rows = (columns: string, from: string, order: string): string =>
  `(SELECT coalesce(json_agg(r ORDER BY ${order}), '[]') FROM (SELECT ${columns} FROM ${from}) r)`;

const ORDER_OF_STATUSES = `array_position(ARRAY['processing', 'authorized', 'completed', 'failed', 'cancelled'], r.status)`;

/** The transaction ids that the payment may get. */
const NAMED = `ARRAY(SELECT $2::text WHERE $2 IS NOT NULL UNION ALL SELECT w.provider_transaction_id FROM provider_notifications w
        WHERE w.payment_id = $1 AND w.outcome = 'waiting' AND w.provider_transaction_id IS NOT NULL)`;
const SHOP = '(SELECT shop_id FROM payments WHERE id = $1)';

/** Notifications that the decision tries again. */
const WAITING = `(n.payment_id = $1 AND (n.outcome = 'waiting' OR (n.outcome = 'alarm' AND n.reason = 'other_refund')))
          OR (n.payment_id IS NULL AND n.outcome = 'waiting' AND n.provider_transaction_id = ANY (${NAMED})
            AND n.shop_id = ${SHOP})`;

/**
 * Whether the refund `r` may be the one that the report `n` is about: it has the provider's id, or none and the reported amount. A
 * report without an id may repeat any refund of its amount.
 */
const MAY_BE_REPORTED = `CASE WHEN n.id IS NULL THEN r.amount = n.amount
            WHEN r.provider_refund_id IS NULL THEN r.status = 'succeeded' AND coalesce(r.amount = n.amount, true)
            ELSE r.provider_refund_id = n.id END`;

/**
 * All that decides about the money of the payment $1, which is locked in the transaction: a statement that waits for the lock
 * would read rows as they were before it. $2 a transaction id that the payment may get, or null; waiting notifications may name
 * others. $3 the operation that the fact is about, or null; $4 whether it is a report of a refund, with $5 the provider's id and
 * $6 the amount, or null. A payment may have hundreds of refunds: of those that have ended, only the ones that a report may be
 * about are read as rows.
 */
const LOAD_MONEY: Statement = {
  name: 'payments.load_money',
  text: `WITH waiting AS MATERIALIZED (
      SELECT n.* FROM provider_notifications n WHERE ${WAITING}
    ), reported AS MATERIALIZED (
      SELECT id, amount::numeric FROM (
        SELECT $5::text AS id, $6::text AS amount WHERE $4
        UNION ALL
        SELECT operation_id, amount FROM waiting WHERE status IN ('refunded', 'refund_pending', 'refund_failed')
      ) named
    ), of_payment AS MATERIALIZED (
      SELECT r.*, r.status = 'pending'
        OR r.id = ANY (ARRAY(SELECT o.refund_id FROM provider_operations o
          WHERE o.payment_id = $1 AND o.refund_id IS NOT NULL AND (o.${IS_OPEN} OR o.id = $3)))
        OR EXISTS (SELECT FROM reported n WHERE ${MAY_BE_REPORTED}) AS is_read
      FROM refunds r WHERE r.payment_id = $1
    ) SELECT
      ${rows(
        'number, provider, reference, provider_transaction_id, outcome, decline_code, started_at',
        'payment_attempts WHERE payment_id = $1',
        'r.number',
      )} AS attempts,
      ${rows(
        `id, ${ATTEMPT_OF} AS attempt, kind, cause, state, amount::text, currency, refund_id, provider_operation_id,
          idempotency_key, key_calls, reason, ${NEXT_TRY_AT} IS NOT NULL AS is_tried`,
        `provider_operations o WHERE o.payment_id = $1
          AND (o.refund_id IS NULL OR o.${IS_OPEN} OR o.id = $3 OR o.refund_id = ANY (ARRAY(SELECT id FROM of_payment WHERE is_read)))`,
        'r.id',
      )} AS operations,
      ${rows(
        'id, attempt, amount::text, currency, status, origin, provider_refund_id, failure_code',
        'of_payment WHERE is_read',
        'r.id',
      )} AS refunds,
      (SELECT json_build_object('count', count(*), 'sum', coalesce(sum(amount) FILTER (WHERE status <> 'failed'), 0)::text)
        FROM of_payment WHERE NOT is_read) AS other_refunds,
      ${rows(
        `id, attempt, provider_dispute_id, kind, status, amount::text, currency, reason_code, network_reason_code,
          evidence_due_by, opened_at, reported_at`,
        'disputes WHERE payment_id = $1',
        'r.id',
      )} AS disputes,
      ${rows(
        `id, attempt, outcome, payment_id IS NULL AS is_early, provider, provider_transaction_id AS "transactionId", reference, status,
          amount::text, currency, decline_code AS "declineCode", operation_id AS "operationId", dispute, data,
          received_at AS "receivedAt"`,
        'waiting',
        `${ORDER_OF_STATUSES} NULLS LAST, r.id`,
      )} AS waiting,
      ARRAY(SELECT operation_id FROM provider_notifications
        WHERE payment_id = $1 AND status = 'refund_failed' AND operation_id IS NOT NULL AND outcome <> 'conflict') AS failed_refunds,
      ARRAY(SELECT p.provider_transaction_id FROM payments p
        WHERE p.shop_id = ${SHOP} AND p.provider_transaction_id = ANY (${NAMED}) AND p.id <> $1) AS taken_ids`,
};

type Json<Row> = {
  [Field in keyof Row]: Row[Field] extends Date ? string : Row[Field] extends Date | null ? string | null : Row[Field];
};

/** A notification that waits, or may; `attempt` of an early one: `null`. */
interface WaitingRow extends Json<Omit<ReportedEvent, 'captureBefore' | 'dispute'>> {
  id: number;
  attempt: number | null;
  outcome: 'waiting' | 'alarm';
  is_early: boolean;
  dispute: unknown;
}

interface Loaded {
  attempts: Json<MoneyAttempt>[];
  operations: MoneyOperation[];
  refunds: MoneyRefund[];
  other_refunds: OtherRefunds;
  disputes: Json<MoneyDispute>[];
  waiting: WaitingRow[];
  failed_refunds: string[];
  taken_ids: string[];
}

/** The state of a payment that is locked in the transaction. `fact`: the one to be decided, besides those that wait. */
export async function loadMoney(
  transaction: Transaction,
  payment: PaymentRow,
  now: Date,
  fact?: Fact,
): Promise<MoneyState> {
  const operation = fact && 'operation' in fact ? fact.operation : null;
  const report = fact?.about === 'refund' ? fact.event : undefined;
  const reported = [report !== undefined, report?.operationId ?? null, report?.amount ?? null];
  const values = [payment.id, transactionIdIn(fact), operation, ...reported];
  const [row] = await transaction.query<Loaded>(LOAD_MONEY, values);
  const { attempts, operations, refunds, disputes, waiting } = row!;
  return {
    payment,
    attempts: attempts.map((each) => ({ ...each, started_at: new Date(each.started_at) })),
    operations,
    refunds,
    otherRefunds: row!.other_refunds,
    disputes: disputes.map(disputeOf),
    waiting: waiting.map((each) => waitingOf(each, payment, now)),
    failedRefunds: row!.failed_refunds,
    takenIds: row!.taken_ids,
    alarms: [],
  };
}

/** The transaction id that a fact names. */
function transactionIdIn(fact: Fact | undefined): string | null {
  if (fact?.about === 'settlement') return fact.providerId ?? null;
  const charge = fact?.about === 'charge' ? fact : fact?.about === 'operation' ? fact.charge : undefined;
  return charge?.transactionId ?? null;
}

const disputeOf = (row: Json<MoneyDispute>): MoneyDispute => ({
  ...row,
  evidence_due_by: row.evidence_due_by === null ? null : new Date(row.evidence_due_by),
  opened_at: new Date(row.opened_at),
  reported_at: new Date(row.reported_at),
});

function waitingOf(
  { id, attempt, outcome, is_early: isEarly, ...row }: WaitingRow,
  payment: PaymentRow,
  now: Date,
): WaitingFact {
  const dispute = row.dispute === null ? null : storedReport(row.dispute);
  const event: ReportedEvent = { ...row, dispute, receivedAt: new Date(row.receivedAt) };
  return {
    id,
    fact: factOf(event, attempt ?? payment.attempt, payment.capture),
    isTimedOut: event.receivedAt.getTime() + WAITING_MS < now.getTime(),
    ...(isEarly
      ? { state: 'early', transactionId: row.transactionId! }
      : { state: outcome === 'alarm' ? 'parked' : 'waits' }),
  };
}
