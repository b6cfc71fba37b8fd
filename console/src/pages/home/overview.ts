import type { Schema } from '@payment-orchestrator/client';
import { ageText } from '../../ui/age-text';
import { percentText } from '../../ui/percent';
import type { Tone } from '../../ui/badge';

export type Overview = Schema<'Overview'>;
export type ShopApprovals = Schema<'ShopApprovals'>;
type Counts = Pick<ShopApprovals, 'approved' | 'declined' | 'failed'>;

export const totalOf = ({ approved, declined, failed }: Counts): number => approved + declined + failed;

/** Share of approvals among all outcomes; `–` if there are none. */
export function approvalRate(counts: Counts): string {
  const total = totalOf(counts);
  return total === 0 ? '–' : percentText(counts.approved / total);
}

export const sumOf = (counts: readonly Counts[]): Counts => ({
  approved: counts.reduce((sum, { approved }) => sum + approved, 0),
  declined: counts.reduce((sum, { declined }) => sum + declined, 0),
  failed: counts.reduce((sum, { failed }) => sum + failed, 0),
});

/** Sorts the shops with the most payments first. */
export const busiestFirst = (shops: readonly ShopApprovals[]): ShopApprovals[] =>
  [...shops].sort((one, other) => totalOf(other) - totalOf(one));

export interface TileState {
  title: string;
  value: string;
  note: string;
  tone: Tone;
  /** The page that explains it. */
  to: string;
  search?: Record<string, string>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The API counts up to this number. */
const MOST_COUNTED = 10_000;

/** Tiles of pending work. Most tones depend on the age of the oldest entry, because a large count can be normal progress. */
export function tilesOf({ at, open }: Overview): TileState[] {
  const now = Date.parse(at);
  const count = (value: number): string => (value >= MOST_COUNTED ? '10,000 or more' : value.toLocaleString('en'));
  const toneOf = (oldest: string | null, warnMs: number, badMs: number): Tone => {
    const ms = oldest === null ? 0 : now - Date.parse(oldest);
    return ms >= badMs ? 'bad' : ms >= warnMs ? 'warn' : 'good';
  };
  const oldest = (time: string | null): string => (time === null ? 'none open' : `oldest: ${ageText(time, now)}`);
  const due = open.oldest_due_delivery_at;
  return [
    {
      title: 'Failed webhooks, last 24 hours',
      value: count(open.failed_deliveries),
      note: open.failed_deliveries === 0 ? 'none has failed' : 'no retries left: send them again',
      tone: open.failed_deliveries === 0 ? 'good' : 'bad',
      to: '/deliveries',
      search: { status: 'failed', from: new Date(now - DAY_MS).toISOString() },
    },
    {
      title: 'Oldest due webhook',
      value: due === null ? 'none' : ageText(due, now),
      note: `${count(open.pending_deliveries)} pending, retries included`,
      tone: toneOf(due, MINUTE_MS, 5 * MINUTE_MS),
      to: '/deliveries',
      search: { status: 'pending' },
    },
    {
      title: 'Failing endpoints',
      value: count(open.failing_endpoints),
      note: open.failing_endpoints === 0 ? 'none has failed for 5 min' : 'no success for 5 min',
      tone: open.failing_endpoints === 0 ? 'good' : 'bad',
      to: '/endpoints',
      search: open.failing_endpoints === 0 ? {} : { status: 'failing' },
    },
    {
      title: 'Provider alarms',
      value: count(open.alarms),
      note: open.alarms === 0 ? 'none open' : `${oldest(open.oldest_alarm_at)}: check them`,
      tone: open.alarms === 0 ? 'good' : 'bad',
      to: '/open-work',
    },
    {
      title: 'Open provider operations',
      value: count(open.open_operations),
      note: oldest(open.oldest_operation_at),
      tone: toneOf(open.oldest_operation_at, 10 * MINUTE_MS, 60 * MINUTE_MS),
      to: '/open-work',
    },
    {
      title: 'Unmatched notifications',
      value: count(open.waiting_notifications),
      note: oldest(open.oldest_notification_at),
      tone: toneOf(open.oldest_notification_at, 10 * MINUTE_MS, 60 * MINUTE_MS),
      to: '/open-work',
    },
  ];
}
