import type { Interval } from '@payment-orchestrator/routing/statistics/intervals';
import { insightScenario, type InsightScenario } from './insight-scenario.js';

/** How often intervals contain the true value, and how wide they are. */
export interface Coverage {
  intervals: number;
  covered: number;
  /** Sum of the widths. */
  width: number;
}

export interface CoverageReport {
  scenarios: number;
  /** Scenarios without an estimate for the draft, by the reason. */
  doubts: Map<string, number>;
  /** Scenarios whose draft decides as in the past. */
  unchanged: number;
  before: Coverage;
  after: Coverage;
  difference: Coverage;
}

const nothing = (): Coverage => ({ intervals: 0, covered: 0, width: 0 });

/** About half of the scenarios have an estimate for another draft. */
const MAX_SCENARIOS_PER_ESTIMATE = 4;

/** Runs scenarios from seed 1 on, until this many drafts have an estimate. */
export function coverageOf(estimates: number): CoverageReport {
  const report: CoverageReport = {
    scenarios: 0,
    doubts: new Map(),
    unchanged: 0,
    before: nothing(),
    after: nothing(),
    difference: nothing(),
  };
  while (report.after.intervals < estimates && report.scenarios < MAX_SCENARIOS_PER_ESTIMATE * estimates) {
    count(report, insightScenario(++report.scenarios));
  }
  return report;
}

export const coveredShare = ({ covered, intervals }: Coverage): number => covered / intervals;

function count(report: CoverageReport, { estimate, truth }: InsightScenario): void {
  const { before, after, difference, doubt } = estimate;
  if (doubt) report.doubts.set(doubt, (report.doubts.get(doubt) ?? 0) + 1);
  add(report.before, before, truth.before);
  // an unchanged draft has no difference to estimate
  if (difference?.low === 0 && difference.high === 0) report.unchanged++;
  else {
    add(report.after, after, truth.after);
    add(report.difference, difference, truth.after - truth.before);
  }
}

function add(coverage: Coverage, interval: Interval | null, truth: number): void {
  if (!interval) return;
  coverage.intervals++;
  if (interval.low <= truth && truth <= interval.high) coverage.covered++;
  coverage.width += interval.high - interval.low;
}
