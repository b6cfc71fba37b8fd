import type { Stripe } from 'stripe';
import { ApiCallError } from '../http/api-exchange.js';
import type { CredentialsAnswer } from '../payment-provider.js';

/** A definite answer of Stripe, or of the way there, that the call was not carried out. */
export interface StripeRefusal {
  /** `away`: nothing reached Stripe, or it turned us away before looking at the call; the same call may succeed later. */
  kind: 'away' | 'card' | 'refused';
  /** Safe to show: codes alone, none of Stripe's sentences, which repeat parameters. */
  reason: string;
  error: Stripe.errors.StripeError;
}

/** Turned away by who we are or how often we call, before the call is looked at. 429 with `lock_timeout` too. */
const TURNED_AWAY = new Set([401, 403, 429]);

/**
 * Why the call was not carried out, or `undefined` when that is not known: sent without a whole answer, 5xx, 409 (a call
 * under the same key is still under way), an idempotency key used with other parameters, an answer that makes no sense.
 * https://docs.stripe.com/error-low-level
 */
export function readRefusal(thrown: unknown): StripeRefusal | undefined {
  const error = asStripeError(thrown);
  if (!error) return undefined;
  const detail: unknown = error.detail;
  if (detail instanceof ApiCallError) {
    return detail.sent ? undefined : { kind: 'away', reason: `Stripe could not be reached: ${detail.message}`, error };
  }
  const { statusCode: status = 0, rawType } = error;
  const reason = `Stripe answered ${[status, error.code, error.decline_code].filter(Boolean).join(' ')}`;
  if (TURNED_AWAY.has(status)) return { kind: 'away', reason, error };
  if (status === 402) return { kind: 'card', reason, error };
  const isDefinite = (status === 400 || status === 404) && rawType !== 'idempotency_error';
  return isDefinite ? { kind: 'refused', reason, error } : undefined;
}

/**
 * Repeating the call will tell nothing: its 5xx is stored under the idempotency key and comes again for a day, whatever came
 * of the first call, or the key was used with other parameters. https://docs.stripe.com/api/idempotent_requests
 */
export function isDeadEnd(thrown: unknown): boolean {
  const error = asStripeError(thrown);
  const isReplayed = error?.headers?.['idempotent-replayed'] === 'true';
  return error?.rawType === 'idempotency_error' || (isReplayed && (error?.statusCode ?? 0) >= 500);
}

/** What a call that changes nothing says of the key it was made with. */
export function credentialsRefusal(thrown: unknown): CredentialsAnswer {
  const error = asStripeError(thrown);
  const refused = (message: string): CredentialsAnswer => ({
    outcome: 'refused',
    errors: [{ field: 'secret_key', message }],
  });
  if (error?.statusCode === 401) return refused('is not a key that Stripe knows, or it was revoked');
  if (error?.statusCode === 403)
    return refused('may not read PaymentIntents: a restricted key needs to read and write them');
  const detail: unknown = error?.detail;
  if (detail instanceof ApiCallError)
    return { outcome: 'unknown', reason: `Stripe was not reached: ${detail.message}` };
  const answered =
    error?.statusCode === undefined ? 'gave an answer that makes no sense' : `answered ${error.statusCode}`;
  return { outcome: 'unknown', reason: `Stripe ${answered}` };
}

// by shape: the class would load the SDK
const asStripeError = (thrown: unknown): Stripe.errors.StripeError | undefined =>
  thrown instanceof Error && 'rawType' in thrown ? (thrown as Stripe.errors.StripeError) : undefined;
