import type { Stripe } from 'stripe';
import type { CaptureRequest, OperationAnswer } from '@payment-orchestrator/provider-kit';
import { amountText, toStripeAmount } from './amount.js';
import { isDeadEnd, readRefusal } from './failure.js';

/**
 * Captures once; Stripe releases the rest of the authorisation. After a refusal, and after an error that every repeat
 * would get again, the intent itself says what was captured: it may have been captured at the dashboard, or by a call
 * whose answer was lost. https://docs.stripe.com/api/payment_intents/capture
 */
export async function captureIntent(stripe: Stripe, id: string, request: CaptureRequest): Promise<OperationAnswer> {
  const amount = toStripeAmount(request.amount, request.currency);
  if ('refusal' in amount) return refused(amount.reason);
  const { idempotencyKey } = request;
  try {
    const intent = await stripe.paymentIntents.capture(id, { amount_to_capture: amount.minor }, { idempotencyKey });
    return answerOfCapture(intent, amount.minor);
  } catch (thrown) {
    const refusal = readRefusal(thrown);
    if (refusal?.kind === 'unavailable' || (!refusal && !isDeadEnd(thrown))) throw thrown;
    const intent = await stripe.paymentIntents.retrieve(id);
    if (intent.status !== 'requires_capture') return answerOfCapture(intent, amount.minor);
    if (!refusal) throw thrown;
    // Stripe repeats this refusal for a state that has passed: another key may capture now
    return refused(refusal.reason, refusal.error.code === 'payment_intent_unexpected_state');
  }
}

function answerOfCapture(intent: Stripe.PaymentIntent, minor: number): OperationAnswer {
  const { id, status, amount_received: received, currency, cancellation_reason: why } = intent;
  switch (status) {
    case 'succeeded': {
      if (received === minor) return { outcome: 'confirmed' };
      return refused(`Stripe captured ${amountText(received, currency)} ${currency.toUpperCase()} before`);
    }
    case 'processing':
      return { outcome: 'pending', operationId: id };
    case 'canceled':
      return refused(`the authorisation has ended at Stripe (${why ?? 'canceled'})`);
    case 'requires_capture':
    case 'requires_action':
    case 'requires_confirmation':
    case 'requires_payment_method':
      return refused(`the payment is ${status} at Stripe`, true);
    default:
      throw new Error(`Stripe returned ${id} with an unexpected status after its capture`);
  }
}

const refused = (reason: string, retryable = false): OperationAnswer => ({ outcome: 'refused', reason, retryable });
