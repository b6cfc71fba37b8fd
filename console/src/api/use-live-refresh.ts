import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type LiveEvent, useLiveEvents } from './live-events';
import { readAgain } from './read-again';
import { throttled } from './throttle';

/** A busy merchant has hundreds of events at a time. */
const PAUSE_MS = 3_000;
/** Some changes are no event: a delivery that succeeds. And some tabs and clients receive no events. */
const EVERY_MS = 10_000;

interface Options {
  isEnabled?: boolean;
  /** Minimum time between two reads. */
  pauseMs?: number;
  /** Whether the event may have changed the data. */
  concerns?: (event: LiveEvent) => boolean;
}

/** Reads the queries whose key begins with `key` again after an event, at most every 3 s, and every 10 s in any case. */
export function useLiveRefresh(
  key: QueryKey,
  { isEnabled = true, pauseMs = PAUSE_MS, concerns = () => true }: Options = {},
): { isOpen: boolean } {
  const client = useQueryClient();
  const text = JSON.stringify(key);
  const refresh = useMemo(
    () => throttled(() => void readAgain(client, JSON.parse(text) as QueryKey), pauseMs),
    [client, text, pauseMs],
  );
  const call = (event: LiveEvent): void => {
    if (isEnabled && !document.hidden && concerns(event)) refresh.call();
  };
  useEffect(() => {
    if (!isEnabled) return refresh.stop;
    const timer = setInterval(() => !document.hidden && refresh.call(), EVERY_MS);
    return () => {
      clearInterval(timer);
      refresh.stop();
    };
  }, [refresh, isEnabled]);
  return useLiveEvents(call);
}
