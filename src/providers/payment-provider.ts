import type { FieldError } from '../shared/problem.js';
import type { DeclineCode } from './decline-code.js';

/** Which recovery works where an answer was lost. */
export interface ProviderCapabilities {
  /** What a transaction is found by at the provider; `none`: only repeating the call tells. */
  lookup: 'by_reference' | 'by_transaction_id' | 'none';
  /** How long after its first use the provider answers a repeated idempotency key as it did first, in ms. */
  idempotencyWindowMs: number;
  /** The provider makes up the transaction's id; otherwise it takes ours. */
  choosesTransactionIds: boolean;
}

/** One of a shop's credentials at the provider, as forms show it. */
export interface CredentialField {
  name: string;
  /** What it is, after "must be". */
  takes: string;
  required: boolean;
  /** Never shown in full. */
  isSecret: boolean;
  /** `notifications`: verifies what the provider sends, so no call of ours tells whether it is right. */
  usedFor: 'calls' | 'notifications';
}

/**
 * What the provider says of credentials. `refused`: which of them, by name. `unknown`: it did not look at them, such as
 * unreachable or over its rate limit; the reason is safe to show.
 */
export type CredentialsAnswer =
  { outcome: 'accepted' } | { outcome: 'refused'; errors: FieldError[] } | { outcome: 'unknown'; reason: string };

/** A transaction as both sides know it. */
export interface OperationReference {
  paymentId: number;
  shopId: number;
  /** Ours: unguessable, one per attempt, given to the provider with the charge and echoed by it. */
  reference: string;
  /** The provider's; `null` until it is known. */
  transactionId: string | null;
  /** The shop's decrypted credentials, as `validateCredentials` accepted them. */
  credentials: Record<string, unknown>;
}

/** A call that changes something at the provider. */
export interface OperationRequest extends OperationReference {
  /** Random, on record before the call, the same on every repeat; another one only after a definite refusal. */
  idempotencyKey: string;
  /** Decimal text in units of the currency, such as `"100.10"`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
}

export interface ChargeRequest extends OperationRequest {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  sessionId: string;
  paymentMethodToken: string | undefined;
  /** Where the payer comes back to after a redirect; https. */
  returnUrl: string | undefined;
  customer: { id: number; email: string | null; firstName: string | null; lastName: string | null } | null;
  metadata: Record<string, unknown> | null;
}

export interface RefundRequest extends OperationRequest {
  reason: string | undefined;
}

/** A refund that is on record. */
export interface RefundLookup extends OperationRequest {
  /** The provider's id of the refund; `null`: its answer was lost. */
  operationId: string | null;
}

/** What the payer has to do before the payment goes on. */
export interface NextAction {
  type: 'redirect';
  /** https, or http on loopback for the sandbox. */
  url: string;
  method: 'GET' | 'POST';
}

/**
 * How a provider answered an attempt to charge.
 * - `approved`: charged. `processing`: taken, a notification tells the outcome; `nextAction`: once the payer has acted.
 * - `declined`: hard; no other shop is asked. `soft_declined`: this attempt is over and will never be charged, another
 *   shop may be asked.
 * - `unavailable`: the adapter knows that nothing was taken, such as a refused connection or the provider's own word.
 * An unknown outcome (a timeout, an answer that cannot be read, a conflict with a call under the same key that is still
 * under way) is no answer: the call rejects.
 */
export type ChargeAnswer = {
  /** The provider's id of the transaction. */
  transactionId?: string;
  /** Merged into the payment's `provider_metadata`. */
  metadata?: Record<string, unknown>;
} & (
  | { outcome: 'approved' }
  | { outcome: 'processing'; nextAction?: NextAction }
  | { outcome: 'declined' | 'soft_declined'; declineCode: DeclineCode }
  | { outcome: 'unavailable'; reason: string }
);

/**
 * How a provider answered a void or a refund. `confirmed`: done, also when it had been done before. `pending`: taken, a
 * notification tells the outcome. `refused`: the provider says no; `retryable`: a later call may succeed. `isUnavailable`: nobody
 * looked at the call, as of `unavailable`, so it says nothing of an earlier one under the same key. `operationId`: the
 * provider's, where it made one. An unknown outcome rejects.
 */
export type OperationAnswer =
  | { outcome: 'confirmed'; operationId?: string }
  | { outcome: 'pending'; operationId: string }
  | { outcome: 'refused'; reason: string; retryable: boolean; isUnavailable?: boolean; operationId?: string };

/** What became of a refund. `not_found`: the provider has none under the id or the key. */
export type RefundState = OperationAnswer | { outcome: 'not_found' };

/**
 * What the provider holds of a transaction. `not_found`: it knows of none, so nothing was taken under the reference.
 * `open`: not settled. `captured`: taken. `voided`: never taken, and it cannot be any more. `refunded`: given back in full.
 */
export type ProviderState =
  | { status: 'not_found' }
  | {
      status: 'open' | 'captured' | 'voided' | 'refunded' | 'declined';
      transactionId: string;
      amount: string;
      currency: string;
      declineCode?: DeclineCode;
      /** While the payer has to act. */
      nextAction?: NextAction;
      metadata?: Record<string, unknown>;
    };

/** The charges of an account, one of the provider's pages of them. */
export interface ListedCharges {
  charges: ListedCharge[];
  /** Where the next page begins; `null`: there is none. */
  next: string | null;
}

/** A charge in the provider's own list. */
export interface ListedCharge {
  /** `null`: made by somebody else who uses the account. */
  reference: string | null;
  /** As the provider was told; of a database that is gone, possibly. */
  paymentId: number | null;
  transactionId: string;
  status: Exclude<ProviderState['status'], 'not_found'>;
  /** Decimal text in units of the currency. */
  amount: string;
  currency: string;
  createdAt: Date;
}

/** What happened to a transaction, told by the provider on its own account. */
export interface ProviderEvent {
  /** The provider's id of the event, or what identifies it where it has none; each counts once. */
  id: string;
  /** What the payment is found by; at least one of them. */
  match: { transactionId?: string; reference?: string };
  /**
   * `void_failed`, `refund_failed`: a void or refund that was `pending` or `confirmed` came to nothing; what is `pending` is
   * refused then, and may be asked for under another key. `capture_failed`: contradicts an end state. All three are kept for
   * an operator and change no status.
   * `ignored`: of a kind that tells nothing about a payment's status; counted.
   */
  status:
    | 'processing'
    | 'completed'
    | 'failed'
    | 'cancelled'
    | 'refunded'
    | 'void_failed'
    | 'refund_failed'
    | 'capture_failed'
    | 'ignored';
  /**
   * The provider's id of the void or refund that it is about, as the answer to the call said it. Absent of a provider that
   * tells none: then the one that is under way is meant. With an id nothing is said of any other.
   */
  operationId?: string;
  /**
   * Where the event says them: decimal text in units of the currency. Another amount never completes a payment, nor is it
   * `refunded` by less than it took.
   */
  amount?: string;
  currency?: string;
  occurredAt?: Date;
  /** Why it failed, where the provider says so. */
  declineCode?: DeclineCode;
  /** Passed on to the merchant as `original_webhook.data`. */
  data: Record<string, unknown>;
}

export interface ParsedNotification {
  events: ProviderEvent[];
  /** The answer that the provider takes as received; absent: 200 with our own body. */
  acknowledge?: { contentType: string; body: string };
}

export interface IncomingNotification {
  /** The exact bytes received; signatures cover these. */
  rawBody: Buffer;
  /** Lower-case names. */
  headers: Record<string, string | string[] | undefined>;
}

/**
 * The port to a payment provider. Calls run between two database transactions, never inside one, and are cut off by the
 * caller after `PROVIDER_TIMEOUT_MS` through `signal`: the operation's outcome is unknown then. Every call that changes
 * something is on record in `provider_operations` before it is made, and idempotent by its key.
 */
export interface PaymentProvider {
  readonly name: string;

  /**
   * Other systems may use the account that a shop has there. Then an event about a charge of ours names its reference, and
   * one that no payment accounts for is theirs.
   */
  readonly accountsAreShared: boolean;

  /** What the provider can do for a shop with these credentials. */
  capabilities(credentials: Record<string, unknown>): ProviderCapabilities;

  /** What is wrong with a shop's credentials; field paths are relative to them. Empty when nothing is. */
  validateCredentials(credentials: Record<string, unknown>): FieldError[];

  /** What `validateCredentials` knows, in the order of a form. */
  readonly credentialFields: readonly CredentialField[];

  /** Asks the provider by a call that changes nothing. Takes what `validateCredentials` accepted; never rejects. */
  checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer>;

  /** Authorises and captures in one step. */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer>;

  /**
   * Ends what the payer had to do, with the query that they came back with from a redirect; only where the provider does not
   * go on by itself. Harmless to repeat. Rejects when the query is not about this transaction, or the outcome is unknown.
   */
  completeRedirect?(
    request: OperationReference & { amount: string; currency: string },
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer>;

  /** What the provider holds under the reference; absent where `capabilities` say `none`. */
  lookup?(reference: OperationReference, signal: AbortSignal): Promise<ProviderState>;

  /** Charges of the shop's account made at `since` or later; absent where the provider lists none. `after`: a page's `next`. */
  listCharges?(
    account: Pick<OperationReference, 'shopId' | 'credentials'>,
    since: Date,
    after: string | null,
    signal: AbortSignal,
  ): Promise<ListedCharges>;

  /** Before capture, or of an unfinished payment: nothing is taken, and nothing can be any more. Captured: `refused`. */
  void(request: OperationRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /** What became of a refund; absent where the provider cannot be asked for one. */
  lookupRefund?(request: RefundLookup, signal: AbortSignal): Promise<RefundState>;

  /** Of all that was taken. */
  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /**
   * Verifies and reads a notification. Rejects with `invalid_signature` before anything of the body is interpreted,
   * `malformed_json` or `validation_failed` for a signed body that is not one.
   */
  parseNotification(incoming: IncomingNotification, credentials: Record<string, unknown>): Promise<ParsedNotification>;
}
