/** Where the time comes from; injected so that tests can set it. Due times of deliveries use the database's clock instead. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/**
 * `promise`, or a rejection with `message` when it takes longer than `timeoutMs`. What comes too late is dropped; an
 * answer that is there when a busy process gets round to the timer is in time: it is read before the timer counts.
 */
export async function withTimeout<T>(timeoutMs: number, promise: Promise<T>, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => setImmediate(() => reject(new Error(message))), timeoutMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Not of `node:timers/promises`: the exploration replaces the global timers by a virtual clock. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
