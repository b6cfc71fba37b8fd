import { SetMetadata } from '@nestjs/common';
import type { Page } from '../../shared/cursor.js';

export const IS_PUBLIC = 'auth:is-public';

/** Marks a route without a bearer token. A route with neither this nor `@RequireScopes` makes the start fail. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(IS_PUBLIC, true);

/** `{ success: true, data }`: the body of every successful answer. */
export interface Success<T> {
  success: true;
  data: T;
}

export interface SuccessPage<T> extends Success<T[]> {
  pagination: { next_cursor: string | null; has_more: boolean };
}

export const success = <T>(data: T): Success<T> => ({ success: true, data });

/** `answerOf` converts an item for the response. */
export const successPage = <Item, T>(
  { items, nextCursor }: Page<Item>,
  answerOf: (item: Item) => T,
): SuccessPage<T> => ({
  success: true,
  data: items.map(answerOf),
  pagination: { next_cursor: nextCursor, has_more: nextCursor !== null },
});
