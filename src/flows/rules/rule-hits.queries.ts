import type { Statement } from '../../platform/database/database.js';

/** The payments that one rule decided. */
export interface RuleHitsRow {
  rule_key: string;
  last_day: number;
  last_month: number;
}

/** $1 flow, $2 the first hour of the last day, $3 the first hour of the last 30 days. */
export const RULE_HITS: Statement = {
  name: 'rule_hits',
  text: `SELECT rule_key, coalesce(sum(hits) FILTER (WHERE hour >= $2), 0)::bigint AS last_day, sum(hits)::bigint AS last_month
    FROM flow_rule_hits WHERE flow_id = $1 AND hour >= $3 GROUP BY rule_key`,
};

/** Payments still count in the present hour, and in the one before if they took long. */
const FIRST_OPEN_HOUR = `date_trunc('hour', now(), 'UTC') - interval '1 hour'`;

/** Puts the rows of past hours together, at most $1. Returns their number. */
export const COMPACT_RULE_HITS: Statement = {
  name: 'compact_rule_hits',
  text: `WITH compacted AS (
      DELETE FROM flow_rule_hits WHERE (flow_id, rule_key, hour, slot) IN (
        SELECT flow_id, rule_key, hour, slot FROM flow_rule_hits WHERE slot > 0 AND hour < ${FIRST_OPEN_HOUR}
        ORDER BY hour LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING flow_id, rule_key, hour, hits
    ), sums AS (
      INSERT INTO flow_rule_hits AS h (flow_id, rule_key, hour, slot, hits)
      SELECT flow_id, rule_key, hour, 0, sum(hits) FROM compacted GROUP BY flow_id, rule_key, hour ORDER BY 1, 2, 3
      ON CONFLICT (flow_id, rule_key, hour, slot) DO UPDATE SET hits = h.hits + excluded.hits
    )
    SELECT count(*)::integer AS rows FROM compacted`,
};

/** Deletes sums of hours before $1, at most $2. Returns their number. */
export const PRUNE_RULE_HITS: Statement = {
  name: 'prune_rule_hits',
  text: `WITH pruned AS (
      DELETE FROM flow_rule_hits WHERE (flow_id, rule_key, hour, slot) IN (
        SELECT flow_id, rule_key, hour, slot FROM flow_rule_hits WHERE slot = 0 AND hour < $1
        ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED)
      RETURNING 1
    )
    SELECT count(*)::integer AS rows FROM pruned`,
};

/**
 * A batch of a flow's newest payments: $1 flow, $2 and $3 the position to start before, $4 number of rows. Their metadata
 * may be 16 KiB each.
 */
export const NEWEST_PAYMENTS: Statement = {
  name: 'newest_payments',
  text: `
    SELECT id, created_at, amount::float8 AS amount, currency, country, customer_id, capture, payment_method, metadata,
      shop_id, status, attempt, decision
    FROM payments
    WHERE flow_id = $1 AND (created_at, id) < ($2, $3)
    ORDER BY created_at DESC, id DESC LIMIT $4`,
};
