import { useEffect, useRef } from 'react';
import { type LiveEvent, useLiveEvents } from '../../api/live-events';

/** Reading a longer list again and again would cost more than it tells. */
const MAX_PAGES = 3;
const TICK_MS = 1_000;
/** Of what has no event, such as a delivery that arrives. */
const EVERY_MS = 5_000;

interface FreshList {
  data: { pages: unknown[] } | undefined;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Reads a list again soon after events of these types, and every few seconds, while it is short and seen. Whether it does. */
export function useFresh(list: FreshList, types: readonly LiveEvent['type'][]): boolean {
  const isShort = (list.data?.pages.length ?? 0) <= MAX_PAGES;
  const latest = useRef(list);
  const hasNews = useRef(false);
  useEffect(() => void (latest.current = list));
  useLiveEvents(({ type }) => {
    if (types.includes(type)) hasNews.current = true;
  });
  useEffect(() => {
    if (!isShort) return undefined;
    let readAt = Date.now();
    const timer = setInterval(() => {
      const isDue = hasNews.current || Date.now() - readAt >= EVERY_MS;
      if (!isDue || document.hidden || latest.current.isFetching) return;
      hasNews.current = false;
      readAt = Date.now();
      void latest.current.refetch();
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [isShort]);
  return isShort;
}
