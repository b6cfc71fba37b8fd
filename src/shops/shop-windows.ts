import type { Outage, OutcomeCounts } from './shop-health.js';
import type { PerformanceRow } from './shop-outcomes.queries.js';

/** How far back outcomes count towards a shop's approval rate, in whole minutes, the present one included. */
export const PERFORMANCE_WINDOW_MINUTES = 60;

const MINUTE_MS = 60_000;

/** The first of so many minutes of which the last is the present one. */
export const windowStart = (now: Date, minutes: number): Date =>
  new Date((Math.floor(now.getTime() / MINUTE_MS) - minutes + 1) * MINUTE_MS);

export const outageOf = ({
  began_at: beganAt,
  last_fault_at: lastFaultAt,
  ended_at: endedAt,
}: PerformanceRow): Outage | undefined => (beganAt && lastFaultAt ? { beganAt, lastFaultAt, endedAt } : undefined);

/** What counts towards the shop's health. */
export const recentOf = (row: PerformanceRow): OutcomeCounts => ({
  approved: row.recently_approved,
  declined: row.recently_declined,
  failed: row.recently_failed,
});
