import type { Item, ListPath } from '@payment-orchestrator/client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from './client';

interface Page<Path extends ListPath> {
  data: Item<Path>[];
  pagination: { next_cursor: string | null };
}

const PAGE_SIZE = 50;

/**
 * A list of the API, one page at a time: `useList('/payments', { query: { status } })`. Its cache key begins with the path,
 * so `queryClient.invalidateQueries({ queryKey: ['/payments'] })` reads it again.
 */
export function useList<Path extends ListPath>(
  path: Path,
  { query = {}, path: parameters = {}, isEnabled = true }: ListOptions = {},
) {
  const result = useInfiniteQuery({
    queryKey: [path, parameters, query],
    queryFn: async ({ pageParam, signal }): Promise<Page<Path>> => {
      const params = {
        path: parameters,
        query: { limit: PAGE_SIZE, ...query, ...(pageParam && { cursor: pageParam }) },
      };
      // the client's types need a literal path, and here it is a type parameter
      const read: (path: never, init: never) => Promise<unknown> = (...call) => api.get(...call);
      return (await read(path as never, { params, signal } as never)) as Page<Path>;
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
  return { ...result, rows: result.data?.pages.flatMap(({ data }) => data) };
}

/** An object is sent as `name[key]=value`. */
export type Query = Record<string, string | number | Record<string, string> | undefined>;

interface ListOptions {
  query?: Query;
  /** Parameters of the path, such as `{ shopId: 1 }`. */
  path?: Record<string, string | number>;
  isEnabled?: boolean;
}
