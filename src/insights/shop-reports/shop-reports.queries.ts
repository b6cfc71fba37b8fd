import type { Statement } from '../../platform/database/database.js';
import { ATTEMPTS } from '../../shared/relations.js';

export interface DeclineRow {
  code: string;
  last_day: number;
  last_week: number;
  /** Start of the oldest counted decline of all codes. */
  oldest: Date;
  /** Number of counted declines of all codes. */
  counted: number;
}

/**
 * A shop's declines by code, the most frequent first: $1 shop, $2 a week ago, $3 a day ago, $4 limit of counted
 * declines, the newest first, $5 limit of codes. Reads only the index `payment_attempts_declines_by_start`.
 */
export const DECLINES: Statement = {
  name: 'insights.shop_declines',
  text: `SELECT decline_code AS code, count(*) FILTER (WHERE started_at >= $3)::integer AS last_day,
      count(*)::integer AS last_week, min(min(started_at)) OVER () AS oldest, (sum(count(*)) OVER ())::integer AS counted
    FROM (
      SELECT decline_code, started_at FROM ${ATTEMPTS} attempt
      WHERE shop_id = $1 AND decline_code IS NOT NULL AND started_at >= $2 ORDER BY started_at DESC LIMIT $4
    ) newest
    GROUP BY decline_code ORDER BY last_week DESC, code LIMIT $5`,
};
