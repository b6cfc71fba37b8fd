import { describe, expect, it } from '@jest/globals';
import { bestOfBetas, type BetaShape } from './best-of-betas.js';

/** Whole a and b: Evan Miller, "Formulas for Bayesian A/B testing" (2015). */
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

describe('how likely a rate is to be the highest', () => {
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
  ])('is right for %j beside %j', (one, other) => {
    const [ofOne, ofOther] = bestOfBetas([one, other]) as [number, number];
    expect(ofOne).toBeCloseTo(isHigher(one, other), 3);
    expect(ofOne + ofOther).toBeCloseTo(1, 12);
  });

  it('is the same for equal rates, however many and however well known', () => {
    for (const shape of [
      [1, 1],
      [8, 3],
      [900_001, 100_001],
    ] as const) {
      for (const count of [1, 3, 300]) {
        for (const each of bestOfBetas(new Array<BetaShape>(count).fill(shape))) expect(each).toBeCloseTo(1 / count, 9);
      }
    }
  });

  it('is next to nothing for a rate that is certainly lower', () => {
    const [low, high] = bestOfBetas([
      [1, 100_001],
      [100_001, 1],
    ]) as [number, number];
    expect(low).toBeGreaterThanOrEqual(0);
    expect(low).toBeLessThan(1e-9);
    expect(high).toBeCloseTo(1, 9);
  });
});
