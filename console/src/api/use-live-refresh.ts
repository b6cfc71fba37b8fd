import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { useLiveEvents } from './live-events';
import { throttled } from './throttle';

/** A busy merchant's events come by the hundred. */
const REST_MS = 3_000;
/** Not all that changes is an event: a delivery that arrives is none. */
const EVERY_MS = 10_000;

/** Reads what begins with `key` again when something happens, at most every three seconds, and every ten seconds anyhow. */
export function useLiveRefresh(key: QueryKey, isEnabled = true): { isOpen: boolean } {
  const client = useQueryClient();
  const text = JSON.stringify(key);
  const refresh = useMemo(
    () => throttled(() => void client.invalidateQueries({ queryKey: JSON.parse(text) as QueryKey }), REST_MS),
    [client, text],
  );
  const call = (): void => {
    if (isEnabled && !document.hidden) refresh.call();
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
