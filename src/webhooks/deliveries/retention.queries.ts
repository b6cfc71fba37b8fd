import type { Statement } from '../../platform/database/database.js';

export interface PrunedRow {
  /** The last delivery that was read; `null` if there were no more. */
  last_id: number | null;
  pruned: number;
}

/**
 * Deletes old deliveries with their attempts: $1 id to start after, $2 last id, $3 cutoff time, $4 rows to read. The range
 * of ids limits the rows that are read; the time of the last attempt decides. Never deletes a pending delivery, even if a
 * retry is running: locked rows are left for the next walk.
 */
export const PRUNE_DELIVERIES: Statement = {
  name: 'webhooks.prune_deliveries',
  text: `WITH batch AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $4
    ), old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM batch)) AND status <> 'pending'
        AND coalesce(last_attempt_at, created_at) < $3::timestamptz
      FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM old))
    ), pruned AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING id
    )
    SELECT (SELECT max(id) FROM batch) AS last_id, (SELECT count(*) FROM pruned)::int AS pruned`,
};

/** Deletes only attempts: those made before $3, of deliveries that are not pending. Parameters as in PRUNE_DELIVERIES. */
export const PRUNE_ATTEMPTS: Statement = {
  name: 'webhooks.prune_attempts',
  text: `WITH batch AS MATERIALIZED (
      SELECT delivery_id FROM webhook_attempts WHERE delivery_id > $1 AND delivery_id <= $2 ORDER BY delivery_id LIMIT $4
    ), ended AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE id = ANY (ARRAY(SELECT DISTINCT delivery_id FROM batch)) AND status <> 'pending'
    ), pruned AS (
      DELETE FROM webhook_attempts
      WHERE delivery_id = ANY (ARRAY(SELECT id FROM ended)) AND started_at < $3::timestamptz RETURNING delivery_id
    )
    SELECT (SELECT max(delivery_id) FROM batch) AS last_id, (SELECT count(*) FROM pruned)::int AS pruned`,
};
