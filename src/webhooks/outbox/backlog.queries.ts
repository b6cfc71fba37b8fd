import { everyRow } from '../../platform/database/session-settings.js';
import type { Statement } from '../../platform/database/database.js';

/** Due deliveries that are read for their lanes. This takes a few milliseconds, regardless of the backlog. */
const MAX_READ = 10_000;
const MAX_COUNTED = 1_000_000;

/**
 * Due deliveries, read by (due_at, id) from the oldest, so later retries cost nothing. Dead tuples cost about 200 ms per
 * million until vacuum has removed their index entries. `DatabaseGauges` limits the duration of the statement. Without
 * `attempts >= 0` the planner may read only the index on lanes, which has all other columns: all of it.
 */
export const READ_DUE: Statement = {
  name: 'webhooks.read_due',
  text: `WITH due AS MATERIALIZED (
      SELECT due_at, lane_id FROM pending_deliveries WHERE due_at <= statement_timestamp() AND attempts >= 0
      ORDER BY due_at, id LIMIT ${MAX_READ}
    )
    SELECT count(DISTINCT lane_id)::integer AS lanes,
      coalesce(extract(epoch FROM statement_timestamp() - min(due_at)), 0)::float8 AS oldest_seconds FROM due`,
};

/**
 * Numbers of pending deliveries and of parked ones. Bounded, because the cost grows with the rows: an index-only scan takes
 * 200 ms per million.
 */
export const COUNT_PENDING: Statement = {
  name: 'webhooks.count_pending',
  text: `SELECT (SELECT count(*) FROM (
        SELECT FROM pending_deliveries WHERE due_at < 'infinity' LIMIT ${MAX_COUNTED}) AS counted)::integer AS rows,
      (SELECT count(*) FROM (
        SELECT FROM pending_deliveries WHERE due_at = 'infinity' LIMIT ${MAX_COUNTED}) AS counted)::integer AS parked`,
};

/**
 * Endpoints that were announced as failing in `GET /events` and have not recovered. The table has a row for each failing
 * lane only.
 */
export const COUNT_FAILING: Statement = {
  name: 'webhooks.count_failing',
  text: `SELECT count(*)::integer AS endpoints FROM failing_endpoints f WHERE ${everyRow('f')} AND announced_at IS NOT NULL`,
};

/** Name of the job that scans for due lanes (`SharedSchedule`). */
export const LANE_RECONCILIATION = 'lane reconciliation';

/** Time of the last successful scan for due lanes by any worker, in seconds since 1970; `null` if there was none. */
export const LAST_SCAN: Statement = {
  name: 'webhooks.last_look',
  text: `SELECT (SELECT extract(epoch FROM last_success_at) FROM scheduled_tasks
      WHERE name = '${LANE_RECONCILIATION}')::float8 AS at`,
};
