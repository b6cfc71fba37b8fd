// Compares our payments with the provider's transactions. Used by the chaos run, the kill test and the model-based
// test. Based on the documentation of the API, not on the product's code.

import {
  brokenAmounts,
  type HeldTransaction,
  isKept,
  moneyDisagreements,
  type OurPayment,
  type OurRefund,
} from './money.js';
import type { Violations } from './violations.js';
import { HAS_WORK, IS_TRIED } from '../operation-work.js';

export interface OurOperation {
  payment_id: number;
  attempt: number;
  kind: 'charge' | 'capture' | 'void' | 'refund';
  cause: string;
  state: string;
  tries: number;
  /** No more tries are planned, although it is not final. */
  is_stopped: boolean;
  /** It has a row of `due_work`, which an open one needs so that it is not forgotten. */
  has_work: boolean;
}

export interface Ledgers {
  payments: readonly OurPayment[];
  refunds: readonly OurRefund[];
  operations: readonly OurOperation[];
  transactions: readonly HeldTransaction[];
}

interface Disagreement {
  /** The kind of disagreement. */
  kind: string;
  paymentId: number;
  /** Both sides, in one line. */
  text: string;
}

export interface LedgerVerdict {
  payments: number;
  operations: number;
  /** Operations that were completed by a process other than their first caller. */
  recovered: number;
  disagreements: Disagreement[];
}

/** Sends a statement to our database. */
export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Reads both sides; `paymentIds`: only these. */
export async function readLedgers(query: Query, paymentIds?: readonly number[]): Promise<Ledgers> {
  const which = (column: string) => `($1::bigint[] IS NULL OR ${column} = ANY ($1))`;
  const values = [paymentIds ?? null];
  return {
    payments: await query<OurPayment>(
      `SELECT id, status, amount::text, currency, amount_authorized::text, amount_captured::text, amount_refunded::text,
         (SELECT reference FROM payment_attempts a WHERE a.payment_id = payments.id AND a.number = payments.attempt)
       FROM payments WHERE ${which('id')} ORDER BY id`,
      values,
    ),
    refunds: await query<OurRefund>(
      `SELECT id, payment_id, amount::text, status, origin FROM refunds WHERE ${which('payment_id')} ORDER BY payment_id, id`,
      values,
    ),
    operations: await query<OurOperation>(
      `SELECT payment_id, coalesce(attempt, charge_attempt, earlier_attempt)::int AS attempt, kind, cause, state, tries, NOT ${IS_TRIED} AS is_stopped,
         ${HAS_WORK} AS has_work
       FROM provider_operations o WHERE ${which('payment_id')} ORDER BY payment_id, id`,
      values,
    ),
    transactions: await query<HeldTransaction>(TRANSACTIONS.replace('$which', which('t.payment_id')), values),
  };
}

/** Transactions with the status and the sums that they will soon get by themselves. */
const TRANSACTIONS = `
  SELECT t.reference, t.payment_id, t.shop_id, t.will_be AS status, t.amount::text, t.currency,
    (CASE WHEN t.will_be IN ('captured', 'refunded') THEN t.taken ELSE 0 END)::text AS captured,
    (CASE t.will_be WHEN 'refunded' THEN t.taken
      WHEN 'captured' THEN (SELECT coalesce(sum(r.amount), 0) FROM sandbox_refunds r
        WHERE r.reference = t.reference AND r.fails_at IS NULL)
      ELSE 0 END)::text AS refunded
  FROM (
    SELECT *, coalesce(captured, amount) AS taken, CASE
      WHEN settles_as IS NOT NULL AND fails IS DISTINCT FROM 'capture' THEN settles_as
      WHEN status = 'open' AND authorized_at IS NOT NULL AND capture_before <= clock_timestamp() THEN 'voided'
      WHEN status = 'open' AND authorized_at IS NOT NULL THEN 'authorized'
      ELSE status END AS will_be
    FROM sandbox_transactions
  ) t WHERE $which ORDER BY t.payment_id, t.id`;

/** States that are not final. */
const UNSETTLED = ['open', 'pending', 'unknown'];

/** Whether nothing more will happen, so that the two sides must agree. */
export const isDrained = ({ payments, refunds, operations, transactions }: Ledgers): boolean =>
  payments.every(({ status }) => status !== 'pending' && status !== 'processing') &&
  refunds.every(({ status }) => status !== 'pending') &&
  operations.every(({ state, is_stopped: isStopped }) => !UNSETTLED.includes(state) || isStopped) &&
  !transactions.some(isUnfinished);

/** An authorisation holds money of the payer until it is captured or voided. */
const isUnfinished = ({ status }: HeldTransaction): boolean => status === 'open' || status === 'authorized';

/**
 * Compares both sides after the drain. `completed`: exactly the captured and refunded amounts are those of the charge of
 * the payment's attempt. `failed`, `cancelled`: no money is held. `refunded`: all of the captured amount was given back,
 * and no refund is pending. Over all shops at most one charge is captured. Nothing is open, and no money is held for an
 * unknown payment.
 */
export function compareLedgers({ payments, refunds, operations, transactions }: Ledgers): LedgerVerdict {
  const returned = groupByPayment(refunds);
  const held = groupByPayment(transactions);
  const asked = groupByPayment(operations);
  const known = new Set(payments.map(({ id }) => id));
  return {
    payments: payments.length,
    operations: operations.length,
    recovered: operations.filter(isRecovered).length,
    disagreements: [
      ...payments.flatMap((payment) =>
        disagreementsOn(payment, {
          refunds: returned.get(payment.id) ?? [],
          transactions: held.get(payment.id) ?? [],
          operations: asked.get(payment.id) ?? [],
        }),
      ),
      ...transactions.filter((one) => !known.has(one.payment_id) && isKept(one)).map(unknownPayment),
    ],
  };
}

/** Runs `compareLedgers` and adds the disagreements to the violations of a chaos run. */
export function checkLedgers(ledgers: Ledgers, violations: Violations): LedgerVerdict {
  const verdict = compareLedgers(ledgers);
  for (const { kind, text } of verdict.disagreements) violations.add(kind, text);
  return verdict;
}

/**
 * Causes whose operations are recorded by the process that then calls the provider; only recovery calls the provider
 * for all others.
 */
const CALLED_AT_ONCE = ['payment', 'capture_requested', 'cancel_requested', 'refund_requested'];

const isRecovered = ({ cause, state, tries }: OurOperation): boolean =>
  !UNSETTLED.includes(state) && tries > (CALLED_AT_ONCE.includes(cause) ? 1 : 0);

/** The records of both sides about one payment. */
type Known = Omit<Ledgers, 'payments'>;

function disagreementsOn(payment: OurPayment, known: Known): Disagreement[] {
  const { refunds, operations, transactions } = known;
  const kinds = [
    ...brokenAmounts(payment, refunds),
    ...moneyDisagreements(payment, transactions),
    ...(transactions.filter(isKept).length > 1 ? ['charged twice'] : []),
    ...(refunds.some(({ status }) => status === 'pending') ? ['refund pending after drain'] : []),
    ...(operations.some(({ state }) => UNSETTLED.includes(state)) ? ['operation open after drain'] : []),
    ...(operations.some((row) => UNSETTLED.includes(row.state) !== row.has_work) ? ['operation with wrong work'] : []),
    ...(transactions.some(isUnfinished) ? ['transaction open after drain'] : []),
  ];
  return kinds.map((kind) => ({ kind, paymentId: payment.id, text: describe(payment, known) }));
}

const unknownPayment = (transaction: HeldTransaction): Disagreement => ({
  kind: 'money for an unknown payment',
  paymentId: transaction.payment_id,
  text: describeHeld(transaction),
});

function describe(payment: OurPayment, { refunds, operations, transactions }: Known): string {
  const { id, status, amount, currency } = payment;
  const amounts = `authorized ${payment.amount_authorized}, captured ${payment.amount_captured}, refunded ${payment.amount_refunded}`;
  const ours = operations.map(
    ({ attempt, kind, cause, state, tries, is_stopped: isStopped }) =>
      `${kind} of attempt ${attempt} (${cause}) ${state}${isStopped ? '' : ', due'} after ${tries} tries`,
  );
  const returned = refunds.map((refund) => `${refund.amount} ${refund.status} (${refund.origin})`);
  return [
    `payment ${id} is ${status}, ${amount} ${currency}: ${amounts}`,
    `refunds: ${returned.join('; ') || 'none'}`,
    `held: ${transactions.map(describeHeld).join('; ') || 'nothing'}`,
    `operations: ${ours.join('; ') || 'none'}`,
  ].join('\n');
}

const describeHeld = ({ reference, shop_id: shopId, status, currency, captured, refunded }: HeldTransaction): string =>
  `${status}, ${captured} captured and ${refunded} refunded ${currency} by shop ${shopId} under ${reference}`;

function groupByPayment<Row extends { payment_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(row.payment_id, [...(groups.get(row.payment_id) ?? []), row]);
  return groups;
}
