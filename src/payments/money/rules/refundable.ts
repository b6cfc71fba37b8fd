import { subtractAmounts, toJsonAmount } from '../../../shared/money.js';
import { invalidField, Problem } from '../../../shared/problem.js';
import type { PaymentRow } from '../state/payment.js';

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
