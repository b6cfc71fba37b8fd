import { independentDifference, type Interval, rateInterval } from '@payment-orchestrator/routing/statistics/intervals';
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
}

export function cellOf(row: CellRow, isBeforeCounted: boolean): Cell {
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

/**
 * Wilson's interval; `null`: no attempt has ended. A long log is not read as a whole, so a correction may be counted before
 * the outcome that it corrects.
 */
function rateOf(...counted: [approved: number, others: number]): Interval | null {
  const [approved, others] = counted.map((count) => Math.max(0, count)) as [number, number];
  const size = approved + others;
  if (size <= 0) return null;
  const rate = approved / size;
  return rateInterval(rate, (rate * (1 - rate)) / size, size, QUANTILE);
}

/**
 * Cells whose rate fell most surely come first: ordered by the upper end of the change's interval. So a cell with few
 * attempts comes before others only if it fell far. Cells without a change keep their order, at the end.
 */
export const byChange = (one: Cell, other: Cell): number => (one.change?.high ?? 2) - (other.change?.high ?? 2);
