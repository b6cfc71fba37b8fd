import { useEffect, useRef } from 'react';
import { type LiveEvent, useLiveEvents } from '../../api/live-events';

/** Longer lists are not read again: too expensive. */
const MAX_PAGES = 3;
const TICK_MS = 1_000;
/** Read interval for changes without an event, such as a successful delivery. */
const EVERY_MS = 5_000;

interface FreshList {
  data: { pages: unknown[] } | undefined;
  isFetching: boolean;
  refetch: () => unknown;
}

/** Reads a short, visible list again soon after events of these types, and every 5 s. Returns whether the list is short. */
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
