import type { Stripe } from 'stripe';
import { isApiCallError } from '@payment-orchestrator/provider-kit';
import type { ChargeAnswer, CredentialsAnswer } from '@payment-orchestrator/provider-kit';
import { cardOf } from './intent.js';
import { declineDetails, readStripeDecline } from './decline.js';
import { readStripeRefusal } from './refusal.js';

/** A definite answer of Stripe, or of the connection, that the call was not executed. */
export interface StripeRefusal {
  /**
   * `unavailable`: nothing reached Stripe, or Stripe rejected the call before processing it; the same call may succeed
   * later.
   */
  kind: 'unavailable' | 'card' | 'refused';
  /** Safe to show: only codes, none of Stripe's messages, which repeat parameters. */
  reason: string;
  error: Stripe.errors.StripeError;
}

/** Rejected before processing, because of our identity or our rate; 429 with `lock_timeout` too. */
const REJECTED = new Set([401, 403, 429]);
const CONFLICT = 409;

/**
 * Why the call was not executed; `undefined` if unknown: sent without a complete answer, 5xx, 409 (a call under the
 * same key is still under way), an idempotency key used with other parameters, an invalid answer.
 * https://docs.stripe.com/error-low-level
 */
export function readRefusal(thrown: unknown): StripeRefusal | undefined {
  const error = asStripeError(thrown);
  if (!error) return undefined;
  const detail: unknown = error.detail;
  if (isApiCallError(detail)) {
    return detail.sent
      ? undefined
      : { kind: 'unavailable', reason: `Stripe could not be reached: ${detail.message}`, error };
  }
  const { statusCode: status = 0, rawType } = error;
  const reason = `Stripe answered ${[status, error.code, error.decline_code].filter(Boolean).join(' ')}`;
  if (REJECTED.has(status)) return { kind: 'unavailable', reason, error };
  if (status === 402) return { kind: rawType === 'invalid_request_error' ? 'refused' : 'card', reason, error };
  const isDefinite = (status === 400 || status === 404) && rawType !== 'idempotency_error';
  return isDefinite ? { kind: 'refused', reason, error } : undefined;
}

/**
 * Whether a repeat cannot show the outcome: its 5xx is stored under the idempotency key and returned for a day,
 * regardless of the first call's outcome, or the key was used with other parameters.
 * https://docs.stripe.com/api/idempotent_requests
 */
export function isDeadEnd(thrown: unknown): boolean {
  const error = asStripeError(thrown);
  const isReplayed = error?.headers?.['idempotent-replayed'] === 'true';
  if (error?.statusCode === CONFLICT) return false; // the call under the key is under way: a repeat shows its outcome
  return error?.rawType === 'idempotency_error' || (isReplayed && (error?.statusCode ?? 0) >= 500);
}

/** In these states an intent may have been charged or may still be, so an error with such an intent says nothing. */
const LIVE_STATES = new Set(['succeeded', 'processing', 'requires_action', 'requires_capture']);

/** The answer to a charge after a failed call. Rethrows an error after which the outcome is unknown. */
export function chargeRefusal(thrown: unknown): ChargeAnswer {
  const refusal = readRefusal(thrown);
  if (!refusal) throw thrown;
  const { kind, reason, error } = refusal;
  if (kind === 'unavailable') return { outcome: 'unavailable', reason };
  const intent = error.payment_intent;
  if (intent && LIVE_STATES.has(intent.status)) throw thrown;
  return {
    ...(intent && { transactionId: intent.id }),
    metadata: { reason, ...declineDetails(error) },
    ...cardOf(error.payment_method?.card),
    ...(kind === 'card' ? readStripeDecline(error) : readStripeRefusal(error)),
  };
}

/** The result for a key after a failed call that changes nothing. */
export function credentialsRefusal(thrown: unknown): CredentialsAnswer {
  const error = asStripeError(thrown);
  const refused = (message: string): CredentialsAnswer => ({
    outcome: 'refused',
    errors: [{ field: 'secret_key', message }],
  });
  if (error?.statusCode === 401) return refused('is not a key that Stripe knows, or it was revoked');
  if (error?.statusCode === 403)
    return refused('may not read PaymentIntents: a restricted key must be allowed to read and write them');
  const detail: unknown = error?.detail;
  if (isApiCallError(detail)) return { outcome: 'unknown', reason: `Stripe could not be reached: ${detail.message}` };
  const answered = error?.statusCode === undefined ? 'gave an invalid answer' : `answered ${error.statusCode}`;
  return { outcome: 'unknown', reason: `Stripe ${answered}` };
}

// checked by shape, because the class would load the SDK
const asStripeError = (thrown: unknown): Stripe.errors.StripeError | undefined =>
  thrown instanceof Error && 'rawType' in thrown ? (thrown as Stripe.errors.StripeError) : undefined;
