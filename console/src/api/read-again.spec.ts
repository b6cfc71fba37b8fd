import { describe, expect, it } from '@jest/globals';
import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { readAgain } from './read-again';

const KEY = ['/payments'];

/** A list on a page, whose pages are answered one by one. */
function aList() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  const asked: number[] = [];
  const waiting: (() => void)[] = [];
  const observer = new InfiniteQueryObserver(client, {
    queryKey: KEY,
    queryFn: ({ pageParam }) => {
      asked.push(pageParam);
      return new Promise<number>((resolve) => waiting.push(() => resolve(pageParam)));
    },
    initialPageParam: 1,
    getNextPageParam: (last: number) => last + 1,
  });
  const stop = observer.subscribe(() => undefined);
  const answer = async (): Promise<void> => {
    waiting.shift()?.();
    // the next page of the same read is asked for by then
    await new Promise((resolve) => setImmediate(resolve));
  };
  const pages = () => observer.getCurrentResult().data?.pages;
  return { client, observer, asked, answer, pages, stop };
}

describe('reading a list again', () => {
  it('does not lose the further page that somebody has asked for, and reads afterwards', async () => {
    const { client, observer, asked, answer, pages, stop } = aList();
    await answer();
    void observer.fetchNextPage();
    const again = readAgain(client, KEY);
    await answer();
    expect(pages()).toEqual([1, 2]);
    await answer();
    await answer();
    await again;
    expect(asked).toEqual([1, 2, 1, 2]);
    stop();
  });

  it('comes to an end though it is asked for more often than it takes', async () => {
    const { client, asked, answer, stop } = aList();
    await answer();
    const reads = [1, 2, 3].map(() => readAgain(client, KEY));
    await answer();
    await answer();
    await Promise.all(reads);
    expect(asked).toEqual([1, 1, 1]);
    stop();
  });
});
