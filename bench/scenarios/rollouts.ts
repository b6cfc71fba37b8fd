import { runScenario, type ScenarioPlan } from '../../test/support/rollouts/rollout-scenario.js';
import type { Scenario } from '../harness/context.js';
import { median } from '../support/statistics.js';
import type { Comparison } from '../support/report.js';

const RUNS = { full: 1_000, quick: 200 };
const GUARDRAIL = { maxDropPoints: 2, minPayments: 20, confidence: 0.95 };
const RATE = 0.88;
const PERCENT = 50;
/** The drops of the candidate, in percent points, and how many payments a scenario has. */
const SCENARIOS = [
  { points: 0, payments: 40_000 },
  { points: 2, payments: 40_000 },
  { points: 5, payments: 20_000 },
  { points: 10, payments: 5_000 },
  { points: 20, payments: 2_000 },
  { points: 50, payments: 1_000 },
];
/** Checks in a scenario; the finest step is four payments. */
const CHECKS = 400;
/** False aborts of a thousand scenarios, at 5 %, are above this share in one of 300 runs. */
const MOST_FALSE = 0.07;

export const rollouts: Scenario = {
  about: 'guardrail of a rollout: false aborts, payments until it aborts, for drops of 2 to 50 points',
  run(context) {
    const runs = context.args.quick ? RUNS.quick : RUNS.full;
    const rows = SCENARIOS.flatMap(({ points, payments }) => rowsOf(points, payments, runs));
    context.report.add(`rollouts: a guardrail of ${GUARDRAIL.maxDropPoints} points, ${runs} scenarios each`, rows);
    return Promise.resolve();
  },
};

function rowsOf(points: number, payments: number, runs: number): Comparison[] {
  const paymentsPerMinute = Math.max(4, Math.ceil(payments / CHECKS));
  const plan: ScenarioPlan = {
    guardrail: GUARDRAIL,
    rates: [RATE, RATE],
    drop: points / 100,
    percents: [PERCENT],
    minutes: Math.ceil(payments / paymentsPerMinute),
    paymentsPerMinute,
  };
  const ends = Array.from({ length: runs }, (_, seed) => runScenario(plan, seed + 1).crossedAfter);
  const aborted = ends.filter((payments) => payments !== null);
  const share = { label: `${points} points lower: share aborted`, samples: [aborted.length / runs] };
  if (points === 0) return [{ ...share, key: 'rollouts.false_aborts', bar: { atMost: MOST_FALSE } }];
  return [share, { label: `${points} points lower: payments until it aborts, median`, samples: [median(aborted)] }];
}
