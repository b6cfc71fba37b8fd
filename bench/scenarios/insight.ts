import { coverageOf, type CoverageReport, coveredShare } from '../../test/support/insight/coverage.js';
import type { Scenario } from '../harness/context.js';
import type { Comparison } from '../support/report.js';

/** Scenarios with an estimate for a draft that differs from the past. */
const SCENARIOS = { full: 1_000, quick: 200 };
/** The share of a thousand 95 % intervals that contain the true value; outside of these bounds in one of 300 runs. */
const LEAST = 0.93;
const MOST = 0.97;

export const insight: Scenario = {
  about: "how often a backtest's intervals contain the true approval rate, in simulated scenarios",
  run(context) {
    const scenarios = context.args.quick ? SCENARIOS.quick : SCENARIOS.full;
    const started = performance.now();
    const report = coverageOf(scenarios);
    const seconds = (performance.now() - started) / 1_000;
    const rows: Comparison[] = [
      ...(['before', 'after', 'difference'] as const).flatMap((name) => rowsOf(name, report)),
      { label: 'all scenarios', samples: [report.scenarios] },
      { label: 'scenarios whose draft decides as in the past', samples: [report.unchanged] },
      ...[...report.doubts].map(([doubt, count]) => ({ label: `scenarios with ${doubt}`, samples: [count] })),
      { label: 'seconds', samples: [seconds] },
    ];
    context.report.add(`insight: ${scenarios.toLocaleString('en-US')} scenarios`, rows);
    return Promise.resolve();
  },
};

function rowsOf(name: 'before' | 'after' | 'difference', report: CoverageReport): Comparison[] {
  const samples = [coveredShare(report[name])];
  const { width, intervals } = report[name];
  const label = `${name}: share of intervals that contain the true value`;
  return [
    { label, samples, key: `insight.${name}.least`, bar: { atLeast: LEAST } },
    { label, samples, key: `insight.${name}.most`, bar: { atMost: MOST } },
    { label: `${name}: intervals`, samples: [intervals] },
    { label: `${name}: mean width`, samples: [width / intervals] },
  ];
}
