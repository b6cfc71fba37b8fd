import { independentDifference, type Interval, rateInterval } from '@payment-orchestrator/routing/statistics/intervals';
import { chanceOfDifference, differences, type Successes } from '@payment-orchestrator/routing/statistics/significance';
import type { CellRow } from './approvals.queries.js';

/** The width of an interval of 95 %, in standard deviations. */
const QUANTILE = 1.959964;

/** A cell's approval rate, and its change since the period before. */
export interface Cell {
  row: CellRow;
  attempts: number;
  rate: Interval | null;
  /** `null`: the period before was not counted as a whole. */
  before: { attempts: number; rate: Interval | null } | null;
  change: Interval | null;
  /** Whether the change is more than chance, among those of all cells; `null`: unknown without a change. */
  isSignificant: boolean | null;
}

/** The share of significant changes that may be by chance, on average. */
const FALSE_DISCOVERIES = 0.05;

/** The cells of rows, in their order. Pure. */
export function cellsOf(rows: readonly CellRow[], isBeforeCounted: boolean): Cell[] {
  const cells = rows.map((row) => cellOf(row, isBeforeCounted));
  const changed = cells.filter(({ change }) => change !== null);
  const chances = changed.map(({ row }) =>
    chanceOfDifference(
      successesOf(row.approved, row.declined + row.failed),
      successesOf(row.approved_before, row.declined_before + row.failed_before),
    ),
  );
  const isReal = differences(chances, FALSE_DISCOVERIES);
  const significant = new Set(changed.filter((_, index) => isReal[index]));
  return cells.map((cell) => ({ ...cell, isSignificant: cell.change && significant.has(cell) }));
}

function cellOf(row: CellRow, isBeforeCounted: boolean): Omit<Cell, 'isSignificant'> {
  const rate = rateOf(row.approved, row.declined + row.failed);
  const before = rateOf(row.approved_before, row.declined_before + row.failed_before);
  const attemptsBefore = row.approved_before + row.declined_before + row.failed_before + row.pending_before;
  return {
    row,
    attempts: row.approved + row.declined + row.failed + row.pending,
    rate,
    before: isBeforeCounted ? { attempts: attemptsBefore, rate: before } : null,
    change: isBeforeCounted && rate && before ? independentDifference(rate, before) : null,
  };
}

/** A long log is not read as a whole, so a correction may be counted before the outcome that it corrects. */
export function successesOf(approved: number, others: number): Successes {
  const successes = Math.max(0, approved);
  return { successes, trials: successes + Math.max(0, others) };
}

/** Wilson's interval; `null`: no attempt has ended. */
function rateOf(approved: number, others: number): Interval | null {
  const { successes, trials } = successesOf(approved, others);
  if (trials === 0) return null;
  const rate = successes / trials;
  return rateInterval(rate, (rate * (1 - rate)) / trials, trials, QUANTILE);
}

/**
 * Cells whose rate fell most surely come first: significant falls, then the others, each ordered by the upper end of the
 * change's interval. So a cell with few attempts comes before others only if it fell far. Cells without a change keep
 * their order, at the end.
 */
export const byChange = (one: Cell, other: Cell): number => sureness(one) - sureness(other);
const sureness = ({ change, isSignificant }: Cell): number =>
  change === null ? Infinity : change.high - (isSignificant && change.estimate < 0 ? 2 : 0);
