import { useEffect, useRef, useState } from 'react';

/** Delay after the last key press. */
const DELAY_MS = 150;

export interface Live<Result> {
  /** The latest result. It is kept while the next request is running. */
  result: Result | undefined;
  /** The error for the current input. */
  error: unknown;
  isBusy: boolean;
  /** Time from the last key press to the answer. */
  ms: number | undefined;
}

const NOTHING: Live<never> = { result: undefined, error: undefined, isBusy: false, ms: undefined };

/**
 * Sends a request soon after the input has changed, and cancels the one before. `input` is compared as JSON; `undefined`
 * sends nothing.
 */
export function useLive<Input, Result>(
  input: Input | undefined,
  send: (input: Input, signal: AbortSignal) => Promise<Result>,
): Live<Result> & { again: () => void } {
  const [live, setLive] = useState<Live<Result>>(NOTHING);
  const [tries, setTries] = useState(0);
  const latest = useRef(send);
  useEffect(() => void (latest.current = send));
  const text = input === undefined ? undefined : JSON.stringify(input);
  useEffect(() => {
    if (text === undefined) return undefined;
    const startedAt = performance.now();
    const controller = new AbortController();
    const { signal } = controller;
    const finish = (change: Partial<Live<Result>>): void => {
      if (!signal.aborted)
        setLive((before) => ({ ...before, isBusy: false, ms: performance.now() - startedAt, ...change }));
    };
    const timer = setTimeout(() => {
      setLive((before) => ({ ...before, isBusy: true }));
      latest.current(JSON.parse(text) as Input, signal).then(
        (result) => finish({ result, error: undefined }),
        (error: unknown) => finish({ error }),
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, tries]);
  return { ...live, again: () => setTries((count) => count + 1) };
}
