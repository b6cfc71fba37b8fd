import { setTimeout as delay } from 'node:timers/promises';

export interface EventuallyOptions {
  /**
   * Shorter than the runner's time limit of a test, so that a test that hangs fails with the last state. Not a
   * performance bound.
   */
  timeoutMs?: number;
  /**
   * Pause between two checks. Absent: 25 ms at first, then growing, because a check takes CPU time from the awaited
   * work.
   */
  intervalMs?: number;
}

const growing = (waitedMs: number): number => Math.max(25, Math.min(waitedMs / 8, 100));

/**
 * Polls `check` until it neither throws nor returns (or resolves to) `false` or `null`, and resolves to its result. A
 * check that consists of `expect` calls returns `undefined`, which counts as passed. Rejects with the last failure
 * after `timeoutMs`.
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
