import type { Queryable, Statement } from './database.js';

/**
 * Ids are in the order of their times, except for transactions that took their id before others and their time after
 * them. Such ids are at most this far apart in time.
 */
export const DISORDER_MS = 60_000;

/**
 * $1 time → `id`, for `firstIdSince`, over tables that share one sequence of ids: a binary search over ids. It runs in
 * the database, because each of its two dozen steps would be a round trip.
 *
 * Why not an index on times: every insert would pay for it, BRIN needs the bitmap scans that `enable_bitmapscan = off`
 * excludes, and ids of two tables cannot share an index.
 */
export const searchByTime = (name: string, ...tables: string[]): Statement => ({
  name,
  text: `WITH RECURSIVE span (low, high) AS (
      SELECT 1::bigint, coalesce(max(id), 0)::bigint + 1
      FROM (${unionOf(tables, (table) => `SELECT max(id) AS id FROM ${table}`)}) newest
      UNION ALL
      SELECT coalesce(before.id + 1, s.low), CASE WHEN before.id IS NULL THEN (s.low + s.high) / 2 ELSE s.high END
      FROM span s LEFT JOIN LATERAL (
        SELECT id, created_at FROM (
          ${unionOf(tables, (table) => `SELECT id, created_at FROM ${table} WHERE id >= (s.low + s.high) / 2 ORDER BY id LIMIT 1`)}
        ) next ORDER BY id LIMIT 1
      ) before ON before.created_at < $1::timestamptz
      WHERE s.low < s.high
    ) SELECT low AS id FROM span WHERE low >= high`,
});

const unionOf = (tables: string[], select: (table: string) => string): string =>
  tables.map((table) => `(${select(table)})`).join(' UNION ALL ');

/**
 * The first id of rows that were created at `time` or later. It may be off by rows that took their id before others and
 * their time after them. `search`: see `searchByTime`.
 */
export async function firstIdSince(database: Queryable, search: Statement, time: Date): Promise<number> {
  const [found] = await database.query<{ id: number }>(search, [time]);
  return found!.id;
}

/** Bounds of the ids of rows that were created within the times, so that no rows of other times are read. */
export async function idsWithin(
  database: Queryable,
  search: Statement,
  { from, to }: { from?: Date | null | undefined; to?: Date | null | undefined },
): Promise<{ from: number; below: number }> {
  const since = (time: Date, ms: number) => firstIdSince(database, search, new Date(time.getTime() + ms));
  return {
    from: from ? await since(from, -DISORDER_MS) : 0,
    below: to ? await since(to, DISORDER_MS) : Number.MAX_SAFE_INTEGER,
  };
}
