import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import type { FeeEntry } from '@payment-orchestrator/routing/facts/fees';
import { PAYMENTS, REFUNDS, SHOP_FEES, STATUS_CHANGES } from '../../shared/relations.js';
import { type Report, REPORTS, type Source, SOURCES } from './report-sources.js';

/** The end of a page: where the next one begins. */
export interface PageEnd {
  /** Rows that the page has looked at. */
  walked: number;
  /** Decimal text; `null`, like the id: there was none. */
  walked_position: string | null;
  walked_id: number | null;
}

/** Sums of a page, or without any a row of `null`s. */
export interface SumRow extends PageEnd {
  /** From 1; `null`: nothing on the page belongs to the report. */
  period: number | null;
  shop_id: number;
  currency: string;
  count: number;
  /** Decimal text. */
  amount: string;
  scheme?: string | null;
  type?: string | null;
  country?: string | null;
  outcome?: string;
}

export interface DetailRow extends PageEnd {
  at: Date | null;
  shop_id: number;
  currency: string;
  amount: string;
  [detail: string]: unknown;
}

const columnsOf = (columns: Record<string, string>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `, ${sql} AS ${name}`)
    .join('');

/**
 * A page: $1 merchant, $2 the last id, $3 the end of the walk, $4 the number of rows to look at, $5 beginnings of the periods and the
 * end of the last one, $6 shop or null, $7 currency or null, and $8 the last position if the walk has positions.
 */
const pageOf = (
  source: Source,
  columns: Record<string, string>,
  head: string,
): string => `WITH walked AS MATERIALIZED (${source.walk}
    ), page AS (
      SELECT w.position, m.*, width_bucket(m.at, $5::timestamptz[]) AS period FROM walked w CROSS JOIN LATERAL (
        SELECT ${source.at} AS at, ${source.shop} AS shop_id, ${source.currency} AS currency, ${source.amount} AS amount,
          w.id AS place${columnsOf(columns)} ${source.from} OFFSET 0
      ) m
      WHERE m.at >= ($5::timestamptz[])[1] AND m.at < ($5::timestamptz[])[array_length($5::timestamptz[], 1)]
        AND ($6::bigint IS NULL OR m.shop_id = $6) AND ($7::text IS NULL OR m.currency = $7)
    ), last AS (SELECT position, id FROM walked ORDER BY position DESC, id DESC LIMIT 1)
    SELECT e.*, r.* FROM (
      SELECT (SELECT count(*)::integer FROM walked) AS walked, (SELECT position::text FROM last) AS walked_position,
        (SELECT id FROM last) AS walked_id
    ) e LEFT JOIN (${head}) r ON true`;

const sumsOf = (source: Source): string => {
  const groups = ['period', 'shop_id', 'currency', ...Object.keys(source.groups)].join(', ');
  return pageOf(
    source,
    source.groups,
    `SELECT ${groups}, count(*)::integer AS count, sum(amount)::text AS amount FROM page GROUP BY ${groups}`,
  );
};

const rowsOf = (source: Source): string =>
  `${pageOf(source, { ...source.details, ...source.groups }, 'SELECT * FROM page')} ORDER BY r.position, r.place`;

const statements = (kind: string, textOf: (source: Source) => string): Record<Report, Statement> =>
  Object.fromEntries(
    REPORTS.map((report) => [report, { name: `reports.${kind}_${report}`, text: textOf(SOURCES[report]) }]),
  ) as Record<Report, Statement>;

/** Sums of a page's rows. */
export const SUMS = statements('sums', sumsOf);
/** A page's rows, in the order of the walk. */
export const ROWS = statements('rows', rowsOf);

export const PAYMENTS_IN_TIME = searchByTime('reports.payments_in_time', `${PAYMENTS} payment`);
export const REFUNDS_IN_TIME = searchByTime('reports.refunds_in_time', `${REFUNDS} refund`);

/**
 * $1 time, $2 merchant → the first position of the merchant's changes of status at that time or later: a binary search, as
 * `searchByTime`.
 */
export const POSITION_IN_TIME: Statement = {
  name: 'reports.position_in_time',
  text: `WITH RECURSIVE span (low, high) AS (
      SELECT 0::bigint, coalesce((SELECT c.event_position FROM ${STATUS_CHANGES} c WHERE c.merchant_id = $2 AND c.event_position >= 0
        ORDER BY c.merchant_id DESC, c.event_position DESC, c.id DESC LIMIT 1), 0) + 1
      UNION ALL
      SELECT coalesce(before.position + 1, s.low), CASE WHEN before.position IS NULL THEN (s.low + s.high) / 2 ELSE s.high END
      FROM span s LEFT JOIN LATERAL (
        SELECT c.event_position AS position, c.at FROM ${STATUS_CHANGES} c
        WHERE c.merchant_id = $2 AND c.event_position >= (s.low + s.high) / 2
        ORDER BY c.merchant_id, c.event_position, c.id LIMIT 1
      ) before ON before.at < $1::timestamptz
      WHERE s.low < s.high
    ) SELECT low::text AS position FROM span WHERE low >= high`,
};

export interface ReportShop {
  id: number;
  name: string;
  fees: FeeEntry[] | null;
}

/** $1 merchant. */
export const REPORT_SHOPS: Statement = {
  name: 'reports.shops',
  text: `SELECT id, name, fees FROM ${SHOP_FEES} shop WHERE merchant_id = $1`,
};
