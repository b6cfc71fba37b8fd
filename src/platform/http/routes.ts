import { SetMetadata } from '@nestjs/common';
import type { Page } from '../../shared/cursor.js';

export const IS_PUBLIC = 'auth:is-public';

/** The route takes no bearer token. A route with neither this nor `@RequireScopes` is refused at start. */
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

/** `answerOf` makes of an item what the answer holds. */
export const successPage = <Item, T>(
  { items, nextCursor }: Page<Item>,
  answerOf: (item: Item) => T,
): SuccessPage<T> => ({
  success: true,
  data: items.map(answerOf),
  pagination: { next_cursor: nextCursor, has_more: nextCursor !== null },
});
