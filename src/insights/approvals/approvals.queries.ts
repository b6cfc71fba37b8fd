import type { Statement } from '../../platform/database/database.js';
import { changesNotCounted, factsOfChanges } from './approval-cells.queries.js';
import { SHOPS } from '../../shared/relations.js';

/** The time-out of a read, in ms: less than a statement of any session has. */
export const READ_TIMEOUT_MS = 9_000;

/**
 * Settings of the transaction that reads millions of cells at most. A plan for the given period and fields, which a person
 * asks for occasionally. Bitmap scans, because the cells of a shop and a day lie on many pages, and an index scan reads a
 * page for each. Memory for the table of segments, a million of which take 100 MB.
 */
export const PREPARE_READ: Statement = {
  name: 'approvals.prepare_read',
  text: `SELECT set_config('statement_timeout', '${READ_TIMEOUT_MS}', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_bitmapscan', 'on', true), set_config('work_mem', '64MB', true)`,
};

export const APPROVED = ['approved'];
export const DECLINED = ['declined', 'soft_declined'];
export const FAILED = ['unavailable', 'unknown'];
export const PENDING = ['processing'];

const KINDS = [APPROVED, DECLINED, FAILED, PENDING];
/** The number of an outcome's group in `KINDS`, from 1. In the period before, it goes on after the last of them. */
const KIND = `CASE ${KINDS.map((outcomes, index) => `WHEN outcome IN (${outcomes.map((outcome) => `'${outcome}'`).join(', ')}) THEN ${index + 1}`).join(' ')} END`;
const IS_NOW = `kind <= ${KINDS.length}`;
const sum = (column: string, which: string): string => `coalesce(sum(${column}) FILTER (WHERE ${which}), 0)::bigint`;

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
  `CASE ${parameter}::integer ${FIELD_COLUMNS.map((column, index) => `WHEN ${index + 1} THEN ${column}`).join(' ')} ELSE '' END`;

const KEY = `shop_id, hour, ${FIELD_COLUMNS.join(', ')}, outcome, decline_code`;

/** CTEs of the counts of the period and of the period before: the parameters of `APPROVALS`, without the last one. */
const COUNTS = `own AS MATERIALIZED (
      SELECT id, name FROM ${SHOPS} shop WHERE merchant_id = $1 AND ($8::bigint IS NULL OR id = $8)
    ), changes AS MATERIALIZED (
      ${changesNotCounted('started_at >= $5 AND started_at < $4')}
    ), facts AS MATERIALIZED (
      ${factsOfChanges('changes')}
    ), all_counts AS NOT MATERIALIZED (
      SELECT ${KEY}, attempts, answers, answered_ms FROM approval_cells a
      WHERE a.merchant_id = $1 AND a.by_bin = $2 AND a.shop_id = ANY (ARRAY(SELECT id FROM own)) AND a.hour >= $5 AND a.hour < $4
      UNION ALL
      SELECT ${KEY}, sign, (answered_ms IS NOT NULL)::integer, coalesce(answered_ms, 0) FROM facts
    ), counts AS NOT MATERIALIZED (
      SELECT shop_id, ${valueOf('$6')} AS value_1, ${valueOf('$7')} AS value_2,
        ${KIND} + CASE WHEN hour >= $3 THEN 0 ELSE ${KINDS.length} END AS kind, hour, decline_code,
        attempts::integer AS attempts, answers::integer AS answers, answered_ms::float8 AS answered_ms
      FROM all_counts
      WHERE coalesce(${FIELD_COLUMNS.map((column, index) => `${column} = $${index + 9}`).join(' AND ')}, true)
    )`;

/**
 * Approvals of a merchant by shop and up to two fields, from cells and the changes that are not in them yet. $1 merchant,
 * $2 with BINs, $3 from, $4 to, $5 from of the period before, $6 and $7 numbers of the fields, null: none, $8 shop, null: all,
 * $9 to $14 values of the fields, null: any, $15 limit of cells, those with the most attempts.
 *
 * Reads the cells twice: first it finds the segments of the answer, by one sum each, then it counts only those. Sorting
 * millions of rows, or keeping all counts of each segment, takes longer than reading them again. `IS TRUE` keeps the planner
 * from joining, which may sort them. `coalesce` keeps it from assuming that hardly a row passes the filters. No comparison of
 * rows: an index scan does not end at the upper one, but reads the rows of all later shops.
 */
export const APPROVALS: Statement = {
  name: 'approvals.cells',
  text: `WITH ${COUNTS}, segments AS MATERIALIZED (
      SELECT shop_id, value_1, value_2, sum(attempts) AS all_attempts FROM counts
      WHERE hour >= $3 AND ${IS_NOW}
      GROUP BY shop_id, value_1, value_2 HAVING sum(attempts) > 0
      ORDER BY all_attempts DESC, shop_id, value_1, value_2 LIMIT $15
    ), cells AS (
      SELECT shop_id, value_1, value_2, ${sum('attempts', IS_NOW)} AS attempts,
        ${sum('attempts', 'kind = 1')} AS approved, ${sum('attempts', 'kind = 2')} AS declined,
        ${sum('attempts', 'kind = 3')} AS failed, ${sum('attempts', 'kind = 4')} AS pending,
        ${sum('answers', IS_NOW)} AS answers, ${sum('answered_ms', IS_NOW)} AS answered_ms,
        array_agg(decline_code) FILTER (WHERE ${IS_NOW} AND decline_code <> '') AS codes,
        array_agg(attempts) FILTER (WHERE ${IS_NOW} AND decline_code <> '') AS attempts_of_codes,
        ${sum('attempts', 'kind = 5')} AS approved_before, ${sum('attempts', 'kind = 6')} AS declined_before,
        ${sum('attempts', 'kind = 7')} AS failed_before, ${sum('attempts', 'kind = 8')} AS pending_before
      FROM counts
      WHERE ((shop_id, value_1, value_2) IN (SELECT shop_id, value_1, value_2 FROM segments)) IS TRUE
      GROUP BY shop_id, value_1, value_2
    )
    SELECT c.shop_id, own.name AS shop_name, c.value_1, c.value_2, c.approved, c.declined, c.failed, c.pending, c.answers,
      c.answered_ms, (
        SELECT json_object_agg(code, attempts ORDER BY code) FROM (
          SELECT code, sum(attempts) AS attempts FROM unnest(c.codes, c.attempts_of_codes) of_code (code, attempts)
          GROUP BY code HAVING sum(attempts) > 0
        ) d
      ) AS codes, c.approved_before, c.declined_before, c.failed_before, c.pending_before
    FROM cells c JOIN own ON own.id = c.shop_id
    ORDER BY c.attempts DESC, c.shop_id, c.value_1, c.value_2`,
};

/** Counts of a step of time: before `from` the steps are negative. */
export interface StepRow {
  step: number;
  approved: number;
  declined: number;
  failed: number;
}

/** Approvals in the order of time: the parameters of `APPROVALS`, and $15 the seconds of a step, which begin with $3. */
export const APPROVAL_STEPS: Statement = {
  name: 'approvals.steps',
  text: `WITH ${COUNTS}
    SELECT floor(extract(epoch FROM hour - $3::timestamptz) / $15::integer)::integer AS step,
      ${sum('attempts', 'kind IN (1, 5)')} AS approved, ${sum('attempts', 'kind IN (2, 6)')} AS declined,
      ${sum('attempts', 'kind IN (3, 7)')} AS failed
    FROM counts GROUP BY step`,
};
