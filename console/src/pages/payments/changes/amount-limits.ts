import type { Schema } from '@payment-orchestrator/client';
import { amountProblem, difference } from '../../../ui/amount';
import { amountLeft } from '../actions';

type Payment = Schema<'Payment'>;

/** Why the text is no amount to capture, in the API's words; `undefined`: it is one. */
export function captureProblem(text: string, { currency, amount_authorized: authorized }: Payment): string | undefined {
  const problem = amountProblem(text, currency);
  if (problem !== undefined) return problem;
  return Number(text) > authorized ? `must be at most the authorised ${authorized}` : undefined;
}

/** Whether the amount would exceed what was captured together with refunds and disputes. */
export const isDisputed = (text: string, payment: Payment): boolean =>
  payment.disputed_amount > 0 &&
  Number(text) > difference(amountLeft(payment), payment.disputed_amount, payment.currency);

/** Why the text is no amount to refund, in the API's words; `undefined`: it is one. */
export function refundProblem(text: string, payment: Payment): string | undefined {
  const { id, currency, amount_captured: captured, amount_refunded: refunded } = payment;
  const problem = amountProblem(text, currency);
  if (problem !== undefined) return problem;
  const left = amountLeft(payment);
  if (Number(text) <= left) return undefined;
  const amounts = `${captured} captured, ${refunded} refunded, ${left} ${currency} left`;
  return `${Number(text)} ${currency} of payment ${id} cannot be refunded: ${amounts}`;
}
