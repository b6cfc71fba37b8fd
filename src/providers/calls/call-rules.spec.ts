import { describe, expect, it } from '@jest/globals';
import { isWithinWindow } from './call-rules.js';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** An operation with its age by the clock of this process, and by the database's clock when it was read. */
const operation = (ownAgeMs: number, ageMs: number) => ({
  created_at: new Date(Date.now() - ownAgeMs),
  age_ms: ageMs,
});

describe('isWithinWindow', () => {
  it.each([
    ['allows a repeat while both clocks allow it', 22 * HOUR_MS, 22 * HOUR_MS, true],
    ['forbids a repeat in the last minute', 24 * HOUR_MS - MINUTE_MS, 24 * HOUR_MS - MINUTE_MS, false],
    ['forbids a repeat in a process that was frozen for a day after it had read the row', 24 * HOUR_MS, 1_000, false],
    ['forbids a repeat in a process whose clock is behind', 23 * HOUR_MS, 24 * HOUR_MS, false],
  ])('%s', (_, ownAgeMs, ageMs, isSafe) => {
    expect(isWithinWindow(operation(ownAgeMs, ageMs), 24 * HOUR_MS)).toBe(isSafe);
  });
});
