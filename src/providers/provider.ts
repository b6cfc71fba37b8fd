import type { FieldError } from '../shared/problem.js';
import type { DeclineCode } from './decline-code.js';

/** What a provider is told about a payment. `idempotencyKey` is the same on every repeat of the same call. */
export interface ProviderPayment {
  paymentId: number;
  /** The transaction id that the provider knows the payment by; `null` until it gave one. */
  providerTransactionId: string | null;
  /** Decimal text in units of the currency, such as `"100.10"`. */
  amount: string;
  currency: string;
  country: string | null;
  idempotencyKey: string;
  /** The shop's decrypted credentials, as `validateCredentials` accepted them. */
  credentials: Record<string, unknown>;
}

export interface AuthorizeRequest extends ProviderPayment {
  paymentMethodToken: string | undefined;
}

/**
 * How a provider answered an attempt to charge.
 * - `approved`: charged. `processing`: taken, the outcome comes as a notification.
 * - `declined`: hard; no other shop is asked. `soft_declined`: this attempt is over and will never be charged, another
 *   shop may be asked.
 * - `unavailable`: the adapter knows that nothing was taken, such as a refused connection or the provider's own word.
 * An unknown outcome (a timeout, an answer that cannot be read, a conflict with a call under the same key that is still
 * under way) is no answer: the call rejects.
 */
export type AuthorizeAnswer = {
  /** When it is not the one that `newTransactionId` chose. */
  providerTransactionId?: string;
  /** Merged into the payment's `provider_metadata`. */
  providerMetadata?: Record<string, unknown>;
} & (
  | { outcome: 'approved' | 'processing' }
  | { outcome: 'declined' | 'soft_declined'; declineCode: DeclineCode }
  | { outcome: 'unavailable'; reason: string }
);

/** `confirmed`: done. `refused`: the provider says no and why. */
export type ConfirmationAnswer = { outcome: 'confirmed' } | { outcome: 'refused'; reason: string };

/** What a provider told us on its own account, after its signature was checked. */
export interface ProviderNotification {
  /** The provider's id of the notification; each counts once. */
  id: string;
  providerTransactionId: string;
  status: 'processing' | 'completed' | 'failed' | 'cancelled' | 'refunded';
  /** Why it failed, where the provider says so. */
  declineCode?: DeclineCode;
  /** Passed on to the merchant as `original_webhook.data`. */
  data: Record<string, unknown>;
}

export interface IncomingNotification {
  /** The exact bytes received; signatures cover these. */
  rawBody: Buffer;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
}

/**
 * The port to a payment provider. Calls run between two database transactions, never inside one, and are cut off by
 * the caller after `PROVIDER_TIMEOUT_MS` through `signal`: the payment then stays as it was. All calls are idempotent by their key.
 */
export interface PaymentProvider {
  readonly name: string;

  /** What is wrong with a shop's credentials; field paths are relative to them. Empty when nothing is. */
  validateCredentials(credentials: Record<string, unknown>): FieldError[];

  /** The transaction id for a new payment where we choose it, so that a notification can overtake the answer; else `null`. */
  newTransactionId(): string | null;

  authorize(request: AuthorizeRequest, signal: AbortSignal): Promise<AuthorizeAnswer>;

  cancel(request: ProviderPayment, signal: AbortSignal): Promise<ConfirmationAnswer>;

  refund(request: ProviderPayment & { reason: string | undefined }, signal: AbortSignal): Promise<ConfirmationAnswer>;

  /**
   * Verifies and reads a notification. Throws `invalid_signature` before anything of the body is interpreted,
   * `malformed_json` or `validation_failed` for a signed body that is not one.
   */
  parseNotification(incoming: IncomingNotification, credentials: Record<string, unknown>): ProviderNotification;
}
