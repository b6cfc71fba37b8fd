import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from './clock.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 23);

afterEach(() => void jest.restoreAllMocks());

/** Sets the machine's clock and the time since its start. */
function machine(now: number, sinceStart: number): void {
  jest.spyOn(Date, 'now').mockReturnValue(now);
  jest.spyOn(performance, 'now').mockReturnValue(sinceStart);
}

describe('SystemClock', () => {
  it('returns the machine’s time without a reference', () => {
    machine(NOW, 0);
    expect(new SystemClock().now()).toEqual(new Date(NOW));
  });

  it.each([0, 900, -900])('returns the machine’s time when that is %d ms ahead of the reference', (ms) => {
    machine(NOW + ms, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    expect(clock.now()).toEqual(new Date(NOW + ms));
  });

  it.each([1_100, HOUR_MS, -HOUR_MS])('returns the reference time when the machine’s is %d ms ahead', (ms) => {
    machine(NOW + ms, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    machine(NOW + ms + 250, 1_250);
    expect(clock.now()).toEqual(new Date(NOW + 250));
  });

  it.each([HOUR_MS, -HOUR_MS])('ignores that the machine’s time is changed by %d ms', (ms) => {
    machine(NOW, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    machine(NOW + ms, 3_000);
    expect(clock.now()).toEqual(new Date(NOW + 2_000));
  });
});
