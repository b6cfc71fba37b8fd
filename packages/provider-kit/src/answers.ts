// The answers of a connector.
import type { CardFacts } from './card-facts.js';
import type { DeclineCode } from './decline-code.js';
import type { SavedMethod } from './saved-method.js';

/** The payer's browser must go to `url`: https, or http on loopback for the sandbox. */
export interface RedirectAction {
  type: 'redirect';
  url: string;
  method: 'GET' | 'POST';
}

/** The provider's own script must act in the payer's page. */
export interface ProviderAction {
  type: 'provider_action';
  /** Name of the provider. */
  provider: string;
  /** The input of that script, in the provider's own format: at most {@link MAX_ACTION_BYTES} of JSON. May be secret. */
  data: Record<string, unknown>;
}

/** The step that the payer must take before the payment continues. */
export type NextAction = RedirectAction | ProviderAction;

export const MAX_ACTION_BYTES = 16_384;

/**
 * A provider's answer to an attempt to charge.
 * - `approved`: charged. `authorized`: only authorised, as requested; `captureBefore`: when the authorisation ends.
 * - `processing`: accepted, a notification reports the outcome; `nextAction`: after the payer has
 *   acted.
 * - `declined`: hard; no other shop is asked. `soft_declined`: the attempt has ended and will never be charged, so
 *   another shop may be asked.
 * - `unavailable`: the adapter is certain that nothing was charged, for example after a refused connection.
 *
 * An unknown outcome is no answer: the call rejects after a time-out, an unreadable answer, or a conflict with a call
 * under the same key that is still under way.
 */
export type ChargeAnswer = {
  /** The provider's id of the transaction. */
  transactionId?: string;
  /** Merged into the payment's `provider_metadata`. */
  metadata?: Record<string, unknown>;
  /** Stored with the attempt; a value of another form is left out. */
  card?: CardFacts;
  /** Only if the request had `save`. */
  savedMethod?: SavedMethod;
} & (
  | { outcome: 'approved' }
  | { outcome: 'authorized'; captureBefore: Date }
  | { outcome: 'processing'; nextAction?: NextAction }
  | { outcome: 'declined' | 'soft_declined'; declineCode: DeclineCode }
  | { outcome: 'unavailable'; reason: string }
);

/**
 * A provider's answer to a void, a capture or a refund. `confirmed`: done now or before. `pending`: accepted, a notification
 * reports the outcome. `operationId`: the provider's id, if any. An unknown outcome rejects.
 */
export type OperationAnswer =
  { outcome: 'confirmed'; operationId?: string } | { outcome: 'pending'; operationId: string } | RefusedOperation;

/**
 * The operation was not done and will not be under this key. A merchant's request then ends; a reversal that the payment needs is sent
 * again under another key.
 */
export interface RefusedOperation {
  outcome: 'refused';
  /**
   * A sentence for the merchant's staff, without texts of the provider, which may contain personal data: the `detail` of a 409
   * `provider_unconfirmed`, and in the list of operations.
   */
  reason: string;
  /**
   * The reason as a code of `a-z0-9_`: the `failure_code` of a refund. Absent: `reason` if it is a code itself, otherwise
   * `refund_refused`.
   */
  code?: DeclineCode;
  /**
   * A later request may succeed, so the merchant may make another one. The service does not make it: only a refund that comes before
   * the capture (`capturesLater`) and reversals are sent again.
   */
  retryable: boolean;
  /** The provider did not process this call, so the answer says nothing about an earlier call under the same key. */
  isUnavailable?: boolean;
  /** The state that refuses the call, such as `captured` for a void or `authorized` for a refund; the service acts on it. */
  charge?: ChargeState;
  operationId?: string;
}

/**
 * The outcome of an operation. `not_found`: the provider has none of the kind with the id or the key. Reject while its list may
 * lag behind its answers.
 */
export type OperationState = OperationAnswer | { outcome: 'not_found' };

/**
 * The provider's state of a transaction. `not_found`: it has none, so nothing was charged under the reference. `open`:
 * without an outcome. `authorized`: authorised and not captured. `captured`: charged, perhaps in part or refunded in
 * part. `voided`: never charged, and cannot be. `refunded`: the captured amount was returned.
 */
export type ProviderState = { status: 'not_found' } | ChargeState;

/** The state of a transaction that the provider has. */
export interface ChargeState {
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  transactionId: string;
  /** The requested amount, decimal text in units of the currency, like the sums below. */
  amount: string;
  currency: string;
  /** The captured sum, if the provider reports it; absent: all of `amount` once it is captured. */
  capturedAmount?: string;
  /** The sum of successful refunds, if the provider reports it. */
  refundedAmount?: string;
  /** When an authorisation ends at the provider. */
  captureBefore?: Date;
  declineCode?: DeclineCode;
  /** Set while the payer has to act. */
  nextAction?: NextAction;
  /**
   * With `open`: the payer has approved, and the provider takes the money only after `completeAction`. The service calls that
   * without data if a notification has asked about the transaction, because payers do not always return.
   */
  isApproved?: boolean;
  metadata?: Record<string, unknown>;
  /** The payment method that the charge has saved, if it was to. */
  savedMethod?: SavedMethod;
}

/** One page of an account's charges. */
export interface ListedCharges {
  charges: ListedCharge[];
  /** Start of the next page; `null`: there is none. */
  next: string | null;
}

/** A charge in the provider's list. */
export interface ListedCharge {
  /** `null`: another user of the account made it. */
  reference: string | null;
  /** The payment id that the provider received; it may belong to a lost database. */
  paymentId: number | null;
  transactionId: string;
  status: ChargeState['status'];
  /** Decimal text in units of the currency. */
  amount: string;
  currency: string;
  createdAt: Date;
}

/** `not_found`: the account has no such method, or it was removed before. */
export interface DetachAnswer {
  outcome: 'confirmed' | 'not_found';
}
