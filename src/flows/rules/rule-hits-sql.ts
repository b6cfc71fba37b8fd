/**
 * Returns a statement that counts new payments for the rules that decided them, from a relation with `flow_id`,
 * `rule_key` (`NULL`: the flow has no rules) and `created_at`; `isOne`: of one row. Each connection counts in rows of its
 * own.
 */
export const countRuleHitsFrom = (relation: string, isOne = false): string =>
  `INSERT INTO flow_rule_hits AS h (flow_id, rule_key, hour, slot, hits)
    SELECT flow_id, rule_key, date_trunc('hour', created_at, 'UTC'), pg_backend_pid(), ${isOne ? '1' : 'count(*)'} FROM ${relation}
    WHERE rule_key IS NOT NULL ${isOne ? '' : 'GROUP BY 1, 2, 3'}
    ON CONFLICT (flow_id, rule_key, hour, slot) DO UPDATE SET hits = h.hits + excluded.hits`;
