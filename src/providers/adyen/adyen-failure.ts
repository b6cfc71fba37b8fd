import { ApiCallError } from '../http/api-exchange.js';
import type { CredentialsAnswer } from '../payment-provider.js';
import { UNKNOWN_TOKEN_ERRORS } from './adyen-decline.js';

/** An answer with an error status. */
export class AdyenApiError extends Error {
  /** `errorCode`, `errorType`: as Adyen says them, `''` when it does not. `isTransient`: may be repeated under the same key. */
  constructor(
    readonly status: number,
    readonly errorCode: string,
    errorType: string,
    readonly isTransient: boolean,
  ) {
    super(`Adyen answered ${[status, errorCode, errorType].filter(Boolean).join(' ')}`);
    this.name = 'AdyenApiError';
  }
}

/** A definite answer of Adyen, or of the way there, that the call was not carried out. */
export interface AdyenRefusal {
  /** `away`: nothing reached Adyen, or it turned us away before looking at the call; the same call may succeed later. */
  kind: 'away' | 'refused';
  /** Safe to show: codes alone, none of Adyen's sentences, which repeat fields. */
  reason: string;
  errorCode: string;
}

/** Turned away by who we are or how often we call, before the call is looked at. */
const TURNED_AWAY = new Set([401, 403, 429]);
const NOT_CARRIED_OUT = new Set([400, 404, 422]);
/** "Request already processed or in progress", with 422 or 409: a call under the same key is under way. */
const IN_PROGRESS = '704';
/**
 * Also with status 500: the account is not configured for the payment method, currency or country (905…), or the stored
 * payment method does not exist there (800…).
 */
const NOT_POSSIBLE = /^905(_\d+)?$/;

/**
 * Why the call was not carried out, or `undefined` when that is not known: sent without a whole answer, 5xx, a call under
 * the same key still under way, what Adyen calls transient, an answer that makes no sense.
 * https://docs.adyen.com/development-resources/response-handling, /api-idempotency and /error-codes
 */
export function readRefusal(thrown: unknown): AdyenRefusal | undefined {
  if (thrown instanceof ApiCallError) {
    if (thrown.sent) return undefined;
    return { kind: 'away', reason: `Adyen could not be reached: ${thrown.message}`, errorCode: '' };
  }
  if (!(thrown instanceof AdyenApiError)) return undefined;
  const { status, errorCode, isTransient, message: reason } = thrown;
  if (TURNED_AWAY.has(status)) return { kind: 'away', reason, errorCode };
  if (isTransient || errorCode === IN_PROGRESS || errorCode === '') return undefined;
  const isRefused = NOT_CARRIED_OUT.has(status) || NOT_POSSIBLE.test(errorCode) || UNKNOWN_TOKEN_ERRORS.has(errorCode);
  return isRefused ? { kind: 'refused', reason, errorCode } : undefined;
}

/** "Invalid Merchant Account". */
const INVALID_ACCOUNT = '901';

/** What a call that changes nothing says of the credentials it was made with. */
export function credentialsRefusal(thrown: unknown): CredentialsAnswer {
  const refused = (field: string, message: string): CredentialsAnswer => ({
    outcome: 'refused',
    errors: [{ field, message }],
  });
  if (thrown instanceof ApiCallError) {
    return { outcome: 'unknown', reason: `Adyen was not reached: ${thrown.message}` };
  }
  if (!(thrown instanceof AdyenApiError)) {
    return { outcome: 'unknown', reason: 'Adyen gave an answer that makes no sense' };
  }
  const { status, errorCode, message: reason } = thrown;
  if (status === 401) return refused('api_key', 'is not a key that Adyen knows in this environment');
  if (errorCode === INVALID_ACCOUNT) {
    return refused('merchant_account', 'is not a merchant account of Adyen that the API key may use');
  }
  if (status === 403) return refused('api_key', 'lacks the role for the Checkout API');
  return { outcome: 'unknown', reason };
}
