import type { FeeEntry } from './fees.js';

/** The facts of a shop that routing uses. */
export interface ShopSummary {
  id: number;
  name: string;
  provider: string;
  /** A disabled shop takes no new payments. */
  enabled: boolean;
  /** The label of its account at the provider. Shops of one provider with the same label accept the same tokens. */
  account: string;
  /** It accepts tokens of all accounts: a sandbox shop that is configured so; absent: it does not. */
  acceptsAnyToken?: boolean;
  /** Its provider can authorise first and capture later; absent: it cannot. */
  capturesManually?: boolean;
  /** ISO 4217 codes in use that its provider does not accept; absent: it accepts all. */
  refusedCurrencies?: ReadonlySet<string>;
  /** The values of `payment_method.type` that its provider takes; absent: any. A payment without a type may go there, too. */
  paymentMethodTypes?: readonly string[];
  /** Absent or null: unknown, or not read because the flow does not use them. */
  fees?: readonly FeeEntry[] | null;
}

/**
 * Whether a shop takes part in decisions. After too many faults of its own it is excluded (`unhealthy`). Then it gets a
 * tenth of its picks (`probing`, half-open).
 */
export type ShopHealth = 'healthy' | 'unhealthy' | 'probing';

/** A shop's recent outcomes, only those that the shop is responsible for. */
export interface ShopStats {
  approved: number;
  declined: number;
  /** Faults of the shop itself. */
  failed: number;
  /** Payments whose payment method the account does not have; absent: none. */
  unusable?: number;
  /** In a backtest: the fee that the payment's own decision recorded; `null`: it was unknown. */
  fee?: number | null;
  /** In a decision by segments: the rate in the payment's segment. */
  segment?: SegmentRate;
  health: ShopHealth;
}

/** The information about a shop's approval rate in a segment of payments. */
export interface SegmentRate {
  /** The number of fields whose own outcomes count for more than the coarser rate; 0: the rate of the whole shop. */
  level: number;
  /** The outcomes of the shop at this level. Older ones weigh less, so the counts need not be whole. */
  approved: number;
  /** Declines, and faults of the shop. */
  others: number;
  /** The rate's distribution, Beta(a, b). */
  shape: readonly [a: number, b: number];
}
