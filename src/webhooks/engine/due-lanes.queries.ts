import type { Statement } from '../../platform/database/database.js';
import { IS_IN_ORDER, seconds } from './claim.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** Result of DUE_LANES, in one row: reading thousands of rows would cost more than finding the lanes. */
export interface DueAnswer {
  /** Number of deliveries read, followed by the position of the last one. */
  read: number;
  last_due_at: string | null;
  last_id: number | null;
  /** Lanes, longest overdue first. The next four lists have one element per lane, in the same order. */
  lane_ids: number[];
  overdue_ms: number[];
  /** Due time of the oldest delivery that no worker holds, in seconds since 1970. */
  free_since: number[];
  is_held: boolean[];
  is_unanswered: boolean[];
}

/** Oldest due deliveries per lane that are examined: this many leased ones, and this many that no worker holds. */
const EXAMINED = 8;

/** Returns a column as a JSON list. The driver parses a PostgreSQL array character by character: 8 ms for a thousand lanes. */
const list = (column: string): string => `coalesce(to_json(array_agg(${column})), '[]')`;

/**
 * Lanes with a claimable delivery, longest overdue first, among the $4 oldest deliveries after the position ($2, $3). A
 * first attempt counts only after $1 ms, because its own wake-up may still arrive. Reads due deliveries only.
 */
export const DUE_LANES: Statement = {
  name: 'webhooks.due_lanes',
  text: `WITH slice AS MATERIALIZED (
      SELECT d.id, d.lane_id, d.payment_id, d.endpoint_id, d.due_at, d.attempts, d.last_status_code,
        d.claimed_until > statement_timestamp() AS is_held
      FROM pending_deliveries d
      WHERE (d.due_at, d.id) > ($2::timestamptz, $3::bigint) AND d.due_at <= statement_timestamp()
      ORDER BY d.due_at, d.id LIMIT $4
    ), last AS (
      SELECT due_at, id FROM slice ORDER BY due_at DESC, id DESC LIMIT 1
    ), lanes AS (
      SELECT d.lane_id, min(d.due_at) FILTER (WHERE NOT d.is_held) AS free_since, bool_or(d.is_held) AS is_held,
        bool_or(d.attempts > 0 AND d.last_status_code IS NULL) AS is_unanswered
      FROM (SELECT *, row_number() OVER (PARTITION BY lane_id, is_held ORDER BY due_at, id) AS place FROM slice) d
      WHERE d.place <= ${EXAMINED} GROUP BY d.lane_id
      HAVING bool_or(NOT d.is_held AND ${IS_IN_ORDER}
        AND (d.attempts > 0 OR d.due_at <= statement_timestamp() - $1 * interval '1 millisecond'))
    )
    SELECT (SELECT count(*) FROM slice)::int AS read, last.due_at::text AS last_due_at, last.id AS last_id, found.*
    FROM (
      SELECT ${list('l.lane_id')} AS lane_ids, ${list(seconds('l.free_since'))} AS free_since,
        ${list(`${seconds('statement_timestamp() - l.free_since')} * 1000`)} AS overdue_ms,
        ${list('l.is_held')} AS is_held, ${list('l.is_unanswered')} AS is_unanswered
      FROM (SELECT * FROM lanes ORDER BY free_since) l
    ) found LEFT JOIN last ON true`,
};

/** Lanes by their ids $1. */
export const FIND_LANES: Statement = {
  name: 'webhooks.find_lanes',
  text: `SELECT l.id, coalesce(l.shop_id, -l.endpoint_id) AS shop_id, coalesce(l.merchant_id, s.merchant_id) AS merchant_id,
      l.origin, e.max_per_second FROM webhook_lanes l LEFT JOIN ${SHOPS} s ON s.id = l.shop_id
    LEFT JOIN webhook_endpoints e ON e.id = l.endpoint_id WHERE l.id = ANY ($1::bigint[])`,
};
