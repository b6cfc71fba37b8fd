import type { Statement } from '../../platform/database/database.js';

/**
 * Payments of one version in one stage of a rollout and one cluster, which is a 256th of the customers. Payments of a
 * customer have similar outcomes, so clusters are the independent units. Triggers count (migration `flow-rollouts`).
 */
export interface RolloutCount {
  /** From 1. */
  stage: number;
  /** `false`: the base. */
  candidate: boolean;
  /** 0 … 255. */
  cluster: number;
  payments: number;
  /** Completed, refunded or authorised, also after a void. */
  approved: number;
  /** Failed. Payments that are open, or cancelled without an authorisation, are neither approved nor declined. */
  declined: number;
}

/** `RolloutCount`s of the rollout $1; cells without a payment have no row. */
export const ROLLOUT_COUNTS: Statement = {
  name: 'rollouts.counts',
  text: `SELECT stage, candidate, cluster, sum(payments)::bigint AS payments, sum(approved)::bigint AS approved,
      sum(declined)::bigint AS declined
    FROM flow_rollout_counts WHERE rollout_id = $1 GROUP BY stage, candidate, cluster ORDER BY stage, candidate, cluster`,
};

/** Sums at most $1 rows of past hours in slot 0: no transaction takes an hour, so none writes them. Returns one row. */
export const COMPACT_ROLLOUT_COUNTS: Statement = {
  name: 'rollouts.compact_counts',
  text: `WITH compacted AS (
      DELETE FROM flow_rollout_counts WHERE (rollout_id, stage, candidate, cluster, slot) IN (
        SELECT rollout_id, stage, candidate, cluster, slot FROM flow_rollout_counts
        WHERE slot > 0 AND slot < (floor(extract(epoch FROM now()) / 3600)::bigint - 1) << 22
        ORDER BY slot LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING *
    ), sums AS (
      INSERT INTO flow_rollout_counts AS c (rollout_id, stage, candidate, cluster, slot, payments, approved, declined)
      SELECT rollout_id, stage, candidate, cluster, 0, sum(payments), sum(approved), sum(declined)
      FROM compacted GROUP BY rollout_id, stage, candidate, cluster
      ON CONFLICT (rollout_id, stage, candidate, cluster, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        approved = c.approved + excluded.approved, declined = c.declined + excluded.declined
    )
    SELECT count(*)::integer AS rows FROM compacted`,
};
