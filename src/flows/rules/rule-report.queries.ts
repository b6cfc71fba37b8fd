import type { Statement } from '../../platform/database/database.js';
import { PAYMENTS } from '../../shared/relations.js';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';

/** Payments that one rule of one version decided. */
export interface DecisionsRow {
  version: number;
  /** The index of the rule, or `default`; `null`: the version has no rules. */
  rule: string | null;
  last_day: number;
  payments: number;
}

/**
 * The decisions of the newest payments of the flow $1: $2 and $3 the beginning of the last day and the last 30 days, $4 the
 * maximum of payments. `ANY`: with a plain `=` the planner may walk the primary key past all other flows.
 */
export const DECISIONS: Statement = {
  name: 'rule_report.decisions',
  text: `SELECT flow_version AS version, decision ->> 'rule' AS rule, count(*) FILTER (WHERE created_at >= $2)::integer AS last_day,
      count(*)::integer AS payments
    FROM (
      SELECT flow_version, decision, created_at FROM ${PAYMENTS} p
      WHERE flow_id = ANY (ARRAY[$1::bigint]) ORDER BY flow_id DESC, id DESC LIMIT $4
    ) newest WHERE created_at >= $3 GROUP BY 1, 2`,
};

export interface DefinitionRow {
  version: number;
  definition: FlowDefinition;
}

/** $1 flow, $2 versions, $3 the maximum number, the newest first. */
export const DEFINITIONS: Statement = {
  name: 'rule_report.definitions',
  text: `SELECT version, definition FROM flow_versions WHERE flow_id = $1 AND version = ANY ($2::integer[])
    ORDER BY version DESC LIMIT $3`,
};

/** A batch of a flow's newest payments: $1 flow, $2 the id to start before, $3 number of rows. Their metadata may be 16 KiB each. */
export const NEWEST_PAYMENTS: Statement = {
  name: 'rule_report.newest_payments',
  text: `
    SELECT id, created_at, amount::float8 AS amount, currency, country, customer_id, capture, payment_method, metadata,
      shop_id, status, attempt, decision
    FROM ${PAYMENTS} p
    WHERE flow_id = ANY (ARRAY[$1::bigint]) AND id < $2
    ORDER BY flow_id DESC, id DESC LIMIT $3`,
};
