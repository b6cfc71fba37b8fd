import type { Stripe } from 'stripe';
import type { OperationAnswer, RefundRequest } from '../payment-provider.js';
import { readRefusal } from './stripe-failure.js';

/** Longest value that Stripe's metadata take. */
const MAX_REASON = 500;

/**
 * Gives back all that was taken and is not given back yet: without an amount Stripe refunds the rest. The reason goes into
 * the metadata: Stripe's own `reason` takes three words, and `fraudulent` blocks the card.
 */
export async function refundIntent(stripe: Stripe, id: string, request: RefundRequest): Promise<OperationAnswer> {
  const { reference, paymentId, reason, idempotencyKey } = request;
  const metadata = {
    reference,
    payment_id: String(paymentId),
    ...(reason !== undefined && { reason: reason.slice(0, MAX_REASON) }),
  };
  try {
    return answerOfRefund(await stripe.refunds.create({ payment_intent: id, metadata }, { idempotencyKey }));
  } catch (thrown) {
    if (readRefusal(thrown)?.error.code !== 'charge_already_refunded') throw thrown;
    return await answerOfEarlierRefunds(stripe, id);
  }
}

function answerOfRefund({ id, status, failure_reason: why }: Stripe.Refund): OperationAnswer {
  if (status === 'succeeded') return { outcome: 'confirmed' };
  if (status === 'pending' || status === 'requires_action') return { outcome: 'pending', operationId: id };
  if (status === 'failed' || status === 'canceled') {
    return { outcome: 'refused', reason: `the refund ${status} at Stripe (${why ?? 'unknown'})`, retryable: true };
  }
  throw new Error(`Stripe left the refund ${id} in ${status}`);
}

/** Stripe says `charge_already_refunded` of refunds that are still pending, too. */
async function answerOfEarlierRefunds(stripe: Stripe, id: string): Promise<OperationAnswer> {
  const { data } = await stripe.refunds.list({ payment_intent: id, limit: 100 });
  const pending = data.find(({ status }) => status === 'pending' || status === 'requires_action');
  return pending ? { outcome: 'pending', operationId: pending.id } : { outcome: 'confirmed' };
}
