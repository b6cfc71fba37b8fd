import { useEffect, useRef } from 'react';

/** Calls `action` at most once per `everyMs`, and once more after the last call. It is called with what it closes over last. */
export function useThrottle(action: () => void, everyMs: number): () => void {
  const latest = useRef(action);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => void (latest.current = action));
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      latest.current();
    }, everyMs);
  };
}
