/** The filter of jobs that a recovered endpoint requested. One endpoint has at most one. */
export const RECOVERY = 'recovery';

/**
 * Runs of the schedule that a delivery may have in all, the first included. Without a limit an endpoint that rejects one
 * delivery and accepts the others would get it for ever. After a short failure it is probably the delivery.
 */
const MAX_RUNS = { short: 2, announced: 10 };

/** Latest deliveries of the shop that are read. */
const LOOK_BACK = 200;

/**
 * The address of payments answered with a 2xx before it failed. `answered_at` is set two seconds later. All columns of the
 * index are compared, or the planner may read the deliveries of all shops by their ids.
 */
const HAS_ANSWERED = `(EXISTS (SELECT FROM webhook_lanes l WHERE l.id = r.lane_id AND l.answered_at < r.failing_since)
          OR EXISTS (SELECT FROM (
            SELECT d.lane_id, d.delivered_at FROM webhook_deliveries d
            WHERE (d.shop_id, d.status, d.id) >= (r.shop_id, 'delivered', 0)
              AND (d.shop_id, d.status, d.id) <= (r.shop_id, 'delivered', ${Number.MAX_SAFE_INTEGER})
            ORDER BY d.shop_id DESC, d.status DESC, d.id DESC LIMIT ${LOOK_BACK}) d
          WHERE d.lane_id = r.lane_id AND d.delivered_at < r.failing_since))`;

/**
 * Returns the CTE that requests the redelivery of what failed for good at recovered endpoints since they failed, if anything
 * did: a job for each of the removed marks in `recovered`. `gone`: deliveries that the statement ends. A running job of the
 * endpoint starts again: of its own deliveries it finds those that failed once more.
 */
export const redeliveringOnRecovery = (recovered: string, gone: string): string => `redelivery_requested AS (
      INSERT INTO webhook_redeliveries AS job (merchant_id, lane_id, filter_hash, status, created_from, created_to, first_id,
        after_id, last_id, failed_from, max_runs)
      SELECT DISTINCT ON (coalesce(r.endpoint_id, r.lane_id)) r.merchant_id, coalesce(r.endpoint_id, r.lane_id),
        '${RECOVERY}', 'failed', '-infinity'::timestamptz, 'infinity'::timestamptz, 0, 0,
        pg_sequence_last_value('webhook_deliveries_id_seq'), r.failing_since,
        CASE WHEN r.announced_at IS NULL THEN ${MAX_RUNS.short} ELSE ${MAX_RUNS.announced} END
      FROM ${recovered} r
      WHERE (r.has_failed OR r.lane_id = ANY (ARRAY(SELECT lane_id FROM ${gone} WHERE outcome = 'failed')))
        AND CASE WHEN r.endpoint_id IS NULL THEN ${HAS_ANSWERED} ELSE
          (SELECT e.redeliver_on_recovery FROM webhook_endpoints e WHERE e.id = r.endpoint_id) END
      ORDER BY coalesce(r.endpoint_id, r.lane_id), r.failing_since
      ON CONFLICT (lane_id, filter_hash) WHERE lane_id IS NOT NULL DO UPDATE SET requested_at = excluded.requested_at,
        failed_from = least(job.failed_from, excluded.failed_from), after_id = 0,
        last_id = greatest(job.last_id, excluded.last_id), max_runs = greatest(job.max_runs, excluded.max_runs)
    )`;
