import { eventually } from './eventually.js';

export const HOUR_MS = 3_600_000;
/** Of UTC. */
export const DAY_MS = 24 * HOUR_MS;
/** More than a test takes; less than `eventually` waits. */
const ENOUGH_MS = 60_000;

/** Resolves when the present hour or day goes on for a minute: at once, but in its last one. For what is counted by it. */
export const earlyIn = async (periodMs: number): Promise<void> => {
  await eventually(() => periodMs - (Date.now() % periodMs) > ENOUGH_MS);
};
