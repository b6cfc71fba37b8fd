import type { Statement } from '../../platform/database/database.js';
import { BATCH_RESULT, batchOf, type BatchRow } from '../../platform/maintenance/id-walk.js';

export interface PrunedRow extends BatchRow {
  pruned: number;
}

const LOCK_SPACE = 730_512;
const RESULT = `SELECT ${BATCH_RESULT}, (SELECT count(*) FROM pruned)::int AS pruned`;

/**
 * Deletes old deliveries with their attempts: $1 id to start after, $2 last id, $3 cutoff time, $4 rows to read. The range
 * of ids limits the rows that are read; the time of the last attempt decides. Never deletes a pending delivery, even if a
 * retry is running: locked rows are left for the next walk.
 */
export const PRUNE_DELIVERIES: Statement = {
  name: 'webhooks.prune_deliveries',
  text: `WITH ${batchOf('webhook_deliveries', 'id', LOCK_SPACE)}, old AS MATERIALIZED (
      SELECT id FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM batch)) AND status <> 'pending'
        AND coalesce(last_attempt_at, created_at) < $3::timestamptz
      FOR UPDATE SKIP LOCKED
    ), attempts AS (
      DELETE FROM webhook_attempts WHERE delivery_id = ANY (ARRAY(SELECT id FROM old))
    ), pruned AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM old)) RETURNING id
    )
    ${RESULT}`,
};

/** Deletes only attempts: those made before $3, of deliveries that are not pending. Parameters as in PRUNE_DELIVERIES. */
export const PRUNE_ATTEMPTS: Statement = {
  name: 'webhooks.prune_attempts',
  text: `WITH ${batchOf('webhook_attempts', 'delivery_id', LOCK_SPACE)}, ended AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE id = ANY (ARRAY(SELECT DISTINCT id FROM batch)) AND status <> 'pending'
    ), pruned AS (
      DELETE FROM webhook_attempts
      WHERE delivery_id = ANY (ARRAY(SELECT id FROM ended)) AND started_at < $3::timestamptz RETURNING delivery_id
    )
    ${RESULT}`,
};
