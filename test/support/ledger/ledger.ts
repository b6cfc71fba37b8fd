// Compares our payments with the provider's transactions. Used by the chaos run, the kill test and the model-based
// test. Based on the documentation of the API, not on the product's code.

import type { Violations } from './violations.js';

/** One of our payments. Amounts are decimal text. */
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
  /** No more tries are planned, although it is not final. */
  is_stopped: boolean;
}

/** The provider's transaction of an attempt, at any shop. */
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

type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

/** Reads both sides; `paymentIds`: only these. */
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
    // with the status that a transaction will soon get by itself
    transactions: await query<HeldTransaction>(
      `SELECT reference, payment_id, shop_id, coalesce(settles_as, status) AS status, amount::text AS amount, currency
       FROM sandbox_transactions WHERE ${which('payment_id')} ORDER BY payment_id, id`,
      values,
    ),
  };
}

/** States that are not final. */
const UNSETTLED = ['open', 'pending', 'unknown'];

/** Whether nothing more will happen, so that the two sides must agree. */
export const isDrained = ({ payments, operations, transactions }: Ledgers): boolean =>
  payments.every(({ status }) => status !== 'pending' && status !== 'processing') &&
  operations.every(({ state, is_stopped: isStopped }) => !UNSETTLED.includes(state) || isStopped) &&
  transactions.every(({ status }) => status !== 'open');

/**
 * Compares both sides after the drain. `completed`: exactly this amount and currency is captured. `failed`,
 * `cancelled`: no money is held. `refunded`: the money was captured and fully refunded. Over all shops at most one
 * charge is captured. Nothing is open, and no money is held for an unknown payment.
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
    ...(operations.some(({ state }) => UNSETTLED.includes(state)) ? ['operation open after drain'] : []),
    ...(transactions.some(({ status }) => status === 'open') ? ['transaction open after drain'] : []),
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
      return isGivenBack ? [] : ['refunded, but never captured'];
    }
    default:
      return ['payment not final'];
  }
}

/** For the transactions of one payment. */
const isMoneyHeldTwice = (transactions: readonly HeldTransaction[]): boolean => transactions.filter(isKept).length > 1;

const isKept = ({ status }: HeldTransaction): boolean => status === 'captured';

const isOf = (payment: OurPayment, { amount, currency }: HeldTransaction): boolean =>
  currency === payment.currency && normal(amount) === normal(payment.amount);

/** `49.9000` and `49.90` are equal; compares digits, not doubles. */
const normal = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

const unknownPayment = (transaction: HeldTransaction): Disagreement => ({
  kind: 'money for an unknown payment',
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
