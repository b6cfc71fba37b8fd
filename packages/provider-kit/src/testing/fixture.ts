import type { ChargeAnswer, ChargeRequest, PaymentProvider } from '../payment-provider.js';
import type { IncomingNotification } from '../provider-event.js';
import type { PlayedBody, Wire } from './wire.js';

/** The intended outcome of a charge. `processing`: it ends later, by `settle`. */
export type WantedOutcome = 'approved' | 'declined' | 'soft_declined' | 'processing' | 'next_action';

/**
 * Events after an answer. `charge_declined`: a `processing` charge ends unpaid. `refund_declined`,
 * `capture_declined`, `void_declined`: after an answer that accepted it. `lapse`: an authorisation ends uncaptured.
 */
export type LaterEventName = 'charge_declined' | 'refund_declined' | 'capture_declined' | 'void_declined' | 'lapse';

/** Situations that a provider does not have, so that they are not tested. */
export type Lack =
  | Exclude<WantedOutcome, 'approved'>
  | LaterEventName
  | 'dispute'
  /** It keeps no methods of payers, or its connector does not save them. */
  | 'saved_method'
  /** It makes no difference who begins a charge of a saved method. */
  | 'initiator'
  /** All shops have one account. */
  | 'second_account'
  /** It takes any credentials. */
  | 'credentials';

/** The provider's transaction for a reference; amounts in units of the currency, without trailing zeros. */
export interface Held {
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  amount: string;
  currency: string;
  /** The captured and the refunded sum, if the books have them. */
  captured?: string;
  refunded?: string;
}

/** Steps of payers that the provider's script takes in the merchant's page. */
export interface PageActions {
  /** Fields of a charge with the outcome `next_action` that make the step a `provider_action`. */
  fields: Partial<ChargeRequest>;
  /** Acts as the provider's script with an approving payer. Returns the data to hand in, which names the transaction. */
  approve: (answer: ChargeAnswer, data: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

/** A charge, with the provider's id of the later operation on it, if there was one. */
export interface PlayedOn {
  request: ChargeRequest;
  answer: ChargeAnswer;
  operationId: string | undefined;
}

/** How a later event is made to happen. */
export interface LaterEvent {
  /** Fields of the charge with which it happens, such as a token. */
  fields?: Partial<ChargeRequest>;
  /** Lets it happen; absent: it happens by itself. */
  play?(on: PlayedOn): void | Promise<void>;
}

/** An answer of the provider's API, as its documents show it. */
export interface PlayedAnswer {
  status: number;
  body: PlayedBody;
  headers?: Record<string, string>;
}

/**
 * Errors by their meaning. `key_in_use`: the first call under the idempotency key is under way. `key_of_another_call`: it was
 * used with other parameters. `rate_limit`, `permission`, `wrong_credentials`: not processed. `refused_request`: this charge
 * has a wrong field. `refused_state`: the transaction's state does not allow the capture, void or refund.
 * `unusable_method`: the account has no such payment method. `not_found`: no such transaction. `outage`: a 5xx.
 */
export type Meaning =
  | 'key_in_use'
  | 'key_of_another_call'
  | 'rate_limit'
  | 'permission'
  | 'wrong_credentials'
  | 'refused_request'
  | 'refused_state'
  | 'unusable_method'
  | 'not_found'
  | 'outage';

/** The signer of a notification. `no_one`: it has no signature. */
export type Signer = 'this_shop' | 'another_key' | 'no_one';

/** A connector, and a fake of its provider that keeps books. A member that is absent must be named in `lacks`, if that has a name for it. */
export interface ProviderFixture {
  provider: PaymentProvider;
  /** Credentials of the shop, also for its notifications. */
  credentials: Record<string, unknown>;
  /** Situations that the provider does not have; absent: it has all. */
  lacks?: readonly Lack[];
  /** The connector's HTTP client: `systemContext` makes it. Absent: the connector makes no calls by HTTP. */
  wire?: Wire;
  /** The provider's own errors; absent ones are played with a usual status and body. */
  answers?: Partial<Record<Meaning, PlayedAnswer>>;
  /** Another instance on the same wire, as another process has it. */
  another?(): PaymentProvider | Promise<PaymentProvider>;
  /** Another shop's account at the provider, with books of its own. */
  secondAccount?: { credentials: Record<string, unknown>; held(reference: string): Promise<Held[]> };
  /** Credentials of the right form that the provider does not know any longer. */
  revoked?: Record<string, unknown>;
  /** Signs a notification's body; absent: the provider does not sign. */
  sign?(body: string, signer: Signer): IncomingNotification;
  /** Events that happen later, by name. */
  later?: Partial<Record<LaterEventName, LaterEvent>>;
  /** A charge of 100.10 EUR with this outcome and the fixture's credentials. */
  request(wanted: WantedOutcome, fields?: Partial<ChargeRequest>): ChargeRequest;
  /** The provider's transactions under the reference, in the account of `credentials`. */
  held(reference: string): Promise<Held[]>;
  /** Loses the answer of the next call, after it took effect. Absent with a `wire`. */
  loseAnswer?(): void;
  /** A charge while the connection to the provider is cut: no byte is sent. Absent with a `wire`. */
  chargeUnsent?(request: ChargeRequest): Promise<ChargeAnswer>;
  /** Fields of an approved charge whose payment method can be saved; absent: of any. */
  savable?: Partial<ChargeRequest>;
  /** Completes a charge that is `processing`. */
  settle(request: ChargeRequest, answer: ChargeAnswer): Promise<void>;
  /** The notifications that the provider has sent about the reference. */
  notifications(reference: string): Promise<IncomingNotification[]>;
  /** A chargeback of the whole captured charge; returns the notifications about it. Absent: it reports no disputes. */
  dispute?(request: ChargeRequest, answer: ChargeAnswer): Promise<IncomingNotification[]>;
  /** Several notifications in one request; absent: the provider sends each separately. */
  batch?(references: readonly string[]): Promise<IncomingNotification>;
  /** Absent: the provider has no such steps. */
  pageActions?: PageActions;
  /** A void of an unknown reference prevents a later charge under it. */
  blocksUnknown: boolean;
  stop(): Promise<void>;
}
