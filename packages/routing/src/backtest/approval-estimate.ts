import { type ApprovalSums, GROUPS, type ShopSums } from './approval-sums.js';
import { differenceInterval, type Interval, rateInterval, studentQuantile } from '../statistics/intervals.js';

/** The reason why there is no estimate for the draft. */
export type Doubt = 'not_enough_payments' | 'not_enough_overlap';

/** Approval rates at the first shop of payments, for the past decisions and for the draft. */
export interface ApprovalEstimate {
  /** The number of payments that the estimate is based on. */
  payments: number;
  before: Interval | null;
  /** `null`, like `difference`, if there is a doubt. */
  after: Interval | null;
  /** `after` minus `before`. */
  difference: Interval | null;
  /** The number of payments decided by the draft itself that would give an equally precise estimate. */
  effectivePayments: number;
  /** The share of the draft's payments that past payments give evidence for, 0 … 1. */
  overlap: number;
  doubt: Doubt | null;
}

/** The minimum number of payments, and of customer groups, for an estimate. */
const MIN_PAYMENTS = 30;
const MIN_GROUPS = 20;
/** The minimum of `effectivePayments` for an estimate. */
const MIN_EFFECTIVE_PAYMENTS = 30;
/** The minimum of `overlap` for an estimate. */
const MIN_OVERLAP = 0.95;
/**
 * The minimum sum of weights, relative to the expected sum. Below it, the most important payments were too rare to be
 * observed.
 */
const MIN_WEIGHT = 0.5;

/** A rate, and the contribution of each customer group to its error. */
interface Estimated {
  rate: number;
  influence: Float64Array;
}

/** Both rates with their 95 % intervals, see docs/integrate/payments-and-flows.md. Pure. */
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

function doubtOf({ lacksEvidence }: DraftRate, payments: number, groups: number): Doubt | null {
  if (payments < MIN_PAYMENTS || groups < MIN_GROUPS) return 'not_enough_payments';
  return lacksEvidence ? 'not_enough_overlap' : null;
}

function pastRate({ approved, payments }: ApprovalSums, count: number): Estimated {
  const rate = sumOf(approved) / count;
  return { rate, influence: payments.map((groupSize, group) => (approved[group]! - rate * groupSize) / count) };
}

function intervalOf(estimated: Estimated, size: number, groups: number): Interval {
  if (groups < 2) return { estimate: estimated.rate, low: 0, high: 1 };
  const variance = (productOf(estimated, estimated) * groups) / (groups - 1);
  // a few payments of large weight estimate the variance no better than as many payments of equal weight
  return rateInterval(estimated.rate, variance, size, studentQuantile(Math.min(groups, size) - 1));
}

/**
 * Extends the interval for payments without evidence in the past: none or all of them may be approved. `above`: the
 * rate that the interval is relative to. Without such payments the interval is unchanged.
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
 * The approval rate of a draft: the shops' own rates in the draft's mix, corrected by the weighted deviation of
 * payments from their shop's rate (Robins, Rotnitzky and Zhao 1994, with the weights divided by their sum). A payment
 * that no shop takes, or that a rule declines, counts as not approved.
 */
class DraftRate {
  readonly overlap: number;
  readonly effectivePayments: number;
  private readonly shops: RatedShop[];
  private readonly refused: number;
  /**
   * The expected number of payments that the draft sends to shops with evidence in the past, and the sum of weights.
   */
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

  /** Whether the draft decides as the past did, as far as the data shows. */
  get isUnchanged(): boolean {
    return this.sums.isUnchanged && sum([...this.sums.shops.values()], ({ unknown }) => unknown) === 0;
  }

  get lacksEvidence(): boolean {
    if (this.isUnchanged) return false;
    const isNotObserved = this.overlap < MIN_OVERLAP || this.weight < MIN_WEIGHT * this.expected;
    return isNotObserved || this.effectivePayments < MIN_EFFECTIVE_PAYMENTS;
  }

  /** The estimate for the payments with evidence; must not be called if `lacksEvidence`. */
  estimated(): Estimated {
    const { shops, expected, weight } = this;
    const base = this.refused + expected;
    const scale = weight === 0 ? 0 : expected / weight;
    const correction = weight === 0 ? 0 : sum(shops, (shop) => shop.deviation) / weight;
    const rate = sum(shops, (shop) => shop.expected * (shop.rate + correction)) / base;
    const influence = new Float64Array(GROUPS);
    for (let group = 0; group < GROUPS; group++) {
      const shopSum = sum(
        shops,
        (shop) =>
          shop.sums.expected[group]! * (shop.rate + correction - rate) + scale * shop.deviationIn(group, correction),
      );
      influence[group] = (shopSum - rate * this.sums.refused[group]!) / base;
    }
    return { rate, influence };
  }
}

/**
 * A shop with its own approval rate, moved towards the rate of all shops by one payment's weight. A payment is compared
 * with the rate of the other payments. If it were included, a shop with few payments would seem to be known exactly.
 */
class RatedShop {
  readonly rate: number;
  readonly expected: number;
  readonly weight: number;
  /** The weighted sum of deviations of payments from their shop's rate. */
  readonly deviation: number;
  private readonly approvedDeviation: number;
  private readonly declinedDeviation: number;

  constructor(
    readonly sums: ShopSums,
    overall: number,
  ) {
    const { picks, approvals } = sums;
    this.rate = (approvals + overall) / (picks + 1);
    this.approvedDeviation = 1 - (approvals - 1 + overall) / picks;
    this.declinedDeviation = -(approvals + overall) / picks;
    this.expected = sumOf(sums.expected);
    const [approved, declined] = [sumOf(sums.approved), sumOf(sums.declined)];
    this.weight = approved + declined;
    this.deviation = approved * this.approvedDeviation + declined * this.declinedDeviation;
  }

  deviationIn(group: number, correction: number): number {
    const { approved, declined } = this.sums;
    return (
      approved[group]! * (this.approvedDeviation - correction) +
      declined[group]! * (this.declinedDeviation - correction)
    );
  }
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((one, other) => one + other, 0);

const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);
