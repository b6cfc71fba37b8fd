import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { type LiveEvent, useLiveEvents } from './live-events';
import { readAgain } from './read-again';
import { throttled } from './throttle';

/** A busy merchant's events come by the hundred. */
const REST_MS = 3_000;
/** Not all that changes is an event: a delivery that arrives is none. Nor do events come in every tab and to every client. */
const EVERY_MS = 10_000;

interface Options {
  isEnabled?: boolean;
  /** How long it is not read again, at least. */
  restMs?: number;
  /** Whether the event may have changed it. */
  concerns?: (event: LiveEvent) => boolean;
}

/** Reads what begins with `key` again when something happens, at most every three seconds, and every ten seconds anyhow. */
export function useLiveRefresh(
  key: QueryKey,
  { isEnabled = true, restMs = REST_MS, concerns = () => true }: Options = {},
): { isOpen: boolean } {
  const client = useQueryClient();
  const text = JSON.stringify(key);
  const refresh = useMemo(
    () => throttled(() => void readAgain(client, JSON.parse(text) as QueryKey), restMs),
    [client, text, restMs],
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
