import { isApiCallError } from '@payment-orchestrator/provider-kit';
import type { ChargeAnswer, CredentialsAnswer } from '@payment-orchestrator/provider-kit';
import { isNotPossible, readAdyenError } from './error.js';

/** An answer with an error status. */
export class AdyenApiError extends Error {
  /** `errorCode`, `errorType`: Adyen's values, `''` if absent. `isTransient`: may be repeated under the same key. */
  constructor(
    readonly status: number,
    readonly errorCode: string,
    readonly errorType: string,
    readonly isTransient: boolean,
  ) {
    super(`Adyen answered ${[status, errorCode, errorType].filter(Boolean).join(' ')}`);
    this.name = 'AdyenApiError';
  }
}

/** A definite answer of Adyen, or of the connection, that the call was not executed. */
export interface AdyenRefusal {
  /**
   * `unavailable`: nothing reached Adyen, or Adyen rejected the call before processing it; the same call may succeed
   * later.
   */
  kind: 'unavailable' | 'refused';
  /** Safe to show: only codes, none of Adyen's messages, which repeat fields. */
  reason: string;
  errorCode: string;
  errorType: string;
}

/** Rejected before processing, because of our identity or our rate. */
const REJECTED = new Set([401, 403, 429]);
const NO_ERROR = { errorCode: '', errorType: '' };
const NOT_EXECUTED = new Set([400, 404, 422]);
/** "Request already processed or in progress", with 422 or 409: a call under the same key is under way. */
const IN_PROGRESS = '704';
/**
 * Why the call was not executed; `undefined` if unknown: sent without a complete answer, 5xx, a call under the same key
 * still under way, an error that Adyen calls transient, an invalid answer.
 * https://docs.adyen.com/development-resources/response-handling, /api-idempotency and /error-codes
 */
function readRefusal(thrown: unknown): AdyenRefusal | undefined {
  if (isApiCallError(thrown)) {
    if (thrown.sent) return undefined;
    return { kind: 'unavailable', reason: `Adyen could not be reached: ${thrown.message}`, ...NO_ERROR };
  }
  if (!(thrown instanceof AdyenApiError)) return undefined;
  const { status, errorCode, errorType, isTransient, message: reason } = thrown;
  if (REJECTED.has(status)) return { kind: 'unavailable', reason, errorCode, errorType };
  if (isTransient || errorCode === IN_PROGRESS || errorCode === '') return undefined;
  const isRefused = NOT_EXECUTED.has(status) || isNotPossible(errorCode, errorType);
  return isRefused ? { kind: 'refused', reason, errorCode, errorType } : undefined;
}

/** Rethrows an error after which the outcome is unknown. */
export function knownRefusal(thrown: unknown): AdyenRefusal {
  const refusal = readRefusal(thrown);
  if (!refusal) throw thrown;
  return refusal;
}

/** The answer to a charge that failed. Rethrows an error after which the outcome is unknown. */
export function refusedCharge(thrown: unknown): ChargeAnswer {
  const { kind, reason, errorCode, errorType } = knownRefusal(thrown);
  if (kind === 'unavailable') return { outcome: 'unavailable', reason };
  return { ...readAdyenError(errorCode, errorType), metadata: { reason } };
}

/** Whether Adyen definitely did not execute the call because of its content. */
export const isRefused = (thrown: unknown): thrown is AdyenApiError => readRefusal(thrown)?.kind === 'refused';

/** "Invalid Merchant Account". */
const INVALID_ACCOUNT = '901';

/** The result for credentials after a failed call that changes nothing. */
export function credentialsRefusal(thrown: unknown): CredentialsAnswer {
  const refused = (field: string, message: string): CredentialsAnswer => ({
    outcome: 'refused',
    errors: [{ field, message }],
  });
  if (isApiCallError(thrown)) {
    return { outcome: 'unknown', reason: `Adyen could not be reached: ${thrown.message}` };
  }
  if (!(thrown instanceof AdyenApiError)) {
    return { outcome: 'unknown', reason: 'Adyen gave an invalid answer' };
  }
  const { status, errorCode, message: reason } = thrown;
  if (status === 401) return refused('api_key', 'is not a key that Adyen knows in this environment');
  if (errorCode === INVALID_ACCOUNT) {
    return refused('merchant_account', 'is not a merchant account of Adyen that the API key may use');
  }
  if (status === 403) return refused('api_key', 'lacks the role for the Checkout API');
  return { outcome: 'unknown', reason };
}
