import { encodeCursor, type Page, toPage } from '../../shared/cursor.js';

/** How many rows a page of a filtered list looks at, step by step: most filters fill a page at once. About 0.3 s. */
export const WALK_STEPS = [500, 4_500, 15_000] as const;

/** A row that matches, with what its step looked at; or, without a match, the only row of its step. */
export interface WalkedRow {
  /** `null`, like all fields of the list: no row matches. */
  id: number | null;
  walked: number;
  /** The last row that was looked at; `null`: there was none. */
  walked_to: number | null;
}

/** Looks at `count` rows below `beforeId`, in the order of the list, and returns at most `limit` of those that match. */
export type Look<Row extends WalkedRow> = (
  beforeId: number | undefined,
  count: number,
  limit: number,
) => Promise<Row[]>;

export type Matching<Row extends WalkedRow> = Row & { id: number };

/**
 * A page of a list whose filters no index has together. The work is bounded: a page may have fewer items than its limit,
 * even none, and still a next one.
 */
export async function walkedPage<Row extends WalkedRow>(
  { limit, beforeId }: { limit: number; beforeId?: number | undefined },
  look: Look<Row>,
  steps: readonly number[] = WALK_STEPS,
): Promise<Page<Matching<Row>>> {
  const items: Matching<Row>[] = [];
  let next = beforeId;
  for (const step of steps) {
    const rows = await look(next, step, limit + 1 - items.length);
    items.push(...rows.filter((row): row is Matching<Row> => row.id !== null));
    if (items.length > limit || rows[0]!.walked < step) return toPage(items, limit);
    next = rows[0]!.walked_to!;
  }
  return { items, nextCursor: encodeCursor(next!) };
}

type LookSql = { candidates: string; match: string; rows?: string; limit: string };

/**
 * SQL of a look: `candidates` selects the `id`s of its rows, newest first; `match` reads the row `w.id` if
 * it has the other filters; `rows` shows those of `page`; `limit`: the parameter with the number of rows to return.
 */
export const lookSql = ({ candidates, match, rows = 'page', limit }: LookSql): string =>
  `WITH walked AS MATERIALIZED (${candidates}), page AS MATERIALIZED (
      SELECT q.* FROM (SELECT id FROM walked ORDER BY id DESC) w CROSS JOIN LATERAL (${match} OFFSET 0) q
      ORDER BY w.id DESC LIMIT ${limit}
    )
    SELECT w.walked_to, w.walked, p.* FROM (SELECT min(id) AS walked_to, count(*)::integer AS walked FROM walked) w
    LEFT JOIN ${rows} p ON true ORDER BY p.id DESC`;

const MAX_WALKED = WALK_STEPS.reduce((sum, step) => sum + step, 0);

/** Explains a list of `walkedPage`s. */
export const looksAt = (items: string, when = 'With several filters'): string =>
  `${when}, a page looks at up to ${MAX_WALKED.toLocaleString('en')} ${items}: it may be short, even empty, and still have a next one.`;
