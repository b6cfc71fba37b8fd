import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ANSWER_TIME_CLASSES, answerTimeClass, answerTimePercentile } from './answer-times.js';

function countsOf(durations: number[]): number[] {
  const counts = new Array<number>(ANSWER_TIME_CLASSES).fill(0);
  for (const duration of durations) counts[answerTimeClass(duration)]! += 1;
  return counts;
}

describe('answerTimePercentile', () => {
  it('returns null without answers', () => {
    expect(answerTimePercentile(countsOf([]), 0.5)).toBeNull();
    expect(answerTimePercentile([], 0.5)).toBeNull();
  });

  it('returns a value within a fifth of the exact percentile', () => {
    const durations = fc.array(fc.integer({ min: 2, max: 30_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
        const sorted = [...all].sort((one, other) => one - other);
        const exact = sorted[Math.ceil(share * sorted.length) - 1]!;
        const found = answerTimePercentile(countsOf(all), share)!;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(0.2 * exact + 1);
      }),
    );
  });

  it('counts answers beyond the classes in the first and the last class', () => {
    expect(answerTimeClass(0)).toBe(0);
    expect(answerTimeClass(10 ** 9)).toBe(ANSWER_TIME_CLASSES - 1);
  });
});
