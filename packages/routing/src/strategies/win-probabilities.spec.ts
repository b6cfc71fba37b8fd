import { describe, expect, it } from '@jest/globals';
import { generator } from '../statistics/random.js';
import { sampleBeta } from './success-rate.js';
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

describe('winProbabilities of rates with factors', () => {
  const FACTORED: [BetaShape[], number[]][] = [
    [
      [
        [91, 11],
        [81, 21],
      ],
      [0.97, 1],
    ],
    [
      [
        [91, 11],
        [95, 7],
      ],
      [0.99, 0.955],
    ],
    [
      [
        [901, 101],
        [921, 81],
      ],
      [0.986, 0.971],
    ],
    [
      [
        [9_001, 1_001],
        [9_101, 901],
      ],
      [1, 0.9905],
    ],
    [
      [
        [1, 1],
        [1, 1],
        [5, 2],
      ],
      [0.5, 1, 0.9],
    ],
    [
      [
        [40, 3],
        [400, 80],
        [30, 1],
        [7, 7],
      ],
      [0.93, 1, 0.9, 0.99],
    ],
    [
      [
        [20, 3],
        [1, 1],
      ],
      [0.02, 0.01],
    ],
    [
      [
        [3, 1],
        [2, 2],
      ],
      [0.4, 0],
    ],
  ];

  it.each(FACTORED)('equal the shares of the highest products in samples of %j times %j', (shapes, factors) => {
    const samples = 20_000;
    const uniform = generator(3);
    const wins = shapes.map(() => 0);
    for (let sample = 0; sample < samples; sample++) {
      const products = shapes.map(([a, b], index) => sampleBeta(a, b, uniform) * factors[index]!);
      wins[products.indexOf(Math.max(...products))]! += 1 / samples;
    }
    const expected = winProbabilities(shapes, factors);
    expect(expected.reduce((one, other) => one + other)).toBeCloseTo(1, 9);
    // four standard deviations of a share of this many samples
    for (const [index, each] of expected.entries())
      expect(Math.abs(each - wins[index]!)).toBeLessThan(2 / Math.sqrt(samples));
  });

  it('equal the probabilities without factors if all factors are equal', () => {
    const shapes: BetaShape[] = [
      [91, 11],
      [81, 21],
      [30, 4],
    ];
    for (const factor of [1, 0.97, 0.001]) {
      expect(
        winProbabilities(
          shapes,
          shapes.map(() => factor),
        ),
      ).toEqual(winProbabilities(shapes));
    }
  });

  it('change by the exact amount for a rate that is uniformly distributed', () => {
    // the product of a uniform rate and 0.8 is higher than another uniform rate with probability 0.4
    for (const factor of [0.8, 0.37]) {
      const [scaled] = winProbabilities(
        [
          [1, 1],
          [1, 1],
        ],
        [factor, 1],
      );
      expect(scaled).toBeCloseTo(factor / 2, 3);
    }
  });

  it('stay as exact for narrow rates as without factors', () => {
    // normal approximations of narrow rates: P(f × one > other) = Φ((f μ₁ - μ₂) / √(f² σ₁² + σ₂²))
    const moments = ([a, b]: BetaShape) => [a / (a + b), (a * b) / ((a + b) ** 2 * (a + b + 1))] as const;
    const [one, other] = [[9_001, 1_001] as const, [8_951, 1_051] as const];
    const [[mean, variance], [otherMean, otherVariance]] = [moments(one), moments(other)];
    for (const factor of [1, 0.9991, 0.998, 0.995, 0.99]) {
      const z = (factor * mean - otherMean) / Math.sqrt(factor ** 2 * variance + otherVariance);
      expect(Math.abs(winProbabilities([one, other], [factor, 1])[0]! - normal(z))).toBeLessThan(0.005);
    }
  });

  it('send all payments to the first shop if nothing is left of any amount', () => {
    expect(
      winProbabilities(
        [
          [3, 1],
          [9, 1],
        ],
        [0, 0],
      ),
    ).toEqual([1, 0]);
  });
});

/** The distribution function of the normal distribution: Abramowitz and Stegun, 7.1.26. */
function normal(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.3275911 * x);
  const polynomial = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  const half = (polynomial * Math.exp(-x * x)) / 2;
  return z > 0 ? 1 - half : half;
}
