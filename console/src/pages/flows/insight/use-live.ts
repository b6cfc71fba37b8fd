import { useEffect, useRef, useState } from 'react';

/** After the last key. */
const DELAY_MS = 150;

export interface Live<Result> {
  /** Of the last input that there is an answer for; stays while the next one is on its way. */
  result: Result | undefined;
  /** Of the input of now. */
  error: unknown;
  isBusy: boolean;
  /** From the last key to the answer. */
  ms: number | undefined;
}

const NOTHING: Live<never> = { result: undefined, error: undefined, isBusy: false, ms: undefined };

/**
 * Asks again soon after the input has changed; an answer to an older one is not waited for. `input` is compared as JSON;
 * `undefined`: there is nothing to ask.
 */
export function useLive<Input, Result>(
  input: Input | undefined,
  ask: (input: Input, signal: AbortSignal) => Promise<Result>,
): Live<Result> & { again: () => void } {
  const [live, setLive] = useState<Live<Result>>(NOTHING);
  const [tries, setTries] = useState(0);
  const latest = useRef(ask);
  useEffect(() => void (latest.current = ask));
  const text = input === undefined ? undefined : JSON.stringify(input);
  useEffect(() => {
    if (text === undefined) return undefined;
    const startedAt = performance.now();
    const controller = new AbortController();
    const { signal } = controller;
    const settle = (change: Partial<Live<Result>>): void => {
      if (!signal.aborted)
        setLive((before) => ({ ...before, isBusy: false, ms: performance.now() - startedAt, ...change }));
    };
    const timer = setTimeout(() => {
      setLive((before) => ({ ...before, isBusy: true }));
      latest.current(JSON.parse(text) as Input, signal).then(
        (result) => settle({ result, error: undefined }),
        (error: unknown) => settle({ error }),
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, tries]);
  return { ...live, again: () => setTries((count) => count + 1) };
}
