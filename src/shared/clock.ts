/**
 * The source of the current time, injected so that tests can set it. Due times of deliveries and operations use the
 * database's clock instead: SQL statements set and compare them.
 */
export abstract class Clock {
  abstract now(): Date;
}

/** Difference from the reference clock up to which this machine's clock is used. Clocks and the query for the time are inexact. */
export const TOLERATED_MS = 1_000;

/**
 * This machine's clock, corrected by a reference clock once `steer` was called. If the two differ by more than
 * `TOLERATED_MS`, the reference counts: clocks of machines disagree, and a clock that an operator sets jumps. Between
 * two calls of `steer` the time advances by the monotonic clock, which cannot be set.
 */
export class SystemClock extends Clock {
  /** The reference time minus `performance.now()`. */
  private origin: number | undefined;

  now(): Date {
    const own = Date.now();
    if (this.origin === undefined) return new Date(own);
    const right = this.origin + performance.now();
    return new Date(Math.abs(own - right) <= TOLERATED_MS ? own : right);
  }

  /** Sets the reference: the time was `rightMs` when `performance.now()` was `atMs`. */
  steer(rightMs: number, atMs: number): void {
    this.origin = rightMs - atMs;
  }
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

export const daysBefore = (now: Date, days: number): Date => new Date(now.getTime() - days * DAY_MS);

export class TimedOut extends Error {}

/**
 * Returns the result of `promise`, or rejects with `TimedOut` and `message` after `timeoutMs`. A later result is dropped.
 * In a busy process the timer runs late: an answer that has arrived by then is read first and counts as in time.
 */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new TimedOut(message))), timeoutMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Same as {@link withTimeout}; then it aborts the signal, which `send` may ignore. */
export async function inTime<T>(timeoutMs: number, send: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  try {
    return await withTimeout(timeoutMs, send(controller.signal), `no answer within ${timeoutMs} ms`);
  } catch (error) {
    controller.abort(error);
    throw error;
  }
}

/** Waits for `ms`. Not from `node:timers/promises`, because the exploration replaces the global timers by a virtual clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A `pause` that ends at once when `signal` is aborted. */
export function interruptiblePause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** How long an old secret or key may stay valid next to its successor, at most: a week. */
export const MAX_OVERLAP_SECONDS = 604_800;
