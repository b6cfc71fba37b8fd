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
 * The whole hours with the given times. Without `to` the last one is the present hour, and without `from` there are 24.
 * Throws `malformed_request`.
 */
export function periodOf(given: { from?: string | undefined; to?: string | undefined }, now: Date): Period {
  const to = hourEnd(given.to === undefined ? now.getTime() + 1 : Date.parse(given.to));
  const from = given.from === undefined ? to - DAY_MS : hourStart(Date.parse(given.from));
  if (from >= to) throw malformed('from', 'must be before to, and not in the future');
  if (to - from > KEPT_DAYS * DAY_MS) throw malformed('from', `must be at most ${KEPT_DAYS} days before to`);
  return { from: new Date(from), to: new Date(to), before: new Date(2 * from - to) };
}

/** The beginning of the oldest hour that is kept. */
export const firstKeptHour = (now: Date): Date => new Date(hourStart(now.getTime()) - KEPT_DAYS * DAY_MS);

const hourStart = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
const hourEnd = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

const malformed = (field: string, message: string): Problem =>
  new Problem('malformed_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });
