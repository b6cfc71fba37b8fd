import { Problem } from './problem.js';

/** One page of a list, newest first. `nextCursor` is `null` on the last page. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

/** A request for at most `limit` items with ids below `beforeId`. */
export interface PageRequest {
  limit: number;
  beforeId?: number;
}

/** A place in a list by deadline: the earliest first, then by id. */
export interface Deadline {
  at: Date;
  id: number;
}

/** A request for at most `limit` items after a place; `beforeId`: the items with a deadline are over. */
export interface DeadlinePageRequest extends PageRequest {
  after?: Deadline;
}

/** Returns an opaque cursor for the page after the item `id`. */
export const encodeCursor = (id: number): string => Buffer.from(`v1:${id}`).toString('base64url');

/** Returns the id inside a cursor from `encodeCursor`. Throws `malformed_request` for anything else. */
export function decodeCursor(cursor: string): number {
  const match = /^v1:(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  const id = match ? Number(match[1]) : NaN;
  if (!Number.isSafeInteger(id)) throw badCursor();
  return id;
}

/** Returns an opaque cursor for the page after a place in a list by deadline. */
export const encodeDeadline = ({ at, id }: Deadline): string =>
  Buffer.from(`at:${at.getTime()}:${id}`).toString('base64url');

/** Returns the place inside a cursor of {@link encodeDeadline}; `undefined`: it is none. */
export function decodeDeadline(cursor: string): Deadline | undefined {
  const match = /^at:(\d{1,14}):(\d{1,16})$/.exec(Buffer.from(cursor, 'base64url').toString('utf8'));
  const id = Number(match?.[2]);
  return match && Number.isSafeInteger(id) ? { at: new Date(Number(match[1])), id } : undefined;
}

/** The problem for a cursor that the service never returned. */
export const badCursor = (): Problem =>
  new Problem('malformed_request', {
    detail: 'cursor: must be the next_cursor of an earlier page, unchanged',
    errors: [{ field: 'cursor', message: 'must be the next_cursor of an earlier page, unchanged' }],
  });

/**
 * Builds a page from `rows`, which were fetched with `limit + 1`. Keyset pagination: the query asks for ids below the
 * cursor, so page 10,000 costs as much as page 1.
 */
export function toPage<T extends { id: number }>(rows: T[], limit: number): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(last.id) : null };
}
