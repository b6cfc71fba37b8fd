import { differenceInterval, type Interval, rateInterval, studentQuantile } from '../statistics/intervals.js';
import type { RolloutCount, RolloutTotal } from './stage-outcomes.js';
import {
  comparisonWeights,
  covariance,
  outcomesByStage,
  outcomesIn,
  outcomesOf,
  ownWeights,
  type Role,
  type StageOutcomes,
  totalOf,
  type WeightedRate,
  weightedRate,
} from './stage-outcomes.js';

export interface VersionApprovals extends RolloutTotal {
  /** Approved of all approved, declined and refused payments, with a 95 % interval; `null`: there are none. */
  rate: Interval | null;
  /** Share of all payments of the rollout, with refused ones, 0 … 1; `null`: there are none. */
  share: number | null;
  /** The share by the percent of each stage. */
  plannedShare: number;
}

/** The reason why there is no difference. */
export type ComparisonDoubt = 'not_enough_payments';

export interface VersionComparison {
  base: VersionApprovals;
  candidate: VersionApprovals;
  /** Candidate minus base, within stages, with a 95 % interval; `null`: `doubt` has the reason. */
  difference: Interval | null;
  doubt: ComparisonDoubt | null;
}

/** The minimum numbers of outcomes, and of clusters of customers, of each version for a difference. */
const MIN_PAYMENTS = 30;
const MIN_CLUSTERS = 20;

/** Compares the approvals of both versions. `stages`: all stages so far, the present one last. Pure. */
export function compareVersions(
  counts: readonly RolloutCount[],
  stages: readonly { stage: number; percent: number }[],
): VersionComparison {
  const outcomes = outcomesByStage(counts);
  const planned = plannedShare(counts, stages);
  const difference = differenceOf(counts, outcomes);
  return {
    base: { ...approvalsOf(counts, outcomes, 'base'), plannedShare: 1 - planned },
    candidate: { ...approvalsOf(counts, outcomes, 'candidate'), plannedShare: planned },
    difference,
    doubt: difference ? null : 'not_enough_payments',
  };
}

function approvalsOf(
  counts: readonly RolloutCount[],
  stages: readonly StageOutcomes[],
  role: Role,
): Omit<VersionApprovals, 'plannedShare'> {
  const all = routedIn(totalOf(counts));
  const total = totalOf(counts, role);
  const weights = ownWeights(stages, role);
  return {
    ...total,
    rate: outcomesIn(total) === 0 ? null : intervalOf(weightedRate(counts, stages, role, weights)),
    share: all === 0 ? null : routedIn(total) / all,
  };
}

function differenceOf(counts: readonly RolloutCount[], stages: readonly StageOutcomes[]): Interval | null {
  const weights = comparisonWeights(stages);
  const base = weightedRate(counts, stages, 'base', weights);
  const candidate = weightedRate(counts, stages, 'candidate', weights);
  for (const role of ['base', 'candidate'] as const) if (outcomesOf(stages, role).payments < MIN_PAYMENTS) return null;
  if (Math.min(base.clusters, candidate.clusters) < MIN_CLUSTERS) return null;
  return differenceInterval(intervalOf(candidate), intervalOf(base), correlation(candidate, base));
}

/** Customers with payments at both versions have errors in common. */
function correlation(one: WeightedRate, other: WeightedRate): number {
  const both = Math.sqrt(covariance(one, one) * covariance(other, other));
  return both === 0 ? 0 : covariance(one, other) / both;
}

function intervalOf(weighted: WeightedRate): Interval {
  const { rate, clusters, size } = weighted;
  if (clusters < 2) return { estimate: rate, low: 0, high: 1 };
  const variance = (covariance(weighted, weighted) * clusters) / (clusters - 1);
  return rateInterval(rate, variance, size, studentQuantile(clusters - 1));
}

/** The percents of the stages, weighted by their payments; before the first payment, the present one's percent. */
function plannedShare(counts: readonly RolloutCount[], stages: readonly { stage: number; percent: number }[]): number {
  const percents = new Map(stages.map(({ stage, percent }) => [stage, percent]));
  const all = routedIn(totalOf(counts));
  if (all === 0) return stages.at(-1)!.percent / 100;
  return counts.reduce((sum, count) => sum + (routedIn(count) * percents.get(count.stage)!) / 100, 0) / all;
}

const routedIn = ({ payments, refused }: RolloutTotal): number => payments + refused;
