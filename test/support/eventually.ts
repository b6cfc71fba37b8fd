import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Below the runner's limit for a test, so that a hang ends in what was last seen; no bound on how fast anything is. */
  timeoutMs?: number;
  /** Between two looks. Absent: 25 ms at first, and longer the longer it takes, as a look takes CPU time from what is awaited. */
  intervalMs?: number;
}

const growing = (waitedMs: number): number => Math.max(25, Math.min(waitedMs / 8, 100));

/**
 * Polls `check` until it neither throws nor returns (or resolves to) `false`, `null` or `undefined`… and gives back what
 * it returned. A check made of `expect` calls returns nothing, which counts as passed.
 * Rejects with the last failure after `timeoutMs`.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 150_000, intervalMs }: EventuallyOptions = {},
): Promise<Exclude<T, false | null>> {
  const started = Date.now();
  for (;;) {
    let failure: unknown;
    try {
      const result = await check();
      if (result !== false && result !== null) return result as Exclude<T, false | null>;
      failure = new Error(`still ${String(result)} after ${timeoutMs} ms: ${check.toString()}`);
    } catch (error) {
      failure = error;
    }
    const waitedMs = Date.now() - started;
    if (waitedMs >= timeoutMs) throw failure as Error;
    await delay(intervalMs ?? growing(waitedMs));
  }
}
