import type { Page } from '../../shared/cursor.js';

/** `{ success: true, data }`: the body of every successful answer. */
export interface Success<T> {
  success: true;
  data: T;
}

export interface SuccessPage<T> extends Success<T[]> {
  pagination: { next_cursor: string | null; has_more: boolean };
}

export const success = <T>(data: T): Success<T> => ({ success: true, data });

export const successPage = <T>({ items, nextCursor }: Page<T>): SuccessPage<T> => ({
  success: true,
  data: items,
  pagination: { next_cursor: nextCursor, has_more: nextCursor !== null },
});
