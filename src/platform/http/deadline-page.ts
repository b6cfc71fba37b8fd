import { type Deadline, encodeDeadline, type Page } from '../../shared/cursor.js';
import { WALK_STEPS } from './walked-page.js';

/** How many rows a page of a list by deadline looks at. */
const MOST_WALKED = WALK_STEPS.reduce((sum, step) => sum + step, 0);

/** A row that matches, with how far its look came; or, without a match, the only row of the look. */
export interface DeadlineRow {
  id: number | null;
  walked: number;
  /** The last row that was looked at; `null`: there was none. */
  walked_at: Date | null;
  walked_id: number | null;
}

interface DeadlineSql {
  table: string;
  /** The column with the deadline, after `merchant_id` in an index of the rows that have one. */
  column: string;
  /** The index's condition, of a row `q`. */
  indexed: string;
  /** Selects the row `w.id` if it has the other filters. */
  match: string;
  /** Shows the rows of `page`; default: as they are. */
  rows?: string;
  /** Parameters: the limit, the time and id to come after, the time to stay below; `null`: from the first, to the last. */
  limit: string;
  at: string;
  id: string;
  before: string;
}

/** SQL of a page of the merchant $1, the earliest deadline first. See {@link deadlinePage}. */
export const deadlineSql = ({ table, column, indexed, match, rows = 'page', ...parameters }: DeadlineSql): string => {
  const { limit, at, id, before } = parameters;
  return `WITH walked AS MATERIALIZED (
      SELECT q.id, q.${column} AS at FROM ${table} q WHERE q.merchant_id = ANY (ARRAY[$1::bigint]) AND ${indexed}
        AND (q.${column}, q.id) > (coalesce(${at}::timestamptz, '-infinity'), ${id}::bigint)
        AND q.${column} < coalesce(${before}::timestamptz, 'infinity')
      ORDER BY q.merchant_id, q.${column}, q.id LIMIT ${MOST_WALKED}
    ), page AS MATERIALIZED (
      SELECT q.* FROM (SELECT id, at FROM walked ORDER BY at, id) w CROSS JOIN LATERAL (${match} OFFSET 0) q
      ORDER BY w.at, w.id LIMIT ${limit}
    )
    SELECT w.walked, last.at AS walked_at, last.id AS walked_id, p.*
    FROM (SELECT count(*)::integer AS walked FROM walked) w
    LEFT JOIN (SELECT at, id FROM walked ORDER BY at DESC, id DESC LIMIT 1) last ON true
    LEFT JOIN ${rows} p ON true ORDER BY p.${column}, p.id`;
};

/**
 * The page of `rows`, which were read with `limit + 1`. The work is bounded as that of a `walkedPage`. `deadlineOf`: an item's own.
 */
export function deadlinePage<Row extends DeadlineRow>(
  rows: Row[],
  limit: number,
  deadlineOf: (row: Row) => Date | null,
): Page<Row & { id: number }> {
  const found = rows.filter((row): row is Row & { id: number } => row.id !== null);
  const items = found.slice(0, limit);
  const { walked, walked_at: at, walked_id: id } = rows[0]!;
  const [last] = items.slice(-1);
  const isMore = found.length > limit || walked === MOST_WALKED;
  const place: Deadline = found.length > limit ? { at: deadlineOf(last!)!, id: last!.id } : { at: at!, id: id! };
  return { items, nextCursor: isMore ? encodeDeadline(place) : null };
}
