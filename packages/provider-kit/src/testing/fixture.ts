import type { ChargeAnswer, ChargeRequest, PaymentProvider } from '../payment-provider.js';
import type { IncomingNotification } from '../provider-event.js';

/** The intended outcome of a charge. `processing`: it ends later, by `settle`. */
export type WantedOutcome = 'approved' | 'declined' | 'soft_declined' | 'processing' | 'next_action';

/** The provider's transaction for a reference; the amount in units of the currency, without trailing zeros. */
export interface Held {
  status: 'open' | 'authorized' | 'captured' | 'voided' | 'refunded' | 'declined';
  amount: string;
  currency: string;
}

/** Steps of payers that the provider's script takes in the merchant's page. */
export interface PageActions {
  /** Fields of a charge with the outcome `next_action` that make the step a `provider_action`. */
  fields: Partial<ChargeRequest>;
  /** Acts as the provider's script with an approving payer. Returns the data to hand in, which names the transaction. */
  approve: (answer: ChargeAnswer, data: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

/** A connector, and a fake of its provider that keeps books. */
export interface ProviderFixture {
  provider: PaymentProvider;
  /** Credentials of the shop, also for its notifications. */
  credentials: Record<string, unknown>;
  /** Outcomes that the provider does not have; absent: it has all. */
  lacks?: readonly Exclude<WantedOutcome, 'approved'>[];
  /** A charge of 100.10 EUR with this outcome and the fixture's credentials. */
  request(wanted: WantedOutcome, fields?: Partial<ChargeRequest>): ChargeRequest;
  /** The provider's transactions under the reference. */
  held(reference: string): Promise<Held[]>;
  /** Loses the answer of the next call, after it took effect. */
  loseAnswer(): void;
  /** A charge while the connection to the provider is cut: no byte is sent. */
  chargeUnsent(request: ChargeRequest): Promise<ChargeAnswer>;
  /** Completes a charge that is `processing`. */
  settle(request: ChargeRequest, answer: ChargeAnswer): Promise<void>;
  /** The notifications that the provider has sent about the reference. */
  notifications(reference: string): Promise<IncomingNotification[]>;
  /** A chargeback of the whole captured charge; returns the notifications about it. Absent: it reports no disputes. */
  dispute?(request: ChargeRequest, answer: ChargeAnswer): Promise<IncomingNotification[]>;
  /** Several notifications in one request; absent: the provider sends each separately. */
  batch?(references: readonly string[]): Promise<IncomingNotification>;
  /** Fields of a manual charge whose capture is accepted and fails later; absent: there is none. */
  failingCapture?: Partial<ChargeRequest>;
  /** Absent: the provider has no such steps. */
  pageActions?: PageActions;
  /** A void of an unknown reference prevents a later charge under it. */
  blocksUnknown: boolean;
  stop(): Promise<void>;
}

/** Checks by name; each uses payments of its own. */
export type Checks = Readonly<Record<string, (fixture: ProviderFixture) => void | Promise<void>>>;
