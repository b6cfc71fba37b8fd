import type { Stripe } from 'stripe';
import type { ChargeAnswer, ListedCharge, NextAction, ProviderState } from '../payment-provider.js';
import { fromStripeAmount } from './stripe-amount.js';
import { declineDetails, readStripeDecline } from './stripe-decline.js';

type Intent = Stripe.PaymentIntent;

/** The answer of a PaymentIntent that was created and confirmed at once. Throws for an impossible state. */
export function answerOf(intent: Intent): ChargeAnswer {
  const answer = { transactionId: intent.id, metadata: metadataOf(intent) };
  switch (intent.status) {
    case 'succeeded':
      return { ...answer, outcome: 'approved' };
    case 'processing':
      return { ...answer, outcome: 'processing' };
    case 'requires_action':
      return { ...answer, outcome: 'processing', ...nextActionOf(intent) };
    case 'requires_payment_method':
      return { ...answer, ...readStripeDecline(intent.last_payment_error ?? {}) };
    case 'canceled':
      return { ...answer, outcome: 'declined', declineCode: 'voided' };
    default:
      throw new Error(`Stripe returned ${intent.id} with the unexpected status ${intent.status}`);
  }
}

/** The state of an intent with expanded `latest_charge.refunds`. */
export function stateOf(intent: Intent): Exclude<ProviderState, { status: 'not_found' }> {
  const currency = intent.currency.toUpperCase();
  const isCaptured = intent.status === 'succeeded';
  const minor = isCaptured ? intent.amount_received : intent.amount;
  const amount = fromStripeAmount(minor, currency) ?? String(minor); // a currency that we never send: it completes nothing
  const state = { transactionId: intent.id, amount, currency, metadata: metadataOf(intent) };
  switch (intent.status) {
    case 'succeeded':
      return { ...state, status: isRefunded(intent) ? 'refunded' : 'captured' };
    case 'canceled':
      return { ...state, status: 'voided' };
    case 'requires_payment_method': {
      const error = intent.last_payment_error;
      if (!error) return { ...state, status: 'open' }; // never confirmed: left by an interrupted void
      return { ...state, status: 'declined', declineCode: readStripeDecline(error).declineCode };
    }
    default:
      return { ...state, status: 'open', ...nextActionOf(intent) };
  }
}

/** The list entry of an intent with expanded `latest_charge.refunds`. */
export function listedCharge(intent: Intent): ListedCharge {
  const { status, transactionId, amount, currency } = stateOf(intent);
  const { reference = null, payment_id: paymentId } = intent.metadata;
  const createdAt = new Date(intent.created * 1_000);
  const knownPaymentId = paymentId === undefined ? null : Number(paymentId);
  return { reference, paymentId: knownPaymentId, transactionId, status, amount, currency, createdAt };
}

/** Counts only successful refunds, because `charge.refunded` is true while a refund is still pending. */
function isRefunded(intent: Intent): boolean {
  const charge = intent.latest_charge;
  if (charge === null || typeof charge === 'string') return false;
  return succeededRefunds(intent).reduce((sum, { amount }) => sum + amount, 0) >= charge.amount;
}

/** Newest first, of an intent with expanded `latest_charge.refunds`. */
export function succeededRefunds({ latest_charge: charge }: Intent): Stripe.Refund[] {
  if (charge === null || typeof charge === 'string') return [];
  return (charge.refunds?.data ?? []).filter(({ status }) => status === 'succeeded');
}

/** Only redirects: other actions need Stripe's own script in the payer's browser. */
function nextActionOf(intent: Intent): { nextAction?: NextAction } {
  const url = intent.next_action?.redirect_to_url?.url;
  return url ? { nextAction: { type: 'redirect', url, method: 'GET' } } : {};
}

function metadataOf(intent: Intent): Record<string, unknown> {
  const charge = intent.latest_charge;
  const chargeId = typeof charge === 'string' ? charge : charge?.id;
  const declined = intent.status === 'requires_payment_method' || intent.status === 'canceled';
  return {
    ...(chargeId !== undefined && { charge: chargeId }),
    ...(declined && intent.last_payment_error && declineDetails(intent.last_payment_error)),
  };
}
