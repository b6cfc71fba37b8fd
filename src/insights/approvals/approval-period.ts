import { Problem } from '../../shared/problem.js';
import { KEPT_DAYS } from './approval-cells.queries.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** For this time there are counts by hour; older ones are of whole days in UTC. */
const HOURLY_MS = 48 * HOUR_MS;
/** Clocks of two processes differ by less: hours become days this much later than the first process stops to ask for them. */
const CLOCK_MARGIN_MS = HOUR_MS;

/** Whole hours, or days where hours are no longer known; the last one excluded. */
export interface Period {
  from: Date;
  to: Date;
  /** The beginning of the period before, which is equally long; or longer, if it begins with a whole day. */
  before: Date;
}

/**
 * The whole hours with the given times. Without `to`, or with a later one, the last is the present hour: later hours have
 * no attempts. Without `from` there are 24. A time of more than 48 hours ago stands for its whole day in UTC. Throws
 * `malformed_request`.
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
  const hourly = dayStart(now.getTime() - HOURLY_MS);
  const start = from < hourly ? dayStart(from) : from;
  const end = to < hourly ? dayEnd(to) : to;
  const before = 2 * start - end;
  return { from: new Date(start), to: new Date(end), before: new Date(before < hourly ? dayStart(before) : before) };
}

/** The steps of time of a period: hours where they are known: hours, or days in UTC. */
export const stepMsOf = ({ from, to }: Period, now: Date): number =>
  to.getTime() - from.getTime() <= HOURLY_MS && isHourly(from, now) ? HOUR_MS : DAY_MS;

/** Whether there are counts of that time by hour. */
export const isHourly = (time: Date, now: Date): boolean => time.getTime() >= dayStart(now.getTime() - HOURLY_MS);

/** The beginning of the oldest hour whose cell is kept. */
export const firstKeptHour = (now: Date): Date => new Date(hourStart(now.getTime()) - KEPT_DAYS * DAY_MS);

/** The beginning of the oldest day that is kept as a whole. */
export const firstKeptDay = (now: Date): Date => new Date(dayEnd(firstKeptHour(now).getTime()));

/** The beginning of the oldest hour that is not rolled into its day. No reader needs an hour before it. */
export const firstHourNotRolled = (now: Date): Date => new Date(dayStart(now.getTime() - HOURLY_MS - CLOCK_MARGIN_MS));

const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS;
const dayEnd = (ms: number): number => Math.ceil(ms / DAY_MS) * DAY_MS;
const hourStart = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS;
const hourEnd = (ms: number): number => Math.ceil(ms / HOUR_MS) * HOUR_MS;

export function malformed(field: string, rule: string, given: string | undefined): Problem {
  const message = `${rule}, got ${JSON.stringify(given)}`;
  return new Problem('malformed_request', { detail: `${field}: ${message}`, errors: [{ field, message }] });
}
