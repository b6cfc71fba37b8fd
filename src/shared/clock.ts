/**
 * Where the time comes from; injected so that tests can set it. Due times of deliveries and operations are set and compared in
 * statements, by the database's clock.
 */
export abstract class Clock {
  abstract now(): Date;
}

/** So far this machine's clock may be from the right one and still counts: nobody's is exact, and what asks it takes time. */
export const TOLERATED_MS = 1_000;

/**
 * This machine's clock. Once it is told of another one, the two count as one while they are near; where they differ, the
 * other one counts: machines disagree, and a clock that is set jumps. Between two tellings time goes on by what measures
 * spans, which nobody sets.
 */
export class SystemClock extends Clock {
  /** What is to be added to `performance.now()`. */
  private origin: number | undefined;

  now(): Date {
    const own = Date.now();
    if (this.origin === undefined) return new Date(own);
    const right = this.origin + performance.now();
    return new Date(Math.abs(own - right) <= TOLERATED_MS ? own : right);
  }

  /** It was `rightMs` when `performance.now()` was `atMs`. */
  steer(rightMs: number, atMs: number): void {
    this.origin = rightMs - atMs;
  }
}

export class TimedOut extends Error {}

/**
 * `promise`, or a rejection with `TimedOut` and `message` when it takes longer than `timeoutMs`. What comes too late is dropped; an
 * answer that is there when a busy process gets round to the timer is in time: it is read before the timer counts.
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

/** Not of `node:timers/promises`: the exploration replaces the global timers by a virtual clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** `pause`, over at once when `signal` is aborted. */
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
