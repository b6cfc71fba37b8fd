import type { RolloutKey } from '../decision/rollout.js';
import { studentQuantile } from '../statistics/intervals.js';
import { type Likelihoods, likelihoods, paymentsForPower } from './guardrail-power.js';
import type { RolloutCount } from './stage-outcomes.js';
import {
  comparisonWeights,
  covariance,
  outcomesByStage,
  type Outcomes,
  outcomesOf,
  ownWeights,
  type StageOutcomes,
  weightedRate,
} from './stage-outcomes.js';

/** The drop of approvals that ends a rollout. */
export interface Guardrail {
  /** In percent points of the approval rate. */
  maxDropPoints: number;
  /** The minimum number of outcomes of each version before the guardrail ends a rollout. */
  minPayments: number;
  /** The probability that a candidate as good as the base is never aborted, 0 … 1. */
  confidence: number;
}

export interface GuardrailCheck {
  /** 0 … 1; at 1 the rollout must be aborted, unless it is waiting for payments. */
  evidence: number;
  /** How much lower the candidate's approval rate is than the base's within the stages, in percent points; may be negative. */
  dropPoints: number;
  isWaitingForPayments: boolean;
  /** Whether the rollout must be aborted. */
  isCrossed: boolean;
  /**
   * Outcomes of both versions together, from the start of a rollout at this percent, after which a drop of the
   * guardrail's size is found with a probability of 90 %. `null`: unknown without an outcome of the base, or while all
   * outcomes of a version are of one customer who cannot decide; or never, because only one version gets payments or the
   * base has too few approvals to drop so far.
   */
  paymentsNeeded: number | null;
}

/**
 * Drops that the guardrail looks for, as multiples of its own, with their weights. Larger ones end a rollout sooner. Their
 * sum is 1, so that the weighted likelihood ratio is a martingale too.
 */
const DROPS = [
  { multiple: 1, weight: 0.8 },
  { multiple: 3, weight: 0.1 },
  { multiple: 8, weight: 0.1 },
] as const;

/**
 * Decides between "the candidate's approval rate is lower by the guardrail's drop or more" and "the rates are equal", by
 * Wald's sequential probability ratio test, mixed over drops (Robbins 1970). It may be called after every payment: at
 * equal rates the likelihood ratio is a martingale with mean 1, which ever reaches 1 / (1 - confidence) with a
 * probability of at most 1 - confidence (Ville 1939). Stages are compared separately. What is drawn is the unit of evidence: with the key `payment` each payment,
 * even if all are of one customer; with `customer` a customer's payments stay together, so dependent ones lower the
 * evidence. Pure.
 */
export function checkGuardrail(
  { maxDropPoints, minPayments, confidence }: Guardrail,
  counts: readonly RolloutCount[],
  { percent, key }: { percent: number; key: RolloutKey },
): GuardrailCheck {
  const stages = outcomesByStage(counts);
  const drop = maxDropPoints / 100;
  const limit = -Math.log(1 - confidence);
  const { dropped, designEffect, uncertainty } = compare(counts, stages, key);
  const ratio = mixedLogRatio(stages, drop, designEffect * uncertainty) / limit;
  // the ratio of rates near 100 % could be reached by less than half of the drop
  const evidence = Math.max(0, Math.min(1, ratio, dropped / (drop / 2)));
  const [base, candidate] = [outcomesOf(stages, 'base'), outcomesOf(stages, 'candidate')];
  const isWaitingForPayments = Math.min(base.payments, candidate.payments) < minPayments;
  return {
    evidence,
    dropPoints: dropped * 100,
    isWaitingForPayments,
    isCrossed: evidence === 1 && !isWaitingForPayments,
    paymentsNeeded:
      base.payments === 0 || uncertainty === Infinity
        ? null
        : paymentsForPower({
            rate: smoothed(base, 0.5),
            share: percent / 100,
            drop,
            limit: limit - Math.log(DROPS[0].weight),
            designEffect: designEffect * uncertainty,
            minPayments,
          }),
  };
}

interface Comparison {
  /** The drop within the stages. */
  dropped: number;
  /** The factor by which dependent payments increase the variance of the drop, at least 1. */
  designEffect: number;
  /** A factor for a design effect that is estimated from few clusters, which is too small at times. */
  uncertainty: number;
}

function compare(counts: readonly RolloutCount[], stages: readonly StageOutcomes[], key: RolloutKey): Comparison {
  const weights = comparisonWeights(stages);
  if (weights.size === 0) {
    const { clusters } = weightedRate(counts, stages, 'base', ownWeights(stages, 'base'));
    return { dropped: 0, designEffect: 1, uncertainty: key === 'customer' && clusters < 2 ? Infinity : 1 };
  }
  const base = weightedRate(counts, stages, 'base', weights);
  const candidate = weightedRate(counts, stages, 'candidate', weights);
  const dropped = base.rate - candidate.rate;
  if (key === 'payment') return { dropped, designEffect: 1, uncertainty: 1 };
  const binomial = base.binomialVariance + candidate.binomialVariance;
  const clustered = covariance(base, base) - 2 * covariance(base, candidate) + covariance(candidate, candidate);
  const designEffect = binomial === 0 ? 1 : Math.max(1, clustered / binomial);
  return { dropped, designEffect, uncertainty: uncertaintyOf(Math.min(base.clusters, candidate.clusters)) };
}

function uncertaintyOf(clusters: number): number {
  // one cluster shows nothing about the variance
  if (clusters < 2) return Infinity;
  return ((studentQuantile(clusters - 1) / studentQuantile(Infinity)) ** 2 * clusters) / (clusters - 1);
}

/**
 * The logarithm of the mean of the likelihood ratios of all drops, where a drop of everything counts as no evidence; `spread`
 * divides the evidence of dependent payments.
 */
function mixedLogRatio(stages: readonly StageOutcomes[], drop: number, spread: number): number {
  const possible = DROPS.filter(({ multiple }) => multiple === 1 || multiple * drop < 1);
  const beyondOne = ({ multiple, weight }: (typeof DROPS)[number]) =>
    weight * Math.expm1(logLikelihoodRatio(stages, multiple * drop) / spread);
  return Math.log1p(possible.reduce((sum, each) => sum + beyondOne(each), 0));
}

function logLikelihoodRatio(stages: readonly StageOutcomes[], drop: number): number {
  const [base, candidate] = [outcomesOf(stages, 'base'), outcomesOf(stages, 'candidate')];
  const overall = smoothed(sum(base, candidate), 0.5);
  return stages.reduce((total, stage) => total + stageRatio(stage, overall, drop), 0);
}

/**
 * The logarithm of the likelihood ratio of the stage's outcomes. The rate of both versions together is estimated; an
 * error of it cancels out, because the drop raises the base's rate and lowers the candidate's around it.
 */
function stageRatio(stage: StageOutcomes, overall: number, drop: number): number {
  const both = sum(stage.base, stage.candidate);
  const perPayment = likelihoods(smoothed(both, overall), stage.candidate.payments / both.payments, drop);
  return ratioOf(stage.base, perPayment.base) + ratioOf(stage.candidate, perPayment.candidate);
}

const ratioOf = ({ approved, payments }: Outcomes, perPayment: Likelihoods): number =>
  approved * perPayment.approved + (payments - approved) * perPayment.declined;

const sum = (one: Outcomes, other: Outcomes): Outcomes => ({
  payments: one.payments + other.payments,
  approved: one.approved + other.approved,
});

/** The rate, moved towards `prior` by one payment's weight, so that it is never 0 or 1. */
const smoothed = ({ approved, payments }: Outcomes, prior: number): number => (approved + prior) / (payments + 1);
