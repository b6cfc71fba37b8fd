import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PermitRests } from './permit-rests.js';

/** Of a moment these do not rest. */
const AT_ONCE = 16;
const ATTEMPTS = 300;
const LONGEST_MS = 1_500;

describe('PermitRests', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  function restAll(): { rests: PermitRests; givenBack: number[] } {
    const rests = new PermitRests();
    const givenBack: number[] = [];
    const since = Date.now();
    for (let attempt = 0; attempt < AT_ONCE + ATTEMPTS; attempt++) rests.add(() => givenBack.push(Date.now() - since));
    return { rests, givenBack };
  }

  it('spread what timed out in one moment evenly', () => {
    const { givenBack } = restAll();
    givenBack.splice(0, AT_ONCE);
    jest.advanceTimersByTime(LONGEST_MS);
    expect(givenBack).toHaveLength(ATTEMPTS);
    const inTenth = Array.from({ length: 10 }, (_, tenth) => {
      const from = (tenth * LONGEST_MS) / 10;
      return givenBack.filter((ms) => ms >= from && ms < from + LONGEST_MS / 10).length;
    });
    expect(Math.min(...inTenth)).toBeGreaterThanOrEqual(ATTEMPTS / 10 - 3);
    expect(Math.max(...inTenth)).toBeLessThanOrEqual(ATTEMPTS / 10 + 3);
  });

  it('leave out the first few of a moment, and of the next', () => {
    const { rests, givenBack } = restAll();
    expect(givenBack).toHaveLength(AT_ONCE);
    jest.advanceTimersByTime(LONGEST_MS);
    givenBack.length = 0;
    for (let attempt = 0; attempt < AT_ONCE; attempt++) rests.add(() => givenBack.push(attempt));
    expect(givenBack).toHaveLength(AT_ONCE);
  });

  it('give all back at once when the process stops, and nothing twice', () => {
    const { rests, givenBack } = restAll();
    jest.advanceTimersByTime(LONGEST_MS / 2);
    rests.end();
    expect(givenBack).toHaveLength(AT_ONCE + ATTEMPTS);
    jest.advanceTimersByTime(LONGEST_MS);
    expect(givenBack).toHaveLength(AT_ONCE + ATTEMPTS);
  });
});
