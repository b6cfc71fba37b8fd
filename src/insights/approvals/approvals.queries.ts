import type { Statement } from '../../platform/database/database.js';
import { factsOfChanges } from './approval-cells.queries.js';

/** The oldest hour with counts; 'epoch': of all attempts. */
export const COUNTED_SINCE: Statement = {
  name: 'approvals.counted_since',
  text: 'SELECT since FROM approval_counting',
};

/** The maximum number of changes that a read adds to the cells, which takes some 50 ms. The job leaves fewer. */
const MAX_CHANGES = 10_000;

export const APPROVED = ['approved'];
export const DECLINED = ['declined', 'soft_declined'];
export const FAILED = ['unavailable', 'unknown'];
export const PENDING = ['processing'];

const oneOf = (outcomes: string[]): string => `outcome IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')})`;
const attempts = (outcomes: string[], when: string): string =>
  `coalesce(sum(attempts) FILTER (WHERE ${when} AND ${oneOf(outcomes)}), 0)::bigint`;

/** A cell: counts of now, and of the period before. */
export interface CellRow {
  shop_id: number;
  shop_name: string;
  /** The values of the fields of the request; '': unknown, or no field. */
  value_1: string;
  value_2: string;
  approved: number;
  declined: number;
  failed: number;
  pending: number;
  answers: number;
  answered_ms: number;
  /** Attempts by decline code. */
  codes: Record<string, number> | null;
  approved_before: number;
  declined_before: number;
  failed_before: number;
  pending_before: number;
}

/** The columns of `approval_cells` for fields of segments, in the order in which parameters number them from 1. */
export const FIELD_COLUMNS = ['currency', 'country', 'scheme', 'funding', 'issuer_country', 'bin'] as const;

const valueOf = (parameter: string): string =>
  `coalesce((ARRAY[${FIELD_COLUMNS.join(', ')}])[${parameter}::integer], '')`;

const KEY = `shop_id, hour, ${FIELD_COLUMNS.join(', ')}, outcome, decline_code`;

/**
 * Approvals of a merchant by shop and up to two fields, from cells and the changes that are not in them yet. $1 merchant,
 * $2 with BINs, $3 from, $4 to, $5 from of the period before, $6 and $7 numbers of the fields, null: none, $8 shop, null: all,
 * $9 to $14 values of the fields, null: any, $15 limit of cells, those with the most attempts.
 */
export const APPROVALS: Statement = {
  name: 'approvals.cells',
  text: `WITH own AS MATERIALIZED (
      SELECT id, name FROM shops WHERE merchant_id = $1 AND ($8::bigint IS NULL OR id = $8)
    ), changes AS MATERIALIZED (
      SELECT * FROM attempt_changes WHERE shop_id = ANY (ARRAY(SELECT id FROM own)) AND started_at >= $5 AND started_at < $4
        AND started_at >= (SELECT since FROM approval_counting)
      LIMIT ${MAX_CHANGES}
    ), all_counts AS (
      SELECT c.* FROM own CROSS JOIN LATERAL (
        SELECT ${KEY}, attempts, answers, answered_ms FROM approval_cells a
        WHERE a.merchant_id = $1 AND a.by_bin = $2 AND a.shop_id = own.id AND a.hour >= $5 AND a.hour < $4
      ) c
      UNION ALL
      SELECT ${KEY}, sign, (answered_ms IS NOT NULL)::integer, coalesce(answered_ms, 0) FROM (${factsOfChanges('changes')}) f
    ), counts AS MATERIALIZED (
      SELECT shop_id, ${valueOf('$6')} AS value_1, ${valueOf('$7')} AS value_2, hour >= $3 AS is_now, outcome, decline_code,
        sum(attempts) AS attempts, sum(answers) AS answers, sum(answered_ms) AS answered_ms
      FROM all_counts
      WHERE ${FIELD_COLUMNS.map((column, index) => `($${index + 9}::text IS NULL OR ${column} = $${index + 9})`).join('\n        AND ')}
      GROUP BY 1, 2, 3, 4, 5, 6
    ), cells AS MATERIALIZED (
      SELECT shop_id, value_1, value_2, sum(attempts) FILTER (WHERE is_now) AS attempts,
        ${attempts(APPROVED, 'is_now')} AS approved, ${attempts(DECLINED, 'is_now')} AS declined,
        ${attempts(FAILED, 'is_now')} AS failed, ${attempts(PENDING, 'is_now')} AS pending,
        coalesce(sum(answers) FILTER (WHERE is_now), 0)::bigint AS answers,
        coalesce(sum(answered_ms) FILTER (WHERE is_now), 0)::bigint AS answered_ms,
        ${attempts(APPROVED, 'NOT is_now')} AS approved_before, ${attempts(DECLINED, 'NOT is_now')} AS declined_before,
        ${attempts(FAILED, 'NOT is_now')} AS failed_before, ${attempts(PENDING, 'NOT is_now')} AS pending_before
      FROM counts GROUP BY shop_id, value_1, value_2 HAVING sum(attempts) FILTER (WHERE is_now) > 0
      ORDER BY attempts DESC, shop_id, value_1, value_2 LIMIT $15
    ), codes AS (
      SELECT shop_id, value_1, value_2, json_object_agg(decline_code, attempts ORDER BY attempts DESC, decline_code) AS codes
      FROM (
        SELECT shop_id, value_1, value_2, decline_code, sum(attempts) AS attempts FROM counts
        WHERE is_now AND decline_code <> '' GROUP BY 1, 2, 3, 4 HAVING sum(attempts) > 0
      ) c GROUP BY 1, 2, 3
    )
    SELECT c.shop_id, own.name AS shop_name, c.value_1, c.value_2, c.approved, c.declined, c.failed, c.pending, c.answers,
      c.answered_ms, d.codes, c.approved_before, c.declined_before, c.failed_before, c.pending_before
    FROM cells c JOIN own ON own.id = c.shop_id LEFT JOIN codes d USING (shop_id, value_1, value_2)
    ORDER BY c.attempts DESC, c.shop_id, c.value_1, c.value_2`,
};
