import type { DecisionTrace } from '../decision/decision-trace.js';
import type { PickProbabilities } from '../decision/pick-probabilities.js';
import { hash32 } from '../strategies/hash.js';
import { mightHavePicked, type PastPayment } from './past-payment.js';

/**
 * The number of customer groups. Payments of one customer have similar results, and `sticky` sends them to one shop, so
 * customers are the independent units. This many groups estimate the variance as well as single customers do, in
 * constant memory.
 */
export const GROUPS = 256;

const GROUP_SALT = 6;

/** A rule declined the payment: it could have gone to no shop, and was certainly not approved. */
const CERTAIN = 1;
const NO_SHOPS: ReadonlySet<number> = new Set();

/** A probability has six digits. */
const ROUNDING = 1e-5;

/** The sums of one shop. Arrays are by customer group. */
export class ShopSums {
  /** Payments that the past decisions sent to the shop, and the number that it approved. */
  picks = 0;
  approvals = 0;
  /** The draft's expected payments for this shop, out of payments that might have gone there in the past, too. */
  readonly expected = new Float64Array(GROUPS);
  /** The same for payments that could not have gone there in the past. */
  unknown = 0;
  /** Weights of the payments that it approved, and of those that it did not. */
  readonly approved = new Float64Array(GROUPS);
  readonly declined = new Float64Array(GROUPS);
  squaredWeights = 0;
}

/**
 * Sums over past payments from which `approvalEstimate` estimates the approval rate of a draft
 * (docs/integrate/payments-and-flows.md). A payment's weight is the probability that the draft picks its shop, divided
 * by the probability of its own decision. The size depends only on the number of shops.
 */
export class ApprovalSums {
  readonly shops = new Map<number, ShopSums>();
  /** By group: payments that count, the approved ones, and those that no shop of the draft takes or that it declines. */
  readonly payments = new Float64Array(GROUPS);
  readonly approved = new Float64Array(GROUPS);
  readonly refused = new Float64Array(GROUPS);
  /** Whether the draft picks each payment's shop with the probability of its own decision. */
  isUnchanged = true;
  /** Payments that do not count because it is unknown whether the shop approved them. */
  withoutOutcome = 0;
  /** Payments that do not count because the probability of their decision is unknown, although the outcome is known. */
  withoutProbability = 0;
  private readonly knownByVersion = new Map<number | null, ReadonlySet<number>>();
  private lastShops: PickProbabilities['shops'] | undefined;
  private lastSums: readonly ShopSums[] = [];

  /** `draftOf` returns the draft's probabilities; called only for payments that count. */
  add(payment: PastPayment, draftOf: () => PickProbabilities): void {
    const { approved, decision } = payment;
    if (approved === undefined) this.withoutOutcome++;
    else if (decision?.declined) this.count(payment, false, CERTAIN, NO_SHOPS, draftOf());
    else if (decision?.probability === undefined) this.withoutProbability++;
    else this.count(payment, approved, decision.probability, this.known(decision), draftOf());
  }

  private count(
    { id, customerId, picked }: PastPayment,
    isApproved: boolean,
    probability: number,
    known: ReadonlySet<number>,
    { shops, probabilities }: PickProbabilities,
  ): void {
    const group = hash32(customerId ?? id, customerId === null ? 0 : 1, GROUP_SALT) % GROUPS;
    const sums = this.sumsOfAll(shops);
    let pickShare = 0;
    for (let index = 0; index < shops.length; index++) {
      const shopId = shops[index]!.shop.id;
      const share = probabilities[index]!;
      if (shopId === picked) pickShare = share;
      if (known.has(shopId)) sums[index]!.expected[group]! += share;
      else sums[index]!.unknown += share;
    }
    if (picked !== null) this.weigh(this.sumsOf(picked), pickShare / probability, isApproved, group);
    this.payments[group]!++;
    if (isApproved) this.approved[group]!++;
    if (shops.length === 0) this.refused[group]!++;
  }

  /** Most decisions of a version choose from all of its shops: they share one set. */
  private known(decision: DecisionTrace): ReadonlySet<number> {
    const { flow_version: version, failed, reasoning } = decision;
    if (reasoning?.by === 'priority' || reasoning?.by === 'lowest_cost' || Object.keys(failed).length > 0)
      return mightHavePicked(decision);
    const known = this.knownByVersion.get(version) ?? mightHavePicked(decision);
    this.knownByVersion.set(version, known);
    return known;
  }

  private weigh(sums: ShopSums, weight: number, isApproved: boolean, group: number): void {
    if (Math.abs(weight - 1) > ROUNDING) this.isUnchanged = false;
    sums.picks++;
    if (isApproved) sums.approvals++;
    (isApproved ? sums.approved : sums.declined)[group]! += weight;
    sums.squaredWeights += weight ** 2;
  }

  /** The draft often chooses from the same list: the last one is cached. */
  private sumsOfAll(shops: PickProbabilities['shops']): readonly ShopSums[] {
    if (shops !== this.lastShops) {
      this.lastShops = shops;
      this.lastSums = shops.map(({ shop }) => this.sumsOf(shop.id));
    }
    return this.lastSums;
  }

  private sumsOf(shopId: number): ShopSums {
    let sums = this.shops.get(shopId);
    if (!sums) this.shops.set(shopId, (sums = new ShopSums()));
    return sums;
  }
}
