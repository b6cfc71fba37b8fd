import type { Statement } from '../../platform/database/database.js';

export interface PrunedRow {
  /** The id to continue after; `null` if there were no more. */
  last_id: number | null;
  pruned: number;
  /** Whether the rows were read; otherwise another worker has the block of ids, which `last_id` ends. */
  is_ours: boolean;
}

/** A space of advisory locks of its own: see `LOCK_SPACE` of maintenance jobs. */
const LOCK_SPACE = 730_512;
/** Ids that one lock covers. Two workers at once work in different blocks, and so never wait for each other. */
export const BLOCK = 65_536;

/** The next $4 rows of a block of ids whose lock is free: $1 id to start after, $2 last id. A batch never leaves its block. */
const batchOf = (table: string, id: string): string => `block AS MATERIALIZED (
      SELECT least($2, (n + 1) * ${BLOCK} - 1) AS last, pg_try_advisory_xact_lock(${LOCK_SPACE}, n::integer) AS is_ours
      FROM (SELECT ${id} / ${BLOCK} AS n FROM ${table} WHERE ${id} > $1 AND ${id} <= $2 ORDER BY ${id} LIMIT 1) next
    ), batch AS MATERIALIZED (
      SELECT ${id} AS id FROM ${table} WHERE ${id} > $1 AND ${id} <= (SELECT last FROM block WHERE is_ours)
      ORDER BY ${id} LIMIT $4
    )`;

/** A batch may be empty although the block had a row: another worker deleted it in between. */
const RESULT = `SELECT coalesce((SELECT max(id) FROM batch), (SELECT last FROM block)) AS last_id,
      (SELECT count(*) FROM pruned)::int AS pruned, coalesce((SELECT is_ours FROM block), true) AS is_ours`;

/**
 * Deletes old deliveries with their attempts: $1 id to start after, $2 last id, $3 cutoff time, $4 rows to read. The range
 * of ids limits the rows that are read; the time of the last attempt decides. Never deletes a pending delivery, even if a
 * retry is running: locked rows are left for the next walk.
 */
export const PRUNE_DELIVERIES: Statement = {
  name: 'webhooks.prune_deliveries',
  text: `WITH ${batchOf('webhook_deliveries', 'id')}, old AS MATERIALIZED (
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
  text: `WITH ${batchOf('webhook_attempts', 'delivery_id')}, ended AS MATERIALIZED (
      SELECT id FROM webhook_deliveries
      WHERE id = ANY (ARRAY(SELECT DISTINCT id FROM batch)) AND status <> 'pending'
    ), pruned AS (
      DELETE FROM webhook_attempts
      WHERE delivery_id = ANY (ARRAY(SELECT id FROM ended)) AND started_at < $3::timestamptz RETURNING delivery_id
    )
    ${RESULT}`,
};
