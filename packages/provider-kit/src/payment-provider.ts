import type { DeclineCode } from './decline-code.js';
import type { PayerPages } from './host.js';
import type { IncomingNotification, ParsedNotification } from './provider-event.js';
import type { SavedMethod } from './saved-method.js';

/** The version of this port. A provider declares the version that it was made for, and the service starts with its own only. */
export const PORT_VERSION = 1;

/** `automatic`: the charge captures. `manual`: it only authorises, and is captured later. */
export type CaptureMode = 'automatic' | 'manual';

/** An error of one field; `message` follows its name. */
export interface FieldError {
  /** A path, such as `secret_key`. */
  field: string;
  message: string;
}

/** The means of recovery after a lost answer. */
export interface ProviderCapabilities {
  /** How a transaction is found at the provider; `none`: only repeating the call shows its outcome. */
  lookup: 'by_reference' | 'by_transaction_id' | 'none';
  /** How long the provider gives the first answer to a repeated idempotency key, in ms. */
  idempotencyWindowMs: number;
  /** The provider chooses the transaction's id; otherwise it accepts ours. */
  choosesTransactionIds: boolean;
  /** A charge can be authorised first and captured later ({@link PaymentProvider.capture}). */
  manualCapture: boolean;
  /** A capture may be of less than the authorised amount; the provider releases the rest. */
  partialCapture: boolean;
  /** A refund may be of less than the captured amount, and a charge may have several refunds. */
  partialRefund: boolean;
  /** The kinds that {@link PaymentProvider.lookupOperation} finds; absent: all, if it is present. */
  operationLookup?: readonly OperationLookup['kind'][];
  /** Its shops accept tokens of any account; absent: only those of their own. */
  acceptsAnyToken?: boolean;
  /** ISO 4217 codes that the provider accepts; absent: all of ours. */
  currencies?: readonly string[];
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

/** A transaction and its ids on both sides. */
export interface OperationReference {
  paymentId: number;
  shopId: number;
  /** Our reference: unguessable, one per attempt, sent to the provider with the charge and repeated by it. */
  reference: string;
  /** The provider's id; `null` until it is known. */
  transactionId: string | null;
  /** The shop's decrypted credentials, as `validateCredentials` accepted them. */
  credentials: Record<string, unknown>;
}

/** A charge whose payer has taken a step ({@link NextAction}). */
export interface ActionReference extends OperationReference {
  /** Decimal text in units of the currency. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  capture: CaptureMode;
}

/** A call that changes something at the provider. */
export interface OperationRequest extends OperationReference {
  /** Random, recorded before the call, the same on every repeat; changed only after a definite refusal. */
  idempotencyKey: string;
  /** Decimal text in units of the currency, such as `"100.10"`. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /** When the attempt was recorded, the same on every repeat and for every operation of the attempt. */
  attemptedAt: Date;
  /** Our address for the shop's notifications; `undefined`: our public address is not configured. */
  notificationUrl: string | undefined;
}

export type CardFunding = 'credit' | 'debit' | 'prepaid' | 'charge' | 'unknown';

/** Facts about a card, as the merchant or a provider tells them. Never a full number. */
export interface CardFacts {
  /** The card network, such as `visa`. */
  scheme?: string;
  /** The first 6 to 8 digits. */
  bin?: string;
  last4?: string;
  funding?: CardFunding;
  /** ISO 3166-1 alpha-2. */
  issuer_country?: string;
  /** 1 to 12. */
  expiry_month?: number;
  /** Four digits. */
  expiry_year?: number;
}

/** The payer's payment method in the shop's account: a token of it, or what the provider's page components collected. */
export interface PaymentMethodInput {
  /** The merchant's own name of the kind, such as `card`. */
  type?: string;
  token?: string;
  /** In the provider's own format, unchanged. */
  data?: Record<string, unknown>;
  /** `provider_action`: the payer's page has the provider's script, so a step of the payer needs no redirect. */
  nextActionType?: NextAction['type'];
}

export interface ChargeRequest extends OperationRequest {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  sessionId: string;
  /** `undefined`: none was given. */
  paymentMethod: PaymentMethodInput | undefined;
  /** Address to which the payer returns after a redirect; https. */
  returnUrl: string | undefined;
  customer: { id: number; email: string | null; firstName: string | null; lastName: string | null } | null;
  metadata: Record<string, unknown> | null;
  /** `manual`: authorise only. Requested only if `capabilities` have `manualCapture`. */
  capture: CaptureMode;
  /** The party that begins the payment; absent: the merchant's system did not say. */
  initiator?: Initiator;
  /** The provider is to save the payment method for later charges: its answer or a notification tells it ({@link SavedMethod}). */
  save?: boolean;
}

/** `customer`: the payer is there. `merchant`: a charge of a saved payment method without the payer. */
export type Initiator = 'customer' | 'merchant';

/** A saved payment method that is to be removed. */
export interface SavedMethodReference {
  token: string;
  credentials: Record<string, unknown>;
}

/** `not_found`: the account has no such method, or it was removed before. */
export interface DetachAnswer {
  outcome: 'confirmed' | 'not_found';
}

/** A void of an attempt. */
export interface VoidRequest extends OperationRequest {
  /** The key of the attempt's charge, for providers that cancel by it; `null`: not recorded. */
  chargeIdempotencyKey: string | null;
}

/** A capture of `amount`, once per authorisation; the provider releases the rest. */
export interface CaptureRequest extends OperationRequest {
  /** The authorised amount, decimal text. */
  authorizedAmount: string;
}

/** A refund of `amount`, one of several of the charge. */
export interface RefundRequest extends OperationRequest {
  reason: string | undefined;
  /**
   * The reversal of a charge that the payment must not keep: refund the remaining amount. That is less than `amount`
   * after a refund at the provider. A provider that needs an amount uses `amount`.
   */
  isRest?: boolean;
}

/** A look-up of a recorded capture, void or refund. */
export interface OperationLookup extends OperationRequest {
  kind: 'capture' | 'void' | 'refund';
  /** The provider's id of the operation; `null`: its answer was lost. */
  operationId: string | null;
}

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
 * reports the outcome. `refused`: not done; `retryable`: a later call may succeed. `isUnavailable`: the provider did
 * not process the call, so the answer says nothing about an earlier call under the same key. `charge`: the state that
 * refuses the call, such as `captured` for a void. `operationId`: the provider's id, if any. An unknown outcome rejects.
 */
export type OperationAnswer =
  { outcome: 'confirmed'; operationId?: string } | { outcome: 'pending'; operationId: string } | RefusedOperation;

export interface RefusedOperation {
  outcome: 'refused';
  reason: string;
  retryable: boolean;
  isUnavailable?: boolean;
  charge?: ChargeState;
  operationId?: string;
}

/** The outcome of an operation. `not_found`: the provider has none of the kind with the id or the key. */
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
   * Completes the payer's step. `data`: the answer of the provider's script to a `provider_action`, or the query of a
   * payer who returned from a redirect. The answer may have a further `nextAction`. Safe to repeat. Rejects with
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
   * with the charge if the provider shows it.
   */
  void(request: VoidRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /** Captures an authorisation. Present if `capabilities` have `manualCapture`. `refused` if nothing is authorised any longer. */
  capture?(request: CaptureRequest, signal: AbortSignal): Promise<OperationAnswer>;

  /** The outcome of a capture, void or refund, which its answer or notification did not tell; absent: it has no look-up. */
  lookupOperation?(request: OperationLookup, signal: AbortSignal): Promise<OperationState>;

  /** Refunds the whole charge. */
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
