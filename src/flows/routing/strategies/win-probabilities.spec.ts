import { describe, expect, it } from '@jest/globals';
import { winProbabilities, type BetaShape } from './win-probabilities.js';

/** For integer a and b: Evan Miller, "Formulas for Bayesian A/B testing" (2015). */
function isHigher([a, b]: BetaShape, [c, d]: BetaShape): number {
  let sum = 0;
  for (let i = 0; i < a; i++)
    sum += Math.exp(logBeta(c + i, b + d) - Math.log(b + i) - logBeta(1 + i, b) - logBeta(c, d));
  return sum;
}
const LOG_FACTORIALS = [0];
for (let n = 1; n <= 20_000; n++) LOG_FACTORIALS.push(LOG_FACTORIALS[n - 1]! + Math.log(n));
const logFactorial = (n: number): number => LOG_FACTORIALS[n]!;
const logBeta = (a: number, b: number): number => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

describe('winProbabilities', () => {
  it.each<[BetaShape, BetaShape]>([
    [
      [1, 1],
      [1, 1],
    ],
    [
      [2, 1],
      [1, 1],
    ],
    [
      [91, 11],
      [81, 21],
    ],
    [
      [1, 1],
      [901, 101],
    ],
    [
      [20, 3],
      [400, 80],
    ],
    [
      [5_001, 501],
      [4_901, 601],
    ],
  ])('returns the exact value for %j against %j', (one, other) => {
    const [first, second] = winProbabilities([one, other]) as [number, number];
    expect(first).toBeCloseTo(isHigher(one, other), 3);
    expect(first + second).toBeCloseTo(1, 12);
  });

  it('returns equal values for equal rates, for any number of rates and outcomes', () => {
    for (const shape of [
      [1, 1],
      [8, 3],
      [900_001, 100_001],
    ] as const) {
      for (const count of [1, 3, 300]) {
        for (const each of winProbabilities(new Array<BetaShape>(count).fill(shape)))
          expect(each).toBeCloseTo(1 / count, 9);
      }
    }
  });

  it('returns almost 0 for a rate that is certainly lower', () => {
    const [low, high] = winProbabilities([
      [1, 100_001],
      [100_001, 1],
    ]) as [number, number];
    expect(low).toBeGreaterThanOrEqual(0);
    expect(low).toBeLessThan(1e-9);
    expect(high).toBeCloseTo(1, 9);
  });
});
