/** The reports of the API, with the words of the page. `rows`: one of the rows that are summed. */
export const REPORTS = [
  { value: 'captures', label: 'Captures', title: 'Captured', row: 'capture', date: 'the capture' },
  { value: 'payments', label: 'Payments', title: 'Requested', row: 'payment', date: 'the creation of the payment' },
  { value: 'refunds', label: 'Refunds', title: 'Refunded', row: 'refund', date: 'the success of the refund' },
  { value: 'disputes', label: 'Disputes', title: 'Disputed', row: 'dispute', date: 'the opening of the dispute' },
  { value: 'fees', label: 'Fees', title: 'Fees', row: 'capture', date: 'the capture' },
  {
    value: 'approvals',
    label: 'Approvals',
    title: 'Approval rate',
    row: 'attempt',
    date: 'the creation of the payment',
  },
] as const;

export type ReportName = (typeof REPORTS)[number]['value'];

export const PERIODS = [
  { value: '', label: 'This month' },
  { value: 'last-month', label: 'Last month' },
  { value: '7d', label: 'Last 7 days' },
  { value: 'custom', label: 'Other days' },
] as const;

export const INTERVALS = [
  { value: '', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const;

/** The parameters of the page's URL. */
export interface ReportsSearch {
  report?: ReportName;
  period?: 'last-month' | '7d' | 'custom';
  /** The first day of a period of other days. */
  from?: string;
  to?: string;
  interval?: 'week' | 'month';
  /** By default the browser's. */
  time_zone?: string;
  shop_id?: number;
  currency?: string;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Removes unknown and invalid parameters. */
export function validReportsSearch(search: Record<string, unknown>): ReportsSearch {
  const report = REPORTS.find(({ value }) => value === search['report'])?.value;
  const period = PERIODS.find(({ value }) => value !== '' && value === search['period'])
    ?.value as ReportsSearch['period'];
  const interval = INTERVALS.find(({ value }) => value !== '' && value === search['interval'])
    ?.value as ReportsSearch['interval'];
  const shop = Number(search['shop_id']);
  const textOf = (name: string, form: RegExp): Record<string, string> => {
    const text = search[name];
    return typeof text === 'string' && form.test(text) ? { [name]: text } : {};
  };
  return {
    ...(report && report !== DEFAULT_REPORT && { report }),
    ...(period && { period }),
    ...(period === 'custom' && { ...textOf('from', DAY), ...textOf('to', DAY) }),
    ...(interval && { interval }),
    ...textOf('time_zone', /^[A-Za-z0-9_+/-]{1,64}$/),
    ...(Number.isSafeInteger(shop) && shop > 0 && { shop_id: shop }),
    ...textOf('currency', /^[A-Z]{3}$/),
  };
}

export const DEFAULT_REPORT: ReportName = 'captures';

export interface Days {
  /** The first and the last day, such as `2026-11-01`. */
  from: string;
  to: string;
}

/** The days of the page's period. `today`: in its time zone. */
export function daysOf({ period, from, to }: ReportsSearch, today: string): Days {
  const month = `${today.slice(0, 7)}-01`;
  if (period === 'last-month') return { from: `${plusDays(month, -1).slice(0, 7)}-01`, to: plusDays(month, -1) };
  if (period === '7d') return { from: plusDays(today, -6), to: today };
  return period === 'custom' ? { from: from ?? month, to: to ?? today } : { from: month, to: today };
}

/** As many days, right before them. */
export const daysBefore = ({ from, to }: Days): Days => ({
  from: plusDays(from, -(Date.parse(to) - Date.parse(from)) / DAY_MS - 1),
  to: plusDays(from, -1),
});

const DAY_MS = 24 * 3_600_000;
const plusDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Today in a time zone; Sweden writes dates as the API does. A zone that the browser does not know: today in UTC. */
export function todayIn(zone: string, now: Date): string {
  try {
    return new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' }).format(now);
  } catch {
    return now.toISOString().slice(0, 10);
  }
}

export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
