import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { SystemClock } from './clock.js';

const HOUR_MS = 3_600_000;
const NOW = Date.UTC(2026, 10, 23);

afterEach(() => void jest.restoreAllMocks());

/** What the machine says that it is, and how long it has run. */
function machine(now: number, sinceStart: number): void {
  jest.spyOn(Date, 'now').mockReturnValue(now);
  jest.spyOn(performance, 'now').mockReturnValue(sinceStart);
}

describe('SystemClock', () => {
  it('is the machine’s until it is told of another', () => {
    machine(NOW, 0);
    expect(new SystemClock().now()).toEqual(new Date(NOW));
  });

  it.each([0, 900, -900])('is the machine’s while it is %d ms ahead', (ms) => {
    machine(NOW + ms, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    expect(clock.now()).toEqual(new Date(NOW + ms));
  });

  it.each([1_100, HOUR_MS, -HOUR_MS])('is the other one while the machine’s is %d ms ahead', (ms) => {
    machine(NOW + ms, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    machine(NOW + ms + 250, 1_250);
    expect(clock.now()).toEqual(new Date(NOW + 250));
  });

  it.each([HOUR_MS, -HOUR_MS])('does not notice that the machine’s is set by %d ms', (ms) => {
    machine(NOW, 1_000);
    const clock = new SystemClock();
    clock.steer(NOW, 1_000);
    machine(NOW + ms, 3_000);
    expect(clock.now()).toEqual(new Date(NOW + 2_000));
  });
});
