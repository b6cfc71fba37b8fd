import type { Stripe } from 'stripe';
import type { OperationAnswer, OperationRequest } from '@payment-orchestrator/provider-kit';
import { toStripeAmount } from './amount.js';
import { readRefusal } from './failure.js';
import { stateOf } from './intent.js';
import { createPlaceholder, retrieveIntent, searchIntent } from './intents.js';

/**
 * Cancels the intent of a charge. If Stripe's search does not find it, the charge's key is used up, so that no later
 * charge can succeed. Throws Stripe's error for other refusals.
 */
export async function voidIntent(stripe: Stripe, request: OperationRequest): Promise<OperationAnswer> {
  const id = request.transactionId ?? (await findOrBlockCharge(stripe, request));
  return id === null ? { outcome: 'confirmed' } : cancel(stripe, id, request.idempotencyKey);
}

/** The id of the intent to cancel. `null`: there is none, because neither we nor Stripe accept such an amount. */
async function findOrBlockCharge(stripe: Stripe, request: OperationRequest): Promise<string | null> {
  const amount = toStripeAmount(request.amount, request.currency);
  if ('refusal' in amount) return null;
  const found = await searchIntent(stripe, request.reference);
  if (found) return found.id;
  try {
    return (await createPlaceholder(stripe, request, amount.minor)).id;
  } catch (thrown) {
    const refusal = readRefusal(thrown);
    if (refusal?.kind === 'refused' && ['amount', 'currency'].includes(refusal.error.param ?? '')) return null;
    throw thrown;
  }
}

async function cancel(stripe: Stripe, id: string, idempotencyKey: string): Promise<OperationAnswer> {
  try {
    const { status } = await stripe.paymentIntents.cancel(id, {}, { idempotencyKey });
    if (status === 'canceled') return { outcome: 'confirmed' };
    throw new Error(`Stripe returned ${id} with the status ${status} after its cancellation`);
  } catch (thrown) {
    if (readRefusal(thrown)?.error.code !== 'payment_intent_unexpected_state') throw thrown;
    // read again, because a repeat gets the first refusal with its old state
    const intent = await retrieveIntent(stripe, id);
    if (intent.status === 'canceled') return { outcome: 'confirmed' };
    const reason = `the payment is ${intent.status} at Stripe`;
    return { outcome: 'refused', reason, retryable: intent.status !== 'succeeded', charge: stateOf(intent) };
  }
}
