import { describe, expect, it } from '@jest/globals';
import { differenceInterval, independentDifference, rateInterval, studentQuantile } from './intervals.js';

describe('studentQuantile', () => {
  // 97.5 % quantiles, from tables
  it.each([
    [3, 3.1824],
    [5, 2.5706],
    [10, 2.2281],
    [30, 2.0423],
    [255, 1.9693],
  ])('returns the table value for %i degrees of freedom', (degrees, expected) => {
    expect(Math.abs(studentQuantile(degrees) / expected - 1)).toBeLessThan(0.01);
  });
});

describe('rateInterval', () => {
  it("equals Wilson's interval for the variance of a binomial", () => {
    // 80 of 100: Brown, Cai and DasGupta, "Interval estimation for a binomial proportion" (2001), formula 4
    const { low, high } = rateInterval(0.8, (0.8 * 0.2) / 100, 100, 1.96);
    expect([low, high]).toEqual([expect.closeTo(0.7112, 4), expect.closeTo(0.8666, 4)]);
  });

  it('stays within 0 and 1 and contains its estimate', () => {
    for (const rate of [-0.01, 0, 0.003, 0.5, 0.997, 1, 1.02]) {
      for (const size of [1, 30, 1e6]) {
        const { estimate, low, high } = rateInterval(rate, 0.25 / size, size, 2);
        expect([0 <= low, low <= estimate, estimate <= high, high <= 1]).toEqual([true, true, true, true]);
      }
    }
  });
});

describe('differenceInterval', () => {
  const [one, other] = [
    { estimate: 0.9, low: 0.87, high: 0.93 },
    { estimate: 0.8, low: 0.76, high: 0.84 },
  ];

  it('adds the errors of independent rates', () => {
    const { estimate, low, high } = differenceInterval(one, other, 0);
    expect([estimate, low, high].map((each) => each.toFixed(4))).toEqual(['0.1000', '0.0500', '0.1500']);
  });

  it('cancels out common errors', () => {
    const { low, high } = differenceInterval(one, other, 1);
    expect([low, high].map((each) => each.toFixed(4))).toEqual(['0.0900', '0.1100']);
  });
});

describe('independentDifference', () => {
  it("equals Newcombe's interval for independent rates", () => {
    // 56 of 70 and 48 of 80: "Interval estimation for the difference between independent proportions" (1998), table II
    const rateOf = (approved: number, size: number) =>
      rateInterval(approved / size, ((approved / size) * (1 - approved / size)) / size, size, 1.959964);
    const { low, high } = independentDifference(rateOf(56, 70), rateOf(48, 80));
    expect([low, high].map((each) => each.toFixed(4))).toEqual(['0.0524', '0.3339']);
  });
});
