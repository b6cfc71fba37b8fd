import { Problem } from '../../shared/problem.js';
import { KEPT_DAYS } from './approval-cells.queries.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whole hours, the last one excluded. */
export interface Period {
  from: Date;
  to: Date;
  /** The beginning of the period before, which is equally long. */
  before: Date;
}

/**
 * The whole hours with the given times. Without `to`, or with a later one, the last is the present hour: later hours have
 * no attempts. Without `from` there are 24. Throws `malformed_request`.
 */
export function periodOf(given: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const firstKept = firstKeptHour(now);
  const present = hourEnd(now.getTime() + 1);
  const to = Math.min(present, given.to === undefined ? present : hourEnd(Date.parse(given.to)));
  const from = given.from === undefined ? to - DAY_MS : hourStart(Date.parse(given.from));
  if (to <= firstKept.getTime()) throw malformed('to', `must be after ${firstKept.toISOString()}`, given.to);
  if (from >= to) throw malformed('from', 'must be before to, and not in the future', given.from);
  if (to - from > KEPT_DAYS * DAY_MS)
    throw malformed('from', `must be at most ${KEPT_DAYS} days before to`, given.from);
  return { from: new Date(from), to: new Date(to), before: new Date(2 * from - to) };
}

/** The beginning of the oldest hour that is kept. */
export const firstKeptHour = (now: Date): Date => new Date(hourStart(now.getTime()) - KEPT_DAYS * DAY_MS);

const hourStart = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
const hourEnd = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

function malformed(field: string, rule: string, given: string | undefined): Problem {
  const message = `${rule}, got ${JSON.stringify(given)}`;
  return new Problem('malformed_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });
}
