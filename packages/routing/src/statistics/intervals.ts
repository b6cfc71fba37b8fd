/** An estimate with its interval of 95 %. */
export interface Interval {
  estimate: number;
  low: number;
  high: number;
}

/** The normal distribution has 95 % within this many standard deviations. */
const Z = 1.959964;

/**
 * Student's distribution has 95 % within this many standard deviations; accurate to 1 % for at least 3 degrees of
 * freedom. Cornish and Fisher's expansion (Abramowitz and Stegun 26.7.5).
 */
export function studentQuantile(degrees: number): number {
  const terms = [
    (Z ** 3 + Z) / 4,
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / 96,
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / 384,
  ];
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), Z);
}

/**
 * Wilson's interval for a rate, 0 … 1, whose variance is estimated instead of binomial. It stays within 0 … 1, and does
 * not become a point if a few payments all have the same result. `size`: the number of equivalent payments. `quantile`:
 * the width in standard deviations.
 */
export function rateInterval(rate: number, variance: number, size: number, quantile: number): Interval {
  const estimate = Math.min(1, Math.max(0, rate));
  const shrinkage = 1 + quantile ** 2 / size;
  const centre = (estimate + quantile ** 2 / (2 * size)) / shrinkage;
  const half = (quantile / shrinkage) * Math.sqrt(variance + quantile ** 2 / (4 * size ** 2));
  return {
    estimate,
    // at the ends, rounding errors could put the estimate outside
    low: Math.max(0, Math.min(estimate, centre - half)),
    high: Math.min(1, Math.max(estimate, centre + half)),
  };
}

/** The difference of two rates with correlated errors: common errors cancel out. */
export function differenceInterval(of: Interval, from: Interval, correlation: number): Interval {
  const [one, other] = [of, from].map(({ low, high }) => (high - low) / 2) as [number, number];
  const half = Math.sqrt(Math.max(0, one ** 2 + other ** 2 - 2 * correlation * one * other));
  const estimate = of.estimate - from.estimate;
  return { estimate, low: Math.max(-1, estimate - half), high: Math.min(1, estimate + half) };
}

/**
 * The difference of two independent rates. Each bound uses the errors on its side, because the interval of few payments is
 * not symmetric: Newcombe's method 10 (1998).
 */
export function independentDifference(of: Interval, from: Interval): Interval {
  const estimate = of.estimate - from.estimate;
  return {
    estimate,
    low: Math.max(-1, estimate - Math.hypot(of.estimate - of.low, from.high - from.estimate)),
    high: Math.min(1, estimate + Math.hypot(of.high - of.estimate, from.estimate - from.low)),
  };
}
