import { describe, expect, it } from '@jest/globals';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { type Coverage, coveredShare } from '../../../../test/support/insight/coverage.js';
import { RolloutScenario, runScenario, type ScenarioPlan } from '../../../../test/support/rollouts/rollout-scenario.js';
import { SeededRandom } from '../../../../src/shared/seeded-random.js';
import { compareVersions } from './comparison.js';
import { paymentsForPower } from './guardrail-power.js';
import { outcomesByStage, outcomesOf } from './stage-outcomes.js';

// Merchants with rollouts, from fixed seeds, so that no run fails by chance. A check in each minute.
const SCENARIOS = runs(250);
const MINUTES = 30;
const MIN_PAYMENTS = 20;
const CONFIDENCE = 0.95;

type Kind = 'steady' | 'drifting' | 'shared customers' | 'divided customers';
const KINDS: Kind[] = ['steady', 'steady', 'drifting', 'shared customers', 'divided customers'];

const kindOf = (seed: number): Kind => KINDS[seed % KINDS.length]!;

/** `dropped`: the drop of the candidate, as a multiple of the guardrail's. `length`: in payments needed. */
function planOf(seed: number, dropped: number, length: number): ScenarioPlan {
  const random = new SeededRandom('plan', seed);
  const kind = kindOf(seed);
  const hasCustomers = kind === 'shared customers' || kind === 'divided customers';
  const rate = hasCustomers ? random.between(0.8, 0.92) : random.pick([0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99]);
  const maxDropPoints = hasCustomers ? random.integer(4, 10) : random.pick([1, 2, 5, 10]);
  const percents = kind === 'drifting' ? [1, 5, 20, 50] : [random.pick(hasCustomers ? [20, 50] : [1, 5, 20, 50])];
  const last = kind === 'drifting' ? rate + (rate < 0.8 ? 0.15 : -0.15) : rate;
  const needed = paymentsForPower({
    rate: last,
    share: percents.at(-1)! / 100,
    drop: maxDropPoints / 100,
    limit: -Math.log(1 - CONFIDENCE),
    designEffect: 1,
    minPayments: MIN_PAYMENTS,
  })!;
  return {
    guardrail: { maxDropPoints, minPayments: MIN_PAYMENTS, confidence: CONFIDENCE },
    rates: [rate, last],
    drop: (dropped * maxDropPoints) / 100,
    percents,
    minutes: MINUTES,
    paymentsPerMinute: Math.max(2, Math.ceil((needed * length) / MINUTES)),
    ...(hasCustomers && {
      customers: {
        key: kind === 'divided customers' ? 'customer' : 'payment',
        number: random.integer(1_000, 3_000),
        unlucky: 0.15,
        burst: random.between(1.2, 2.5),
      },
    }),
  };
}

const seeds = (count: number, first: number): number[] => Array.from({ length: count }, (_, index) => first + index);

const shareOf = <T>(items: T[], matches: (item: T) => boolean): number => items.filter(matches).length / items.length;

/** A test for a fixed number of payments at a confidence of 95 %, repeated every minute. */
function isEverSignificant(plan: ScenarioPlan, seed: number): boolean {
  const scenario = new RolloutScenario(plan, seed);
  while (!scenario.isOver) {
    scenario.next();
    const stages = outcomesByStage(scenario.counts);
    const [base, candidate] = [outcomesOf(stages, 'base'), outcomesOf(stages, 'candidate')];
    if (Math.min(base.payments, candidate.payments) < MIN_PAYMENTS) continue;
    const rate = (base.approved + candidate.approved) / (base.payments + candidate.payments);
    const variance = rate * (1 - rate) * (1 / base.payments + 1 / candidate.payments);
    const drop = base.approved / base.payments - candidate.approved / candidate.payments;
    if (drop > 1.645 * Math.sqrt(variance)) return true;
  }
  return false;
}

const isAborted = (plan: ScenarioPlan, seed: number): boolean => runScenario(plan, seed).crossedAfter !== null;

describe('checkGuardrail in simulated scenarios', () => {
  it('aborts at most 5 % of the candidates that are as good as the base', () => {
    const aborted = seeds(SCENARIOS, 1).filter((seed) => isAborted(planOf(seed, 0, 1.5), seed));
    expect(aborted.length / SCENARIOS).toBeLessThanOrEqual(1 - CONFIDENCE);
    for (const kind of KINDS) {
      const [all, some] = [seeds(SCENARIOS, 1), aborted].map((these) => these.filter((seed) => kindOf(seed) === kind));
      // 5 % with two standard deviations
      expect(some!.length / all!.length).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / all!.length));
    }
  });

  it('decides as well by the payments of one to three customers, if each payment is divided', () => {
    const few = (seed: number, dropped: number) => {
      const plan = planOf(seed, dropped, 1.3);
      return { ...plan, customers: { ...plan.customers!, number: 1 + (seed % 3) } };
    };
    const shared = seeds(4 * SCENARIOS, 60_001)
      .filter((seed) => kindOf(seed) === 'shared customers')
      .slice(0, runs(150));
    const falseAlarms = shareOf(shared, (seed) => isAborted(few(seed, 0), seed));
    expect(falseAlarms).toBeLessThan(0.05 + 2 * Math.sqrt((0.05 * 0.95) / shared.length));
    expect(shareOf(shared, (seed) => isAborted(few(seed, 1), seed))).toBeGreaterThan(0.85);
  });

  it('differs from a repeated test of fixed size, which aborts a fifth of them', () => {
    const steady = seeds(runs(200), 1).filter((seed) => kindOf(seed) === 'steady');
    expect(shareOf(steady, (seed) => isEverSignificant(planOf(seed, 0, 2), seed))).toBeGreaterThan(0.15);
  });

  // the number of payments is predicted for 90 %; how much less the payments of divided customers show is estimated
  // with 400 cases a share has a standard deviation of 1.6 %; with 100, of 3 %, which the distance to the bounds does not cover
  it.each<[Kind, number, number]>([
    ['steady', 0.88, 1.3],
    ['shared customers', 0.85, 1.3],
    ['divided customers', 0.82, 5],
  ])('finds drops of its size within the payments that it predicts: %s', (kind, least, length) => {
    const some = seeds(runs(5_000, 2 / 5), 10_001)
      .filter((seed) => kindOf(seed) === kind)
      .slice(0, runs(1_000, 2 / 5));
    const found = shareOf(some, (seed) => {
      const plan = planOf(seed, 1, length);
      // a real rollout has thousands of minutes: few large steps would be late by half a step
      const finer = { ...plan, minutes: 2 * MINUTES, paymentsPerMinute: Math.ceil(plan.paymentsPerMinute / 2) };
      const { crossedAfter, lastCheck } = runScenario(finer, seed);
      return crossedAfter !== null && crossedAfter <= lastCheck.paymentsNeeded!;
    });
    expect(found).toBeGreaterThan(least);
  });

  it.each([
    ['hardly any of the better candidates', -0.5, 0, 0.005],
    ['few candidates with a quarter of the drop', 0.25, 0.05, 0.25],
    ['about half of the candidates with half of the drop', 0.5, 0.35, 0.65],
  ])('aborts %s', (_, dropped, least, most) => {
    const steady = seeds(runs(125), 30_001).filter((seed) => kindOf(seed) === 'steady');
    const aborted = shareOf(steady, (seed) => isAborted(planOf(seed, dropped, 2), seed));
    expect(aborted).toBeGreaterThanOrEqual(least);
    expect(aborted).toBeLessThanOrEqual(most);
  });
});

describe('compareVersions in simulated scenarios', () => {
  it('returns intervals that contain the true difference in about 95 %', () => {
    const coverage: Coverage = { intervals: 0, covered: 0, width: 0 };
    for (const seed of seeds(runs(100), 40_001)) {
      const plan = planOf(seed, seed % 2, 0.7);
      const scenario = new RolloutScenario(plan, seed);
      while (!scenario.isOver) scenario.next();
      const stages = plan.percents.map((percent, index) => ({ stage: index + 1, percent }));
      const { difference } = compareVersions(scenario.counts, stages);
      if (!difference) continue;
      coverage.intervals++;
      if (difference.low <= -plan.drop && -plan.drop <= difference.high) coverage.covered++;
    }
    expect(coverage.intervals).toBeGreaterThan(0.9 * runs(100));
    expect(coveredShare(coverage)).toBeGreaterThan(0.92);
    expect(coveredShare(coverage)).toBeLessThan(0.98);
  });
});
