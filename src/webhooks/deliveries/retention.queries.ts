import type { Statement } from '../../platform/database/database.js';

export interface PrunedRow {
  /** The last delivery looked at; `null` when there was none left. */
  last_id: number | null;
  pruned: number;
}

/**
 * Removes old deliveries together with their attempts: $1 id to start after, $2 last id, $3 moment, $4 how many to look
 * at. Ids bound what is read, the time of the last attempt decides. Never one that is pending, also when it is being
 * retried at this moment: what somebody has locked is left for the next time.
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

/** As PRUNE_DELIVERIES, of the attempts alone: those made before $3, of deliveries that are not pending. */
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
