import type { Statement } from '../../platform/database/database.js';

/** How many due deliveries are looked at for their lanes: some milliseconds, however many more are due. */
const LOOK_AT = 10_000;
const MAX_COUNTED = 1_000_000;

/**
 * What is due: read from the oldest on by (due_at, id), so what sleeps costs nothing. Rows gone by cost until vacuum has
 * removed their entries, some 200 ms a million, and not longer than `DatabaseGauges` lets a statement run.
 */
export const READ_DUE: Statement = {
  name: 'webhooks.read_due',
  text: `WITH due AS MATERIALIZED (
      SELECT due_at, lane_id FROM pending_deliveries WHERE due_at <= statement_timestamp()
      ORDER BY due_at, id LIMIT ${LOOK_AT}
    )
    SELECT count(DISTINCT lane_id)::integer AS lanes,
      coalesce(extract(epoch FROM statement_timestamp() - min(due_at)), 0)::float8 AS oldest_seconds FROM due`,
};

/** Bounded, as its cost grows with the rows: by an index alone, 5 ms for 100,000 and 200 ms for a million. */
export const COUNT_PENDING: Statement = {
  name: 'webhooks.count_pending',
  text: `SELECT count(*)::integer AS rows FROM (SELECT FROM pending_deliveries LIMIT ${MAX_COUNTED}) AS counted`,
};

/**
 * Those that were announced as failing and have not recovered: what `GET /events` tells of. The table has a row for each lane
 * that fails, and nothing else.
 */
export const COUNT_FAILING: Statement = {
  name: 'webhooks.count_failing',
  text: `SELECT count(*)::integer AS endpoints FROM failing_endpoints WHERE announced_at IS NOT NULL`,
};

/** The task that scans for due lanes (`SharedSchedule`). */
export const LANE_RECONCILIATION = 'lane reconciliation';

/**
 * When a worker last looked for due lanes and was answered, in seconds since 1970; `null`: none ever was. Workers of the
 * version before write the sequence.
 */
export const LAST_LOOK: Statement = {
  name: 'webhooks.last_look',
  text: `SELECT greatest(
      (SELECT extract(epoch FROM last_success_at) FROM scheduled_tasks WHERE name = '${LANE_RECONCILIATION}'),
      pg_sequence_last_value('lane_reconciler_end') / 1000.0
    )::float8 AS at`,
};
