// Ledger agreement: what our payments say, beside what the provider holds. The same for the chaos run, the kill test and the
// model-based test. Written from the words of the API and not with the product's code.

import type { Violations } from './violations.js';

/** A payment as we have it. Amounts are decimal text. */
interface OurPayment {
  id: number;
  status: string;
  amount: string;
  currency: string;
}

export interface OurOperation {
  payment_id: number;
  attempt: number;
  kind: 'charge' | 'void' | 'refund';
  cause: string;
  state: string;
  tries: number;
  /** Nobody tries it any more, and it is not settled. */
  is_stopped: boolean;
}

/** What the provider holds of an attempt, whichever shop made it. */
export interface HeldTransaction {
  reference: string;
  payment_id: number;
  shop_id: number;
  status: string;
  amount: string;
  currency: string;
}

export interface Ledgers {
  payments: readonly OurPayment[];
  operations: readonly OurOperation[];
  transactions: readonly HeldTransaction[];
}

interface Disagreement {
  /** What must not be. */
  kind: string;
  paymentId: number;
  /** Both sides, in a line. */
  text: string;
}

export interface LedgerVerdict {
  payments: number;
  operations: number;
  /** Operations that somebody other than their first caller brought to their end. */
  recovered: number;
  disagreements: Disagreement[];
}

type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Reads both sides; `paymentIds`: of these alone. */
export async function readLedgers(query: Query, paymentIds?: readonly number[]): Promise<Ledgers> {
  const which = (column: string) => `($1::bigint[] IS NULL OR ${column} = ANY ($1))`;
  const values = [paymentIds ?? null];
  return {
    payments: await query<OurPayment>(
      `SELECT id, status, amount::text AS amount, currency FROM payments WHERE ${which('id')} ORDER BY id`,
      values,
    ),
    operations: await query<OurOperation>(
      `SELECT payment_id, coalesce(attempt, charge_attempt)::int AS attempt, kind, cause, state, tries, next_try_at IS NULL AS is_stopped
       FROM provider_operations WHERE ${which('payment_id')} ORDER BY payment_id, id`,
      values,
    ),
    // what is due to become another status by itself is not at rest: as it will be
    transactions: await query<HeldTransaction>(
      `SELECT reference, payment_id, shop_id, coalesce(settles_as, status) AS status, amount::text AS amount, currency
       FROM sandbox_transactions WHERE ${which('payment_id')} ORDER BY payment_id, id`,
      values,
    ),
  };
}

/** Statuses in which no payment may rest, with their operations done. */
const UNSETTLED = ['open', 'pending', 'unknown'];

/** Whether nothing goes on any more: then the two sides must agree. */
export const isAtRest = ({ payments, operations, transactions }: Ledgers): boolean =>
  payments.every(({ status }) => status !== 'pending' && status !== 'processing') &&
  operations.every(({ state, is_stopped: isStopped }) => !UNSETTLED.includes(state) || isStopped) &&
  transactions.every(({ status }) => status !== 'open');

/**
 * Compares both sides at rest. `completed`: exactly this amount and currency is captured. `failed`, `cancelled`: nothing is
 * held. `refunded`: it was taken and given back in full. Over all shops together at most one charge is kept. Nothing is
 * open, and no money is held for a payment that there is not.
 */
export function compareLedgers({ payments, operations, transactions }: Ledgers): LedgerVerdict {
  const held = groupByPayment(transactions);
  const asked = groupByPayment(operations);
  const known = new Set(payments.map(({ id }) => id));
  return {
    payments: payments.length,
    operations: operations.length,
    recovered: operations.filter(isRecovered).length,
    disagreements: [
      ...payments.flatMap((payment) =>
        disagreementsOn(payment, held.get(payment.id) ?? [], asked.get(payment.id) ?? []),
      ),
      ...transactions.filter((one) => !known.has(one.payment_id) && isKept(one)).map(ofNobody),
    ],
  };
}

/** `compareLedgers` among the violations of a chaos run. */
export function checkLedgers(ledgers: Ledgers, violations: Violations): LedgerVerdict {
  const verdict = compareLedgers(ledgers);
  for (const { kind, text } of verdict.disagreements) violations.add(kind, text);
  return verdict;
}

/** Put on record by whoever then makes the call; all others are called by recovery alone. */
const CALLED_AT_ONCE = ['payment', 'cancel_requested', 'refund_requested'];

const isRecovered = ({ cause, state, tries }: OurOperation): boolean =>
  !UNSETTLED.includes(state) && tries > (CALLED_AT_ONCE.includes(cause) ? 1 : 0);

function disagreementsOn(
  payment: OurPayment,
  transactions: readonly HeldTransaction[],
  operations: readonly OurOperation[],
): Disagreement[] {
  const kinds = [
    ...statusDisagreements(payment, transactions),
    ...(isMoneyHeldTwice(transactions) ? ['charged twice'] : []),
    ...(operations.some(({ state }) => UNSETTLED.includes(state)) ? ['operation open at rest'] : []),
    ...(transactions.some(({ status }) => status === 'open') ? ['transaction open at rest'] : []),
  ];
  return kinds.map((kind) => ({
    kind,
    paymentId: payment.id,
    text: describe(payment, transactions, operations),
  }));
}

function statusDisagreements(payment: OurPayment, transactions: readonly HeldTransaction[]): string[] {
  const kept = transactions.filter(isKept);
  switch (payment.status) {
    case 'completed':
      if (kept.length === 0) return ['completed, but nothing is held'];
      return kept.some((one) => isOf(payment, one)) ? [] : ['completed, but another amount is held'];
    case 'failed':
    case 'cancelled':
      return kept.length > 0 ? [`${payment.status}, but money is held`] : [];
    case 'refunded': {
      const isGivenBack = transactions.some((one) => one.status === 'refunded' && isOf(payment, one));
      if (kept.length > 0) return ['refunded, but money is held'];
      return isGivenBack ? [] : ['refunded, but never taken'];
    }
    default:
      return ['payment not at rest'];
  }
}

/** Of one payment's transactions. */
const isMoneyHeldTwice = (transactions: readonly HeldTransaction[]): boolean => transactions.filter(isKept).length > 1;

const isKept = ({ status }: HeldTransaction): boolean => status === 'captured';

const isOf = (payment: OurPayment, { amount, currency }: HeldTransaction): boolean =>
  currency === payment.currency && normal(amount) === normal(payment.amount);

/** `49.9000` and `49.90` are one amount; digits are compared, not doubles. */
const normal = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

const ofNobody = (transaction: HeldTransaction): Disagreement => ({
  kind: 'money of a payment that there is not',
  paymentId: transaction.payment_id,
  text: describeHeld(transaction),
});

function describe(
  { id, status, amount, currency }: OurPayment,
  transactions: readonly HeldTransaction[],
  operations: readonly OurOperation[],
): string {
  const ours = operations.map(
    ({ attempt, kind, cause, state, tries, is_stopped: isStopped }) =>
      `${kind} of attempt ${attempt} (${cause}) ${state}${isStopped ? '' : ', due'} after ${tries} tries`,
  );
  return [
    `payment ${id} is ${status}, ${amount} ${currency}`,
    `held: ${transactions.map(describeHeld).join('; ') || 'nothing'}`,
    `operations: ${ours.join('; ') || 'none'}`,
  ].join('\n');
}

const describeHeld = ({ reference, shop_id: shopId, status, amount, currency }: HeldTransaction): string =>
  `${status} ${amount} ${currency} by shop ${shopId} under ${reference}`;

function groupByPayment<Row extends { payment_id: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) groups.set(row.payment_id, [...(groups.get(row.payment_id) ?? []), row]);
  return groups;
}
