import { startOfDay } from '../../shared/time-zone.js';

export const INTERVALS = ['day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

export interface ReportDays {
  /** The first and the last day, such as `2026-11-01`. */
  from: string;
  to: string;
  /** An IANA time zone. */
  zone: string;
}

export interface ReportPeriods {
  /** The first day of each period. The first period begins with `from`, so it may be shorter than others. */
  days: string[];
  /** The beginning of each period, and the end of the last one. */
  starts: Date[];
}

const DAY_MS = 24 * 3_600_000;

/** The periods of days of a time zone: weeks begin on Monday. Pure. */
export function periodsOf({ from, to, zone }: ReportDays, interval: Interval): ReportPeriods {
  const days = daysOf({ from, to }).filter((day, index) => index === 0 || beginsPeriod(day, interval));
  return { days, starts: [...days, nextDay(to)].map((day) => startOfDay(day, zone)) };
}

/** The number of days, of which both ends are a part. */
export const countDays = ({ from, to }: Pick<ReportDays, 'from' | 'to'>): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;

const daysOf = (given: Pick<ReportDays, 'from' | 'to'>): string[] =>
  Array.from({ length: countDays(given) }, (_, index) => textOf(Date.parse(given.from) + index * DAY_MS));

const nextDay = (day: string): string => textOf(Date.parse(day) + DAY_MS);
const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function beginsPeriod(day: string, interval: Interval): boolean {
  if (interval === 'day') return true;
  return interval === 'week' ? new Date(day).getUTCDay() === 1 : day.endsWith('-01');
}
