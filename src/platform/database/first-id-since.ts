import type { Queryable, Statement } from './database.js';

/** Ids follow the clock but for transactions that took their id earlier than others and their time later. */
export const DISORDER_MS = 60_000;

/** Rows whose ids follow the time at which they were made, but for those made at about the same time. */
interface Chronicle {
  /** → `id`: the last; 0 when there is none. */
  last: Statement;
  /** $1 id → `id` and `created_at` of the first row from there on. */
  firstFrom: Statement;
}

/**
 * The id from which on rows were made at `time` or later, give or take those that took their id earlier than others and
 * their time later. A binary search over ids: an index on times, used by little else, would burden every row.
 */
export async function firstIdSince(database: Queryable, { last, firstFrom }: Chronicle, time: Date): Promise<number> {
  const [newest] = await database.query<{ id: number }>(last);
  let low = 1;
  let high = newest!.id + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [row] = await database.query<{ id: number; created_at: Date }>(firstFrom, [middle]);
    if (row && row.created_at < time) low = row.id + 1;
    else high = middle;
  }
  return low;
}
