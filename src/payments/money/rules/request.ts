import { subtractAmounts, toJsonAmount } from '../../../shared/money.js';
import { invalidField, Problem } from '../../../shared/problem.js';
import type { PaymentRow } from '../state/payment.js';
import { changeStatus } from './change.js';
import type { Draft } from '../state/draft.js';
import type { RequestFact } from '../state/fact.js';
import { isOpen } from '../state/operation.js';
import type { PaymentStatus } from '../state/payment-state.js';
import { isRefundOfPayment } from '../state/refund.js';
import { captureOf, isAuthorized, type MoneyOperation } from '../state/state.js';

/** The work of the caller after the commit: calls of the provider for these operations. `refund`: the one that was recorded. */
export interface Granted {
  calls: MoneyOperation[];
  refund?: number;
}

const NOTHING: Granted = { calls: [] };

/** Decides what a client may do to a payment now, and records it. Throws the `Problem` of a refusal. */
export function decideRequest(draft: Draft, fact: RequestFact): Granted {
  switch (fact.what) {
    case 'cancel':
      return cancel(draft, fact.by);
    case 'capture':
      return capture(draft, fact);
    case 'refund':
      return refund(draft, fact);
    case 'repeat_refund':
      return { ...callAgain(draft, ({ refund_id: id }) => id === fact.refund), refund: fact.refund };
  }
}

/**
 * A pending payment is cancelled at once, and its void is tried until the provider confirms it. A payment in processing is
 * cancelled only when the provider confirms, and not while it is captured. The void under way keeps its key.
 */
function cancel(draft: Draft, requestedBy: string | undefined): Granted {
  const { id, status, attempt } = draft.state.payment;
  if (status === 'cancelled') return NOTHING;
  if (status !== 'pending' && status !== 'processing') throw illegalChange(draft.state.payment, 'cancelled');
  if (captureOf(draft.state.operations, attempt)) {
    const detail = `payment ${id} is being captured and cannot become cancelled`;
    throw new Problem('illegal_status_change', { detail });
  }
  if (status === 'pending') changeStatus(draft, { to: 'cancelled', cause: 'cancel_requested', onlyFrom: 'pending' });
  const voided = draft.open({ attempt, kind: 'void', cause: 'cancel_requested', requestedBy, isCalledNow: true });
  return isOpen(voided) ? { calls: [voided] } : NOTHING;
}

export const illegalChange = ({ id, status }: PaymentRow, to: PaymentStatus): Problem =>
  new Problem('illegal_status_change', { detail: `payment ${id} is ${status} and cannot become ${to}` });

/** The new capture, or the one under way or done, which keeps its key and amount. */
function capture(draft: Draft, { amount: asked, canCaptureParts, by }: RequestFact & { what: 'capture' }): Granted {
  const { payment, operations } = draft.state;
  const { id, attempt, status, amount_authorized: held } = payment;
  const amount = asked ?? held;
  const earlier = captureOf(operations, attempt);
  if (earlier) requireSameAmount(payment, earlier, amount);
  else if (!isAuthorized(payment)) throw refusal(`payment ${id} is ${status} and has nothing to capture`);
  else if (draft.of(attempt, 'void').some(isOpen)) throw refusal(`payment ${id} is being cancelled`);
  else if (asked !== undefined) requireCapturable(payment, asked, canCaptureParts);
  if (earlier?.state === 'confirmed') return NOTHING;
  const [cause, requestedBy] = ['capture_requested', by] as const;
  return { calls: [draft.open({ attempt, kind: 'capture', cause, amount, requestedBy, isCalledNow: true })] };
}

const refusal = (detail: string): Problem => new Problem('illegal_status_change', { detail });

/** Throws `validation_failed` for more than the authorised amount, and for a part that the provider cannot capture. */
function requireCapturable(payment: PaymentRow, amount: string, canCaptureParts: boolean): void {
  const held = Number(payment.amount_authorized);
  if (Number(amount) > held) throw invalidField('amount', `must be at most the authorised ${held}`);
  if (Number(amount) === held || canCaptureParts) return;
  throw invalidField('amount', `must be the authorised ${held}: ${payment.payment_provider} captures no part of it`);
}

function requireSameAmount({ id }: PaymentRow, { amount, currency, state }: MoneyOperation, asked: string): void {
  if (Number(asked) === Number(amount)) return;
  const done = state === 'confirmed' ? 'was captured with' : 'is being captured with';
  throw new Problem('capture_already_made', {
    detail: `payment ${id} ${done} ${Number(amount)} ${currency}; one capture is possible, and it releases the rest`,
  });
}

/** The new refund, or those under way that a request for the rest continues. */
function refund(draft: Draft, { amount: asked, fields, by, ...wanted }: RequestFact & { what: 'refund' }): Granted {
  const { payment } = draft.state;
  const { attempt, status } = payment;
  if (wanted.isRest && status === 'refunded') return NOTHING;
  const left = subtractAmounts(payment.amount_captured, payment.amount_refunded);
  if (wanted.isRest && status === 'completed' && Number(left) <= 0) return callAgain(draft, () => true);
  const amount = asked ?? left;
  const disputed = disputedAmount(draft);
  requireRefundable(payment, { ...wanted, amount, left, isRest: asked === undefined, disputed });
  const id = draft.newId();
  draft.add({
    do: 'create_refund',
    id,
    refund: { ...fields, ...{ amount, attempt, origin: 'api', status: 'pending', requestedBy: by } },
  });
  const [cause, requestedBy] = ['refund_requested', by] as const;
  const operation = draft.openNew({
    ...{ attempt, kind: 'refund', cause, amount, refund_id: id, requestedBy, isCalledNow: true },
  });
  return { calls: [operation], refund: id };
}

/** Counts one more call of the refunds that are under way, which the caller makes. */
function callAgain(draft: Draft, isMeant: (row: MoneyOperation) => boolean): Granted {
  const open = draft.state.operations.filter((row) => isRefundOfPayment(row) && isOpen(row) && isMeant(row));
  for (const { id } of open) draft.add({ do: 'call', operation: id });
  return { calls: open.map(({ id }) => draft.operation(id)!) };
}

/** Money that disputes have taken back or may still take. */
const disputedAmount = ({ state: { disputes, payment } }: Draft): string =>
  disputes
    .filter(({ kind, status, currency }) => kind !== 'inquiry' && status !== 'won' && currency === payment.currency)
    .reduce((sum, { amount }) => subtractAmounts(sum, subtractAmounts('0', amount)), '0');

interface WantedRefund {
  /** Decimal text. */
  amount: string;
  left: string;
  /** Whether the provider can refund a part of a charge. */
  canRefundParts: boolean;
  /** Whether the request has no amount: it wants the remaining amount. */
  isRest: boolean;
  /** Taken back by disputes, or may be: decimal text. */
  disputed: string;
  /** Whether the merchant refunds although the payer may get the money twice. */
  isConfirmed: boolean;
}

/**
 * Throws `illegal_status_change` unless the payment was captured; `refund_exceeds_captured` for more than the remaining amount;
 * `payment_disputed` if disputes and refunds would exceed the captured amount, unless it is confirmed;
 * `validation_failed` for a part that the provider cannot refund, or `provider_unconfirmed` if the rest is such a part.
 */
export function requireRefundable(payment: PaymentRow, wanted: WantedRefund): void {
  const { amount, left, canRefundParts, isRest } = wanted;
  const { id, status, currency, amount_captured: captured, amount_refunded: refunded } = payment;
  if (status !== 'completed' && status !== 'refunded') {
    const detail = `payment ${id} is ${status} and cannot become refunded`;
    throw new Problem('illegal_status_change', { detail });
  }
  if (Number(left) <= 0 || Number(amount) > Number(left)) {
    const [asked, of, gone, rest] = [amount, captured, refunded, left].map((each) => toJsonAmount(each));
    const what = isRest ? 'all' : `${asked} ${currency}`;
    throw new Problem('refund_exceeds_captured', {
      detail: `${what} of payment ${id} cannot be refunded: ${of} captured, ${gone} refunded, ${rest} ${currency} left`,
    });
  }
  requireUndisputed(payment, wanted);
  if (canRefundParts || Number(amount) === Number(captured)) return;
  const message = `the provider refunds in full only: ${toJsonAmount(captured)} ${currency}`;
  throw isRest ? new Problem('provider_unconfirmed', { detail: message }) : invalidField('amount', message);
}

function requireUndisputed({ id, currency }: PaymentRow, { amount, left, disputed, isConfirmed }: WantedRefund): void {
  const isWithin = Number(disputed) <= 0 || Number(amount) <= Number(subtractAmounts(left, disputed));
  if (isConfirmed || isWithin) return;
  const [asked, taken] = [amount, disputed].map((each) => toJsonAmount(each));
  throw new Problem('payment_disputed', {
    detail:
      `disputes of payment ${id} take ${taken} ${currency} back, so the payer may get ${asked} ${currency} twice; ` +
      `to refund it anyway, send confirm: true`,
  });
}
