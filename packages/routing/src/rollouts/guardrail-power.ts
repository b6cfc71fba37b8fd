/** Logarithms of the likelihood ratio of one payment of a version, by its outcome. */
export interface Likelihoods {
  approved: number;
  declined: number;
}

/** A tested rate of approvals or declines is at least this part of the rate of both versions together, above 0. */
const MIN_PART = 0.1;
const POWER = 0.9;
/** The number of payments of a version reaches its expected number minus this many standard deviations in 95 %. */
const MARGIN = 1.645;

/**
 * How much an outcome speaks for a drop against equal rates. `rate`: of both versions together; `share`: of the
 * candidate. A drop lets the base be above `rate` and the candidate below.
 */
export function likelihoods(rate: number, share: number, drop: number): Record<'base' | 'candidate', Likelihoods> {
  const base = Math.min(rate + share * drop, 1 - (1 - rate) * MIN_PART);
  const candidate = Math.max(base - drop, rate * MIN_PART);
  return { base: likelihoodsOf(base, rate), candidate: likelihoodsOf(candidate, rate) };
}

const likelihoodsOf = (dropped: number, equal: number): Likelihoods => ({
  approved: Math.log(dropped / equal),
  declined: Math.log((1 - dropped) / (1 - equal)),
});

/**
 * The number of outcomes of both versions after which a drop of this size has been found with a probability of
 * `POWER`. The logarithm of the likelihood ratio is treated as a Brownian motion. Returns `null` if one version gets no
 * payments, and for a drop that is more than twice the base's rate: not even a candidate without approvals shows half of it. `rate`: of the base; `share`: of the candidate; `limit`: of the logarithm.
 */
export function paymentsForPower(test: {
  rate: number;
  share: number;
  drop: number;
  limit: number;
  designEffect: number;
  minPayments: number;
}): number | null {
  const { rate, share, drop, limit, designEffect, minPayments } = test;
  const scarce = Math.min(share, 1 - share);
  if (scarce <= 0 || rate <= drop / 2) return null;
  const { drift, variance, overshoot } = walk(rate, share, drop);
  if (drift <= 0) return null;
  const needed = smallest((payments) => passed({ drift, variance, limit: limit + overshoot }, payments) >= POWER);
  const reached = (minPayments + MARGIN * Math.sqrt(minPayments)) / scarce;
  return Math.ceil(Math.max(needed * designEffect, reached));
}

/** Mean and variance of the logarithm per payment if the candidate's rate is lower by `drop`. */
function walk(rate: number, share: number, drop: number): { drift: number; variance: number; overshoot: number } {
  const lower = Math.max(rate - drop, rate * MIN_PART);
  const { base, candidate } = likelihoods((1 - share) * rate + share * lower, share, drop);
  const [unchanged, lowered] = [momentsOf(base, rate), momentsOf(candidate, lower)];
  return {
    drift: (1 - share) * unchanged.mean + share * lowered.mean,
    variance: (1 - share) * unchanged.variance + share * lowered.variance,
    // a jump across the limit ends above it by half of the jump on average, as if the limit were higher
    overshoot: Math.max(base.approved, candidate.declined) / 2,
  };
}

const momentsOf = ({ approved, declined }: Likelihoods, rate: number): { mean: number; variance: number } => ({
  mean: rate * approved + (1 - rate) * declined,
  variance: rate * (1 - rate) * (approved - declined) ** 2,
});

/** The probability that a Brownian motion with this drift and variance per payment has passed the limit. */
function passed(motion: { drift: number; variance: number; limit: number }, payments: number): number {
  const { drift, variance, limit } = motion;
  const deviation = Math.sqrt(variance * payments);
  const reflected = Math.exp((2 * drift * limit) / variance) * normal((-limit - drift * payments) / deviation);
  return normal((drift * payments - limit) / deviation) + reflected;
}

/** The smallest number that satisfies the condition, which all greater numbers satisfy too. */
function smallest(satisfies: (payments: number) => boolean): number {
  let [low, high] = [1, 1];
  while (!satisfies(high)) [low, high] = [high, high * 2];
  while (high / low > 1.001) {
    const middle = Math.sqrt(low * high);
    if (satisfies(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The distribution function of the normal distribution, accurate to 1e-7 (Abramowitz and Stegun 26.2.17). */
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const polynomial = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const above = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * polynomial;
  return x > 0 ? 1 - above : above;
}
