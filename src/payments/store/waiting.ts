import { DAY_MS } from '../../shared/clock.js';

/** The longest time that a notification waits. */
export const WAITING_MS = 3 * DAY_MS;
const FIRST_CHECK_MS = 2_000;

/** First check of a new waiting notification by a worker: most of them have been applied by then. */
export const firstCheckAt = (now: Date): Date => new Date(now.getTime() + FIRST_CHECK_MS);
