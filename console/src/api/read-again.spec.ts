import { describe, expect, it } from '@jest/globals';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { readAgain } from './read-again';

const KEY = ['/payments'];

/** A list on a page; the test answers the requests for its parts one by one. */
function aList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  const requested: number[] = [];
  const waiting: (() => void)[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    queryFn: ({ pageParam }) => {
      requested.push(pageParam);
      return new Promise<number>((resolve) => waiting.push(() => resolve(pageParam)));
    },
    initialPageParam: 1,
    getNextPageParam: (last: number) => last + 1,
  });
  const stop = observer.subscribe(() => undefined);
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    // by then the same read has requested its next page
    await new Promise((resolve) => setImmediate(resolve));
  };
  const pages = () => observer.getCurrentResult().data?.pages;
  return { client, observer, requested, answer, pages, stop };
}

describe('readAgain', () => {
  it('waits for a further page that is being read, then reads the list again', async () => {
    const { client, observer, requested, answer, pages, stop } = aList();
    await answer();
    void observer.fetchNextPage();
    const again = readAgain(client, KEY);
    await answer();
    expect(pages()).toEqual([1, 2]);
    await answer();
    await answer();
    await again;
    expect(requested).toEqual([1, 2, 1, 2]);
    stop();
  });

  it('ends although calls arrive faster than a read takes', async () => {
    const { client, requested, answer, stop } = aList();
    await answer();
    const reads = [1, 2, 3].map(() => readAgain(client, KEY));
    await answer();
    await answer();
    await Promise.all(reads);
    expect(requested).toEqual([1, 1, 1]);
    stop();
  });
});
