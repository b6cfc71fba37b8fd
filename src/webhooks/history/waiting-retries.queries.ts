import { OF_SCOPE, byScope, type Scope } from './redelivery-jobs.queries.js';

/**
 * The next pending deliveries of a scope: $1 its id, $2 id to start after, $3 last id, $4 limit. Those that are due, parked,
 * or held by a worker stay as they are.
 */
const scannedPending = (scope: Scope): string => `scanned AS MATERIALIZED (
      SELECT d.id, d.lane_id = $1 OR d.endpoint_id <> 0 AS is_ours, d.due_at, d.created_at FROM pending_deliveries d
      WHERE ${OF_SCOPE[scope].condition} AND d.id > $2 AND d.id <= $3 ORDER BY ${OF_SCOPE[scope].column}, d.id LIMIT $4
    )`;

/** Condition for pending deliveries that are brought forward: $5 from, $6 to. */
const WAITS = `d.due_at > statement_timestamp() AND d.due_at < 'infinity' AND d.created_at >= $5::timestamptz
      AND d.created_at < $6::timestamptz`;

/** Number of deliveries that wait for a retry among the next $4. */
export const COUNT_WAITING = byScope((scope) => ({
  name: `webhooks.count_waiting_of_${scope}`,
  text: `WITH ${scannedPending(scope)}
    SELECT max(d.id) AS last_id, (count(*) FILTER (WHERE d.is_ours AND ${WAITS}))::int AS matching FROM scanned d`,
}));

/** Makes deliveries that wait for a retry due now: at most $7 of the next $4. Their run of the schedule continues. */
export const BRING_FORWARD = byScope((scope) => ({
  name: `webhooks.bring_forward_of_${scope}`,
  text: `WITH ${scannedPending(scope)}, chosen AS MATERIALIZED (
      SELECT d.id FROM scanned d WHERE d.is_ours AND ${WAITS} ORDER BY d.id LIMIT $7
    ), free AS MATERIALIZED (
      SELECT d.id FROM pending_deliveries d WHERE d.id = ANY (ARRAY(SELECT id FROM chosen)) AND ${WAITS}
        AND d.claimed_until <= statement_timestamp() ORDER BY d.id FOR UPDATE SKIP LOCKED
    ), again AS (
      UPDATE pending_deliveries SET due_at = date_trunc('milliseconds', statement_timestamp())
      WHERE id = ANY (ARRAY(SELECT id FROM free)) RETURNING lane_id
    )
    SELECT CASE (SELECT count(*) FROM chosen) WHEN $7 THEN (SELECT max(id) FROM chosen) ELSE (SELECT max(id) FROM scanned) END
        AS last_id, count(*)::int AS redelivered, array_agg(DISTINCT lane_id) AS lane_ids
    FROM again`,
}));
