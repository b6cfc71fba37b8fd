import type { Interval } from '../../../src/flows/backtest/intervals.js';
import { insightWorld, type InsightWorld } from './insight-world.js';

/** How often intervals hold the truth, and how wide they are. */
export interface Coverage {
  intervals: number;
  covered: number;
  /** Sum of the widths. */
  width: number;
}

export interface CoverageReport {
  worlds: number;
  /** Worlds of which the backtest says nothing about the draft, by what it says instead. */
  doubts: Map<string, number>;
  /** Worlds whose draft decides as the past did. */
  unchanged: number;
  before: Coverage;
  after: Coverage;
  difference: Coverage;
}

const nothing = (): Coverage => ({ intervals: 0, covered: 0, width: 0 });

/** Of about half of the worlds the past tells something about another draft. */
const MAX_WORLDS_PER_ESTIMATE = 4;

/** Worlds from the seed 1 on, until so many drafts have an estimate. */
export function coverageOf(estimates: number): CoverageReport {
  const report: CoverageReport = {
    worlds: 0,
    doubts: new Map(),
    unchanged: 0,
    before: nothing(),
    after: nothing(),
    difference: nothing(),
  };
  while (report.after.intervals < estimates && report.worlds < MAX_WORLDS_PER_ESTIMATE * estimates) {
    count(report, insightWorld(++report.worlds));
  }
  return report;
}

export const coveredShare = ({ covered, intervals }: Coverage): number => covered / intervals;

function count(report: CoverageReport, { estimate, truth }: InsightWorld): void {
  const { before, after, difference, doubt } = estimate;
  if (doubt) report.doubts.set(doubt, (report.doubts.get(doubt) ?? 0) + 1);
  add(report.before, before, truth.before);
  // an unchanged draft has no difference at all: there is nothing to estimate
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
