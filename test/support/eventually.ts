import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  /** Below the runner's limit for a test, so that a hang ends in what was last seen; no bound on how fast anything is. */
  timeoutMs?: number;
  intervalMs?: number;
}

/**
 * Polls `check` until it neither throws nor returns (or resolves to) `false`, `null` or `undefined`… and gives back what
 * it returned. A check made of `expect` calls returns nothing, which counts as passed.
 * Rejects with the last failure after `timeoutMs`.
 */
export async function eventually<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 150_000, intervalMs = 25 }: EventuallyOptions = {},
): Promise<Exclude<T, false | null>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    let failure: unknown;
    try {
      const result = await check();
      if (result !== false && result !== null) return result as Exclude<T, false | null>;
      failure = new Error(`still ${String(result)} after ${timeoutMs} ms: ${check.toString()}`);
    } catch (error) {
      failure = error;
    }
    if (Date.now() >= deadline) throw failure as Error;
    await delay(intervalMs);
  }
}
