import { eventually } from './eventually.js';

export const HOUR_MS = 3_600_000;
/** A day in UTC. */
export const DAY_MS = 24 * HOUR_MS;
/** Longer than a test takes; shorter than `eventually` waits. */
const ENOUGH_MS = 60_000;

/** Resolves when at least a minute of the current hour or day is left. For counters by hour or day. */
export const earlyIn = async (periodMs: number): Promise<void> => {
  await eventually(() => periodMs - (Date.now() % periodMs) > ENOUGH_MS);
};
