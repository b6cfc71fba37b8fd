import { addTo } from '../platform/counters/counter.js';
import { everyRow } from '../platform/database/session-settings.js';
import type { Statement } from '../platform/database/database.js';
import { isoTime } from '../platform/database/iso-time.js';
import { countSuccessesFrom, recoveredShopOf, SHOP_OUTCOMES } from './shop-outcomes-sql.js';
import type { Outage, OutcomeCounts } from './shop-health.js';
import { MINUTE_MS } from '../shared/clock.js';
import { ATTEMPTS } from '../shared/relations.js';
import { insertEvents } from '../webhooks/fan-out/fan-out-sql.js';

/** A shop's recent outcomes and its latest outage, if any. */
export interface ShopStatsRow {
  shop_id: number;
  approved: number;
  declined: number;
  failed: number;
  /** Payments whose payment method the account does not have. */
  unusable: number;
  /** The outcomes that count towards its health. */
  recently_approved: number;
  recently_declined: number;
  recently_failed: number;
  began_at: Date | null;
  last_fault_at: Date | null;
  ended_at: Date | null;
}

/**
 * Sums per shop. $1 shops, $2 the first minute of outcomes, $3 the first minute that counts towards health. Outcomes
 * before the end of the shop's latest outage do not count towards the next.
 */
const stats = (from: string): string => `
  SELECT o.shop_id, w.*, o.began_at, o.last_fault_at, o.ended_at
  FROM ${from}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.approved), 0)::integer AS approved, coalesce(sum(b.declined), 0)::integer AS declined,
      coalesce(sum(b.failed), 0)::integer AS failed, coalesce(sum(b.unusable), 0)::integer AS unusable,
      coalesce(sum(b.approved) FILTER (WHERE r.recent), 0)::integer AS recently_approved,
      coalesce(sum(b.declined) FILTER (WHERE r.recent), 0)::integer AS recently_declined,
      coalesce(sum(b.failed) FILTER (WHERE r.recent), 0)::integer AS recently_failed
    FROM shop_outcomes b
    CROSS JOIN LATERAL (
      SELECT b.minute >= $3 AND (o.ended_at IS NULL OR b.minute >= date_trunc('minute', o.ended_at)) AS recent
    ) r
    WHERE b.shop_id = o.shop_id AND b.minute >= $2
  ) w`;

/** One row per shop, see `stats`. */
export const SHOP_STATS: Statement = {
  name: 'shops.stats',
  text: stats(`(
    SELECT s.shop_id, x.began_at, x.last_fault_at, x.ended_at
    FROM unnest($1::bigint[]) AS s (shop_id) LEFT JOIN shop_outages x USING (shop_id)
  ) o`),
};

/** Rows only for shops whose outage has not ended, see `stats`. */
export const SHOP_OUTAGES: Statement = {
  name: 'shops.outages',
  text: stats(`(
    SELECT shop_id, began_at, last_fault_at, ended_at
    FROM shop_outages WHERE shop_id = ANY ($1::bigint[]) AND ended_at IS NULL
  ) o`),
};

/** The sums of one minute. */
export interface ShopMinuteRow extends OutcomeCounts {
  minute: Date;
}

/** Decline codes that are the merchant's to correct. */
export const SHOP_WARNINGS = ['payment_method_unusable', 'permission_missing'] as const;

export type ShopWarningCode = (typeof SHOP_WARNINGS)[number];

/** $1 shop, $2 first minute → the minutes that have outcomes. */
export const SHOP_MINUTES: Statement = {
  name: 'shops.minutes',
  text: `SELECT minute, sum(approved)::integer AS approved, sum(declined)::integer AS declined, sum(failed)::integer AS failed
    FROM shop_outcomes WHERE shop_id = $1 AND minute >= $2 GROUP BY minute`,
};

/** Declines that the merchant can correct, by their code; `since`: the minute of the first. */
export interface DeclinesToCorrect {
  code: ShopWarningCode;
  payments: number;
  since: Date;
}

/** $1 shop, $2 first time, $3 codes, $4 limit of declines, the newest first. Reads only `payment_attempts_declines_by_start`. */
export const DECLINES_TO_CORRECT: Statement = {
  name: 'shops.declines_to_correct',
  text: `SELECT decline_code AS code, count(*)::integer AS payments, date_trunc('minute', min(started_at)) AS since
    FROM (
      SELECT decline_code, started_at FROM ${ATTEMPTS} attempt
      WHERE shop_id = $1 AND decline_code IS NOT NULL AND started_at >= $2 ORDER BY started_at DESC LIMIT $4
    ) newest
    WHERE decline_code = ANY ($3::text[]) GROUP BY decline_code ORDER BY array_position($3::text[], decline_code)`,
};

/** $1 shop, $2 outcome except `failed`, $3 minute, $4 cool-down before → the shop, if it has an outage to end. */
export const COUNT_SUCCESS: Statement = {
  name: 'shops.count_success',
  text: `WITH counted AS (SELECT $1::bigint AS shop_id, $2::text AS shop_outcome),
    ${countSuccessesFrom('counted', '$3')}
    SELECT ${recoveredShopOf('c', '$4')} AS recovered_shop_id FROM counted c`,
};

/**
 * Ends outages after successes, with their events: $1 shops, $2 now, $3 cool-down before. Skips a row that is locked by another
 * transaction; the next success ends that outage. So the payments of many shops never wait for the row of one shop.
 */
export const END_OUTAGES: Statement = {
  name: 'shops.end_outages',
  text: `WITH over AS MATERIALIZED (
      SELECT shop_id FROM shop_outages WHERE shop_id = ANY ($1::bigint[]) AND ended_at IS NULL AND last_fault_at <= $3
      FOR NO KEY UPDATE SKIP LOCKED
    ), ended AS (
      UPDATE shop_outages SET ended_at = $2, event_position = greatest(current_event_position(), event_position)
      WHERE shop_id = ANY (ARRAY(SELECT shop_id FROM over)) AND ended_at IS NULL AND last_fault_at <= $3
      RETURNING shop_id, began_at, ended_at, event_position
    ), ${insertEvents(
      ['shop_id'],
      `SELECT o.event_position, s.merchant_id, s.id, 'shop.up', json_build_object('shop_name', s.name, 'provider', s.provider,
          'began_at', ${isoTime('o.began_at')}, 'ended_at', ${isoTime('o.ended_at')})
        FROM ended o JOIN shops s ON s.id = o.shop_id`,
    )}
    SELECT shop_id FROM new_events`,
};

/** $1 shop, $2 minute. */
export const COUNT_FAULT: Statement = {
  name: 'shops.count_fault',
  text: addTo(SHOP_OUTCOMES, { columns: { shop_id: '$1', minute: '$2', failed: '1' } }),
};

/**
 * Begins an outage, with its event, or prolongs one whose latest fault was before $3: $1 shop, $2 now, $4 to $6 the recent
 * outcomes: approved, declined, failed. Of concurrent faults the first one writes; the others change nothing. A prolonged
 * outage began before $2. `greatest`: the event comes after the end of the outage before.
 */
export const BEGIN_OUTAGE: Statement = {
  name: 'shops.begin_outage',
  text: `WITH current AS (
      INSERT INTO shop_outages AS o (shop_id, began_at, last_fault_at, event_position)
      VALUES ($1, $2, $2, current_event_position())
      ON CONFLICT (shop_id) DO UPDATE SET ended_at = NULL, last_fault_at = excluded.last_fault_at,
        began_at = CASE WHEN o.ended_at IS NULL THEN o.began_at ELSE excluded.began_at END,
        event_position = greatest(excluded.event_position, o.event_position)
      WHERE o.ended_at IS NOT NULL OR o.last_fault_at <= $3
      RETURNING shop_id, began_at, event_position
    ), ${insertEvents(
      ['shop_id'],
      `SELECT o.event_position, s.merchant_id, s.id, 'shop.down', json_build_object('shop_name', s.name, 'provider', s.provider,
          'began_at', ${isoTime('o.began_at')}, 'approved', $4::integer, 'declined', $5::integer, 'failed', $6::integer)
        FROM current o JOIN shops s ON s.id = o.shop_id WHERE o.began_at = $2`,
    )}
    SELECT shop_id FROM new_events`,
};

/** $1 the beginning of the cool-down that ends now. Same rule as `healthAt`. */
export const COUNT_UNHEALTHY: Statement = {
  name: 'shops.count_unhealthy',
  text: `SELECT count(*)::integer AS shops FROM shop_outages o WHERE ${everyRow('o')} AND ended_at IS NULL AND last_fault_at > $1`,
};

/** The first minute of a window that ends with the current minute. */
export const windowStart = (now: Date, minutes: number): Date =>
  new Date((Math.floor(now.getTime() / MINUTE_MS) - minutes + 1) * MINUTE_MS);

export const outageOf = ({
  began_at: beganAt,
  last_fault_at: lastFaultAt,
  ended_at: endedAt,
}: ShopStatsRow): Outage | undefined => (beganAt && lastFaultAt ? { beganAt, lastFaultAt, endedAt } : undefined);

/** The outcomes that count towards the shop's health. */
export const recentOf = (row: ShopStatsRow): OutcomeCounts => ({
  approved: row.recently_approved,
  declined: row.recently_declined,
  failed: row.recently_failed,
});
