import type { DecisionTrace } from '../routing/decision-trace.js';
import type { PickProbabilities } from '../routing/pick-probabilities.js';
import { hash32 } from '../routing/strategies/hash.js';
import { mightHavePicked, type PastPayment } from './past-payment.js';

/**
 * Payments of one customer come out alike, and `sticky` sends them to one shop, so the unit of chance is the customer. So
 * many groups of customers tell the spread as well as all customers do, in memory that does not grow.
 */
export const GROUPS = 256;

const GROUP_SALT = 6;

/** A probability has six digits. */
const ROUNDING = 1e-5;

/** What is known of one shop. Arrays are by group of customers. */
export class ShopSums {
  /** Payments that the past decisions sent to it, and how many of them it approved. */
  picks = 0;
  approvals = 0;
  /** What the draft is expected to send to it of payments that might have gone there in the past, too. */
  readonly expected = new Float64Array(GROUPS);
  /** The same of payments that could not have gone there. */
  unknown = 0;
  /** Weights of the payments that it approved, and of those that it did not. */
  readonly approved = new Float64Array(GROUPS);
  readonly declined = new Float64Array(GROUPS);
  squaredWeights = 0;
}

/**
 * What past payments tell about the approval rate of a draft (docs/integrate/payments-and-flows.md), as sums from which `approvalEstimate`
 * follows. A payment's weight is how likely the draft is to pick its shop, in proportion to how likely its own decision
 * was. What it holds grows with the number of shops alone.
 */
export class ApprovalSums {
  readonly shops = new Map<number, ShopSums>();
  /** By group: payments that count, how many of them were approved, and how many no shop of the draft takes. */
  readonly payments = new Float64Array(GROUPS);
  readonly approved = new Float64Array(GROUPS);
  readonly refused = new Float64Array(GROUPS);
  /** Whether the draft picks each payment's shop as likely as its own decision did. */
  isUnchanged = true;
  /** Payments that do not count, because it is not known whether the shop approved them, … */
  withoutOutcome = 0;
  /** … or, that being known, how likely their decision was. */
  withoutProbability = 0;
  private readonly knownByVersion = new Map<number | null, ReadonlySet<number>>();
  private lastShops: PickProbabilities['shops'] | undefined;
  private lastSums: readonly ShopSums[] = [];

  /** `draftOf`: what the draft picks from; asked for only where the payment counts. */
  add(payment: PastPayment, draftOf: () => PickProbabilities): void {
    const { approved, decision } = payment;
    if (approved === undefined) this.withoutOutcome++;
    else if (decision?.probability === undefined) this.withoutProbability++;
    else this.count(payment, approved, decision.probability, this.known(decision), draftOf());
  }

  private count(
    { id, customerId, picked }: PastPayment,
    isApproved: boolean,
    probability: number,
    known: ReadonlySet<number>,
    { shops, of }: PickProbabilities,
  ): void {
    const group = hash32(customerId ?? id, customerId === null ? 0 : 1, GROUP_SALT) % GROUPS;
    const sums = this.sumsOfAll(shops);
    let ofPick = 0;
    for (let index = 0; index < shops.length; index++) {
      const shopId = shops[index]!.shop.id;
      const share = of[index]!;
      if (shopId === picked) ofPick = share;
      if (known.has(shopId)) sums[index]!.expected[group]! += share;
      else sums[index]!.unknown += share;
    }
    this.weigh(this.sumsOf(picked), ofPick / probability, isApproved, group);
    this.payments[group]!++;
    if (isApproved) this.approved[group]!++;
    if (shops.length === 0) this.refused[group]!++;
  }

  /** Most decisions of a version choose from all of its shops: one set for all of these. */
  private known(decision: DecisionTrace): ReadonlySet<number> {
    const { flow_version: version, failed, reasoning } = decision;
    if (reasoning?.by === 'priority' || Object.keys(failed).length > 0) return mightHavePicked(decision);
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

  /** The draft chooses from the same list again and again. */
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
