import { describe, expect, it } from '@jest/globals';
import { ConcurrencyLimit, FAST_MAX, MIN_LIMIT, SLOW_MAX } from './concurrency-limit.js';

const times = (count: number, call: () => void) => Array.from({ length: count }, call);

describe('ConcurrencyLimit', () => {
  it.each([
    [100, FAST_MAX],
    [101, SLOW_MAX],
  ])('grows by one with each answer within %i ms, up to %i', (durationMs, max) => {
    const limit = new ConcurrencyLimit();
    limit.onAnswer(durationMs);
    expect(limit.size).toBe(3);
    times(300, () => limit.onAnswer(durationMs));
    expect(limit.size).toBe(max);
  });

  it('falls to the slow maximum when the endpoint slows down', () => {
    const limit = new ConcurrencyLimit(FAST_MAX);
    limit.onAnswer(2_000);
    expect(limit.size).toBe(SLOW_MAX);
  });

  it('halves with every timeout, down to its minimum', () => {
    const limit = new ConcurrencyLimit(20);
    const sizes = times(3, () => void limit.onTimeout());
    expect([sizes.length, limit.size, limit.isLeast]).toEqual([3, MIN_LIMIT, true]);
  });

  it('starts at its minimum when an untried endpoint does not answer', () => {
    const limit = new ConcurrencyLimit();
    limit.onTimeout();
    expect([limit.size, limit.isLeast]).toEqual([MIN_LIMIT, true]);
  });
});
