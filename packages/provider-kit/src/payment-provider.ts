import type {
  ChargeAnswer,
  DetachAnswer,
  ListedCharges,
  OperationAnswer,
  OperationState,
  ProviderState,
} from './answers.js';
import type { ProviderCapabilities } from './capabilities.js';
import type { PayerPages } from './host.js';
import type { IncomingNotification, ParsedNotification } from './provider-event.js';
import type {
  ActionReference,
  CaptureRequest,
  ChargeRequest,
  OperationLookup,
  OperationReference,
  RefundRequest,
  SavedMethodReference,
  VoidRequest,
} from './requests.js';

export * from './answers.js';
export type * from './capabilities.js';
export type { CardFacts, CardFunding } from './card-facts.js';
export type * from './requests.js';

/** The version of this port. A provider declares the version that it was made for, and the service starts with its own only. */
export const PORT_VERSION = 2;

/** The changes of each version for connectors made for the one before it, shown at a start that refuses one. */
export const PORT_CHANGES: Readonly<Record<number, string>> = {
  2: 'connectors declare capturesLater, voidsUnfinished and paymentMethodTypes, and get isRepeat, agreement, firstCharge, payer and accessTokens',
};

/** An error of one field; `message` follows its name. */
export interface FieldError {
  /** A path, such as `secret_key`. */
  field: string;
  message: string;
}

/** A shop's credential at the provider, as forms show it. */
export interface CredentialField {
  name: string;
  /** Description, which follows "must be". */
  takes: string;
  required: boolean;
  /** Never shown in full. */
  isSecret: boolean;
  /** `notifications`: verifies the provider's notifications, so none of our calls can check it. */
  usedFor: 'calls' | 'notifications';
}

/**
 * The provider's answer about credentials. `refused`: the wrong ones, by name. `unknown`: it did not check them, for
 * example because it is unreachable or over its rate limit; the reason is safe to show.
 */
export type CredentialsAnswer =
  { outcome: 'accepted' } | { outcome: 'refused'; errors: FieldError[] } | { outcome: 'unknown'; reason: string };

/**
 * The port to a payment provider. Calls run between two database transactions, never inside one. The caller aborts them
 * after `PROVIDER_TIMEOUT_MS` through `signal`; the outcome is then unknown. Every call that changes something is
 * recorded in `provider_operations` before it is made, and is idempotent by its key.
 */
export interface PaymentProvider {
  /** The version of the port that the provider was made for: {@link PORT_VERSION} at that time. */
  readonly portVersion: number;

  /** The value of a shop's `provider`: lower-case letters, digits and `_`, beginning with a letter, at most 32 characters. */
  readonly name: string;

  /**
   * Other systems may use the shop's account at the provider. An event about our charge then names its reference, and
   * an event without a payment is theirs.
   */
  readonly accountsAreShared: boolean;

  /**
   * After a redirect the provider waits for {@link PaymentProvider.completeAction}, so payers return through us. Absent:
   * it continues by itself.
   */
  readonly completesRedirects?: boolean;

  /** Pages that the service serves for a provider that is no other company; absent: none. */
  readonly pages?: PayerPages | undefined;

  /** Begins work of its own, in each process that serves the API. Absent: it has none. */
  start?(): void;

  /** Resolves when that work is done; called before the process ends. */
  stop?(): Promise<void>;

  /** The provider's capabilities for a shop with these credentials. */
  capabilities(credentials: Record<string, unknown>): ProviderCapabilities;

  /** Errors of a shop's credentials; field paths are relative to them. Empty for valid credentials. */
  validateCredentials(credentials: Record<string, unknown>): FieldError[];

  /** The credentials that `validateCredentials` knows, in the order of a form. */
  readonly credentialFields: readonly CredentialField[];

  /** Errors of a payment method's `data` in a request, by fields relative to it. Absent: only a charge shows them. */
  paymentMethodErrors?(data: Readonly<Record<string, unknown>>): FieldError[];

  /**
   * Asks the provider with a call that changes nothing. Needs credentials that `validateCredentials` accepted; never
   * rejects.
   */
  checkCredentials(credentials: Record<string, unknown>, signal: AbortSignal): Promise<CredentialsAnswer>;

  /**
   * The provider's id of the account that the credentials belong to: tokens of payment methods are valid in one account.
   * `null`: it does not tell. Absent: a provider without ids of accounts. A rejection counts as `null`.
   */
  accountId?(credentials: Record<string, unknown>, signal: AbortSignal): Promise<string | null>;

  /** Authorises, and captures in the same step unless `capture` is `manual`. */
  charge(request: ChargeRequest, signal: AbortSignal): Promise<ChargeAnswer>;

  /**
   * Completes the payer's step. `data`: the answer of the provider's script to a `provider_action`, the query of a
   * payer who returned from a redirect, or nothing after a look-up that was `isApproved`. The answer may have a further `nextAction`. Safe to repeat. Rejects with
   * `ActionDataRefused` if the data is incomplete or about another transaction; with any other error the outcome is
   * unknown.
   */
  completeAction?(
    request: ActionReference,
    data: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ): Promise<ChargeAnswer>;

  /** The provider's state under the reference; absent if `capabilities` return `none`. */
  lookup?(reference: OperationReference, signal: AbortSignal): Promise<ProviderState>;

  /** Our reference of a transaction, for events that do not repeat it; absent if all do. `undefined`: it is not ours. */
  findReference?(
    transactionId: string,
    account: Pick<OperationReference, 'credentials'>,
    signal: AbortSignal,
  ): Promise<string | undefined>;

  /**
   * Charges of the shop's account made at `since` or later; absent if the provider has no list. `after`: a page's
   * `next`.
   */
  listCharges?(
    account: Pick<OperationReference, 'shopId' | 'credentials'>,
    since: Date,
    after: string | null,
    signal: AbortSignal,
  ): Promise<ListedCharges>;

  /**
   * Cancels before the capture, or while a payment is unfinished: nothing is charged or can be. `refused` if captured,
   * with the charge if the provider shows it. A provider that cannot cancel an unfinished one declares
   * `voidsUnfinished: false`.
   */
  void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /** Captures an authorisation. Present if `capabilities` have `manualCapture`. `refused` if nothing is authorised any longer. */
  capture?(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /** The outcome of a capture, void or refund, which its answer or notification did not tell; absent: it has no look-up. */
  lookupOperation?(request: OperationLookup, signal: AbortSignal): Promise<OperationState>;

  /**
   * Refunds `amount` of the captured charge. `refused` with the charge `authorized` if it is not captured yet
   * (`capturesLater`).
   */
  refund(request: RefundRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /**
   * Removes a saved payment method from the account; absent if the provider has no such call. Safe to repeat. An unknown
   * outcome rejects.
   */
  detach?(method: SavedMethodReference, signal: AbortSignal): Promise<DetachAnswer>;

  /**
   * Verifies and parses a notification. Rejects with `invalid_signature` before it interprets the body, and with
   * `malformed_json` or `validation_failed` for a signed body that is no notification. After the abort the notification
   * is answered 503, so that the provider repeats it.
   */
  parseNotification(
    incoming: IncomingNotification,
    credentials: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<ParsedNotification>;
}
