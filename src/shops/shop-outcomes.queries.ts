import type { Statement } from '../platform/database/database.js';

/** A shop's recent outcomes and its latest outage, if it ever had one. */
export interface PerformanceRow {
  shop_id: number;
  approved: number;
  declined: number;
  failed: number;
  /** Of these, those that count towards its health. */
  recently_approved: number;
  recently_declined: number;
  recently_failed: number;
  began_at: Date | null;
  last_fault_at: Date | null;
  ended_at: Date | null;
}

/**
 * Sums per shop. $1 shops, $2 from which minute on outcomes count, $3 from which on towards health; what was before the
 * end of the shop's latest outage does not count towards the next.
 */
const performance = (from: string): string => `
  SELECT o.shop_id, w.*, o.began_at, o.last_fault_at, o.ended_at
  FROM ${from}
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(b.approved), 0)::integer AS approved, coalesce(sum(b.declined), 0)::integer AS declined,
      coalesce(sum(b.failed), 0)::integer AS failed,
      coalesce(sum(b.approved) FILTER (WHERE r.recent), 0)::integer AS recently_approved,
      coalesce(sum(b.declined) FILTER (WHERE r.recent), 0)::integer AS recently_declined,
      coalesce(sum(b.failed) FILTER (WHERE r.recent), 0)::integer AS recently_failed
    FROM shop_outcomes b
    CROSS JOIN LATERAL (
      SELECT b.minute >= $3 AND (o.ended_at IS NULL OR b.minute >= date_trunc('minute', o.ended_at)) AS recent
    ) r
    WHERE b.shop_id = o.shop_id AND b.minute >= $2
  ) w`;

/** One row for each of the shops, see `performance`. */
export const SHOP_PERFORMANCE: Statement = {
  name: 'shops_performance',
  text: performance(`(
    SELECT s.shop_id, x.began_at, x.last_fault_at, x.ended_at
    FROM unnest($1::bigint[]) AS s (shop_id) LEFT JOIN shop_outages x USING (shop_id)
  ) o`),
};

/** Rows for those of the shops alone whose outage is not over, see `performance`. */
export const SHOP_OUTAGES: Statement = {
  name: 'shops_outages',
  text: performance(`(
    SELECT shop_id, began_at, last_fault_at, ended_at
    FROM shop_outages WHERE shop_id = ANY ($1::bigint[]) AND ended_at IS NULL
  ) o`),
};
