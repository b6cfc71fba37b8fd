import { type ApprovalSums, GROUPS, type ShopSums } from './approval-sums.js';
import { differenceInterval, type Interval, rateInterval, studentQuantile } from './intervals.js';

/** Why there is no estimate for the draft. */
export type Doubt = 'not_enough_payments' | 'not_enough_overlap';

/** Approval rates at the first shop of payments, of the past decisions and of the draft. */
export interface ApprovalEstimate {
  /** How many payments it rests on. */
  payments: number;
  before: Interval | null;
  /** `null`, like `difference`: there is a doubt. */
  after: Interval | null;
  /** How much `after` is above `before`. */
  difference: Interval | null;
  /** Of how many payments that the draft itself had decided the estimate is worth. */
  effectivePayments: number;
  /** The part of the draft's payments that the past can tell about, 0 … 1. */
  overlap: number;
  doubt: Doubt | null;
}

/** Fewer payments, or payments of fewer customers, tell nothing, … */
const MIN_PAYMENTS = 30;
const MIN_GROUPS = 20;
/** … and nor do payments that together are worth fewer, … */
const MIN_EFFECTIVE_PAYMENTS = 30;
/** … a past that leaves out more than a twentieth of what the draft does, … */
const MIN_OVERLAP = 0.95;
/** … or weights that add up to less than half of what is expected: what matters most was too rare to be seen. */
const MIN_WEIGHT = 0.5;

/** A rate with what each group of customers adds to its error. */
interface Estimated {
  rate: number;
  influence: Float64Array;
}

/** Both rates with their intervals of 95 %, see docs/integrate/payments-and-flows.md. Pure. */
export function approvalEstimate(sums: ApprovalSums): ApprovalEstimate {
  const payments = sumOf(sums.payments);
  const groups = sums.payments.filter((count) => count > 0).length;
  const past = pastRate(sums, payments);
  const draft = new DraftRate(sums, payments);
  const before = payments === 0 ? null : intervalOf(past, payments, groups);
  const { overlap, effectivePayments } = draft;
  const doubt = doubtOf(draft, payments, groups);
  const known = { payments, before, effectivePayments, overlap, doubt };
  if (!before || doubt) return { ...known, after: null, difference: null };
  if (draft.isUnchanged) return { ...known, after: before, difference: { estimate: 0, low: 0, high: 0 } };
  const estimated = draft.estimated();
  const after = intervalOf(estimated, effectivePayments, groups);
  const difference = differenceInterval(after, before, correlation(estimated, past));
  return { ...known, after: widened(after, overlap, 0), difference: widened(difference, overlap, before.estimate) };
}

function doubtOf({ isBlind }: DraftRate, payments: number, groups: number): Doubt | null {
  if (payments < MIN_PAYMENTS || groups < MIN_GROUPS) return 'not_enough_payments';
  return isBlind ? 'not_enough_overlap' : null;
}

function pastRate({ approved, payments }: ApprovalSums, count: number): Estimated {
  const rate = sumOf(approved) / count;
  return { rate, influence: payments.map((ofGroup, group) => (approved[group]! - rate * ofGroup) / count) };
}

function intervalOf(estimated: Estimated, size: number, groups: number): Interval {
  if (groups < 2) return { estimate: estimated.rate, low: 0, high: 1 };
  const variance = (productOf(estimated, estimated) * groups) / (groups - 1);
  // few payments of much weight tell the spread no better than so many equal ones
  return rateInterval(estimated.rate, variance, size, studentQuantile(Math.min(groups, size) - 1));
}

/**
 * Of payments that the past cannot tell about, none or all may be approved. `above`: what the rate is counted from. Without
 * such payments the interval stays as it is.
 */
function widened({ estimate, low, high }: Interval, overlap: number, above: number): Interval {
  const unknown = 1 - overlap;
  return { estimate, low: low - unknown * (low + above), high: high + unknown * (1 - above - high) };
}

function correlation(one: Estimated, other: Estimated): number {
  const both = Math.sqrt(productOf(one, one) * productOf(other, other));
  return both === 0 ? 0 : productOf(one, other) / both;
}

const productOf = ({ influence: one }: Estimated, { influence: other }: Estimated): number =>
  one.reduce((sum, each, group) => sum + each * other[group]!, 0);

/**
 * The approval rate of a draft: the shops' own rates as the draft mixes them, corrected by what the weighted payments did
 * better or worse than their shop's rate (Robins, Rotnitzky and Zhao 1994, with the weights divided by their sum). A payment
 * that no shop takes counts as not approved.
 */
class DraftRate {
  readonly overlap: number;
  readonly effectivePayments: number;
  private readonly shops: RatedShop[];
  private readonly refused: number;
  /** What the draft is expected to send to shops that the past tells about, and what the weights add up to. */
  private readonly expected: number;
  private readonly weight: number;

  constructor(
    private readonly sums: ApprovalSums,
    payments: number,
  ) {
    const overall = (sumOf(sums.approved) + 0.5) / (payments + 1);
    this.shops = [...sums.shops.values()].filter(({ picks }) => picks > 0).map((shop) => new RatedShop(shop, overall));
    this.refused = sumOf(sums.refused);
    this.expected = sum(this.shops, ({ expected }) => expected);
    this.weight = sum(this.shops, ({ weight }) => weight);
    this.overlap = payments === 0 ? 0 : Math.min(1, (this.refused + this.expected) / payments);
    const squares = sum(this.shops, ({ sums: { squaredWeights } }) => squaredWeights) + this.refused;
    this.effectivePayments = squares === 0 ? 0 : (this.weight + this.refused) ** 2 / squares;
  }

  /** The draft decides as the past did, as far as can be seen. */
  get isUnchanged(): boolean {
    return this.sums.isUnchanged && sum([...this.sums.shops.values()], ({ unknown }) => unknown) === 0;
  }

  get isBlind(): boolean {
    if (this.isUnchanged) return false;
    const isUnseen = this.overlap < MIN_OVERLAP || this.weight < MIN_WEIGHT * this.expected;
    return isUnseen || this.effectivePayments < MIN_EFFECTIVE_PAYMENTS;
  }

  /** Over what the past tells about; call it unless blind. */
  estimated(): Estimated {
    const { shops, expected, weight } = this;
    const base = this.refused + expected;
    const scale = weight === 0 ? 0 : expected / weight;
    const correction = weight === 0 ? 0 : sum(shops, (shop) => shop.surprise) / weight;
    const rate = sum(shops, (shop) => shop.expected * (shop.rate + correction)) / base;
    const influence = new Float64Array(GROUPS);
    for (let group = 0; group < GROUPS; group++) {
      const ofShops = sum(
        shops,
        (shop) =>
          shop.sums.expected[group]! * (shop.rate + correction - rate) + scale * shop.surpriseIn(group, correction),
      );
      influence[group] = (ofShops - rate * this.sums.refused[group]!) / base;
    }
    return { rate, influence };
  }
}

/**
 * A shop with its own approval rate, drawn towards that of all by one payment's worth. A payment is compared with the rate
 * of the others: with itself among them, a shop of few payments would seem to be known exactly.
 */
class RatedShop {
  readonly rate: number;
  readonly expected: number;
  readonly weight: number;
  /** By how much payments did better than their shop's rate, weighted. */
  readonly surprise: number;
  private readonly ofApproved: number;
  private readonly ofDeclined: number;

  constructor(
    readonly sums: ShopSums,
    overall: number,
  ) {
    const { picks, approvals } = sums;
    this.rate = (approvals + overall) / (picks + 1);
    this.ofApproved = 1 - (approvals - 1 + overall) / picks;
    this.ofDeclined = -(approvals + overall) / picks;
    this.expected = sumOf(sums.expected);
    const [approved, declined] = [sumOf(sums.approved), sumOf(sums.declined)];
    this.weight = approved + declined;
    this.surprise = approved * this.ofApproved + declined * this.ofDeclined;
  }

  surpriseIn(group: number, correction: number): number {
    const { approved, declined } = this.sums;
    return approved[group]! * (this.ofApproved - correction) + declined[group]! * (this.ofDeclined - correction);
  }
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((one, other) => one + other, 0);

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
