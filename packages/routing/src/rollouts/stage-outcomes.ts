/**
 * Payments of one version in one stage of a rollout and one cluster, which is a 256th of the customers. Payments of a
 * customer have similar outcomes, so clusters are the independent units. The service counts them by triggers.
 */
export interface RolloutCount extends RolloutTotal {
  /** From 1. */
  stage: number;
  /** `false`: the base. */
  candidate: boolean;
  /** 0 … 255. */
  cluster: number;
}

/** Payments by outcome. */
export interface RolloutTotal {
  /** Without refused ones. */
  payments: number;
  /** Completed, refunded or authorised, also after a void. */
  approved: number;
  /** Failed. Payments that are open, or cancelled without an authorisation, are neither approved nor declined. */
  declined: number;
  /** Requests that no shop took, which became no payment. They count as not approved. */
  refused: number;
}

export type Role = 'base' | 'candidate';

/** Payments of one version in one stage that were approved, declined or refused. */
export interface Outcomes {
  payments: number;
  approved: number;
}

export interface StageOutcomes {
  stage: number;
  base: Outcomes;
  candidate: Outcomes;
}

/** An approval rate, the mean of the stages' rates with given weights. */
export interface WeightedRate {
  rate: number;
  /** The variance of the rate if all payments were independent. */
  binomialVariance: number;
  /** The contribution of each cluster of customers to the error of the rate. */
  influence: Float64Array;
  /** The number of clusters of equal size that would show the variance equally well (Kish 1965). */
  clusters: number;
  /** The number of payments of one stage that would give an equally precise rate. */
  size: number;
}

const CLUSTERS = 256;

const roleOf = ({ candidate }: RolloutCount): Role => (candidate ? 'candidate' : 'base');

/** The sums of one version, or of both. */
export function totalOf(counts: readonly RolloutCount[], role?: Role): RolloutTotal {
  const total = { payments: 0, approved: 0, declined: 0, refused: 0 };
  for (const count of counts) {
    if (role !== undefined && roleOf(count) !== role) continue;
    total.payments += count.payments;
    total.approved += count.approved;
    total.declined += count.declined;
    total.refused += count.refused;
  }
  return total;
}

/** The number of payments with an outcome; a refusal is one. */
export const outcomesIn = ({ approved, declined, refused }: RolloutTotal): number => approved + declined + refused;

/** Stages without an outcome are left out. */
export function outcomesByStage(counts: readonly RolloutCount[]): StageOutcomes[] {
  const stages = new Map<number, StageOutcomes>();
  for (const count of counts) {
    const payments = outcomesIn(count);
    if (payments === 0) continue;
    const { stage } = count;
    if (!stages.has(stage)) stages.set(stage, { stage, base: none(), candidate: none() });
    const outcomes = stages.get(stage)![roleOf(count)];
    outcomes.payments += payments;
    outcomes.approved += count.approved;
  }
  return [...stages.values()];
}

const none = (): Outcomes => ({ payments: 0, approved: 0 });

/** The version's outcomes over all stages. */
export function outcomesOf(stages: readonly StageOutcomes[], role: Role): Outcomes {
  const total = none();
  for (const { [role]: outcomes } of stages) {
    total.payments += outcomes.payments;
    total.approved += outcomes.approved;
  }
  return total;
}

/**
 * Weights for a comparison within stages (Mantel and Haenszel 1959): a stage counts by the precision of its difference.
 * Within a stage the share of the candidate is constant, so a change of all rates over time cancels out. Over all stages
 * it would not: a candidate that gets most of its payments late would get the credit for a better day.
 */
export function comparisonWeights(stages: readonly StageOutcomes[]): Map<number, number> {
  const precision = ({ base, candidate }: StageOutcomes): number =>
    (base.payments * candidate.payments) / (base.payments + candidate.payments);
  return shares(stages, precision);
}

/** Weights that give the rate of all payments of a version. */
export const ownWeights = (stages: readonly StageOutcomes[], role: Role): Map<number, number> =>
  shares(stages, (stage) => stage[role].payments);

/** Without any weight the map is empty. */
function shares(stages: readonly StageOutcomes[], of: (stage: StageOutcomes) => number): Map<number, number> {
  const total = stages.reduce((sum, stage) => sum + of(stage), 0);
  const weighted = stages.filter((stage) => of(stage) > 0);
  return new Map(weighted.map((stage) => [stage.stage, of(stage) / total]));
}

/** The rate over the stages that `weights` names. In each of them the version must have an outcome. */
export function weightedRate(
  counts: readonly RolloutCount[],
  stages: readonly StageOutcomes[],
  role: Role,
  weights: ReadonlyMap<number, number>,
): WeightedRate {
  const strata = new Map<number, { rate: number; perPayment: number }>();
  const total = { rate: 0, binomialVariance: 0, inverseSize: 0 };
  for (const { stage, [role]: outcomes } of stages) {
    const weight = weights.get(stage);
    if (weight === undefined) continue;
    const rate = outcomes.approved / outcomes.payments;
    strata.set(stage, { rate, perPayment: weight / outcomes.payments });
    total.rate += weight * rate;
    total.binomialVariance += (weight ** 2 * rate * (1 - rate)) / outcomes.payments;
    total.inverseSize += weight ** 2 / outcomes.payments;
  }
  const influence = new Float64Array(CLUSTERS);
  const parts = new Float64Array(CLUSTERS);
  for (const count of counts) {
    const stratum = strata.get(count.stage);
    const payments = outcomesIn(count);
    if (!stratum || payments === 0 || roleOf(count) !== role) continue;
    influence[count.cluster]! += stratum.perPayment * (count.approved - stratum.rate * payments);
    parts[count.cluster]! += stratum.perPayment * payments;
  }
  const { rate, binomialVariance, inverseSize } = total;
  return { rate, binomialVariance, influence, clusters: 1 / productOf(parts, parts), size: 1 / inverseSize };
}

/** The covariance of two rates, from clusters that are independent of each other. */
export const covariance = ({ influence: one }: WeightedRate, { influence: other }: WeightedRate): number =>
  productOf(one, other);

function productOf(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
  return sum;
}
