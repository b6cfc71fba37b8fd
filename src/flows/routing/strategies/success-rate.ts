import { winProbabilities, type BetaShape } from './win-probabilities.js';
import type { SampledShop, Strategy, StrategyInput } from './strategy.js';
import type { RoutableShop } from '../../definition/eligibility.js';
import { generator, Uniform } from '../../../shared/random.js';
import { hash32 } from './hash.js';

/** Each shop gets at least this share of the payments, regardless of its rate. With many shops it is less, so that … */
const FLOOR = 0.02;
/** … the shares of all shops together are at most this. */
const MAX_EXPLORATION = 0.2;

interface Sampled {
  shop: RoutableShop;
  rate: number;
}

/**
 * Thompson sampling. For each shop it samples an approval rate from the distribution that the recent outcomes give,
 * Beta(1 + approved, 1 + not approved); the highest rate wins. A minimum share keeps the outcomes of every shop recent.
 * All randomness comes from one random number per decision. So the recorded number and the same outcomes give the same
 * pick (docs/decisions/012-one-random-number-per-decision.md).
 */
export const successRate: Strategy = {
  usesCounter: () => false,

  pick(pool, input) {
    const explored = exploredShop(pool.shops, input.draw);
    if (explored) return explored;
    let best = pool.shops[0]!;
    let bestRate = -1;
    for (const shop of pool.shops) {
      const rate = sampleRate(shop, input);
      if (rate > bestRate) [best, bestRate] = [shop, rate];
    }
    return best;
  },

  fallbacks(pool, input, limit) {
    const pick = successRate.pick(pool, input);
    return ranking(pool.shops, input)
      .map(({ shop }) => shop)
      .filter((shop) => shop !== pick)
      .slice(0, limit);
  },

  reasoning: ({ shops }, input, passedOver) => ({
    by: 'success_rate',
    draw: input.draw,
    floor: floorOf(shops.length),
    explored: exploredShop(shops, input.draw) !== undefined,
    // without the shops passed over, a backtest could not reproduce which shop was picked first
    sampled: ranking([...shops, ...passedOver], input).map(({ shop, rate }): SampledShop => {
      const { approved, declined, failed } = outcomesOf(shop, input);
      return [shop.shop.id, approved, declined, failed, rate];
    }),
  }),

  shopSequence: (_, { rotation }) => rotation,

  probabilities({ shops }, statsByShop) {
    const floor = floorOf(shops.length);
    const best = winProbabilities(shops.map((shop) => shapeOf(shop, statsByShop)));
    return best.map((each) => floor + (1 - floor * shops.length) * each);
  },

  hashSeed: ({ draw }) => seedOf(draw),
};

const floorOf = (shops: number): number => Math.min(FLOOR, MAX_EXPLORATION / shops);

/** The shop that gets this payment as part of its minimum share, if any: each has `floor` of the range of `draw`. */
function exploredShop(shops: readonly RoutableShop[], draw: number): RoutableShop | undefined {
  return shops[Math.floor(draw / floorOf(shops.length))];
}

function sampleRate(shop: RoutableShop, input: StrategyInput): number {
  const [a, b] = shapeOf(shop, input.statsByShop);
  // seeded per shop: the sample of one shop does not depend on which other shops are candidates
  return sampleBeta(a, b, generator(hash32(seedOf(input.draw), shop.shop.id, 4)));
}

/** The distribution of a shop's approval rate, given its recent outcomes. */
function shapeOf(shop: RoutableShop, statsByShop: StrategyInput['statsByShop']): BetaShape {
  const { approved, declined, failed } = outcomesOf(shop, { statsByShop });
  return [1 + approved, 1 + declined + failed];
}

const NO_OUTCOMES = { approved: 0, declined: 0, failed: 0 };

const outcomesOf = ({ shop }: RoutableShop, { statsByShop }: Pick<StrategyInput, 'statsByShop'>) =>
  statsByShop.get(shop.id) ?? NO_OUTCOMES;

/** All 53 bits of the random number. */
const seedOf = (draw: number): number => Math.floor(draw * 2 ** 53);

/** Highest rate first; among equal rates, the order of the shops. */
const ranking = (shops: readonly RoutableShop[], input: StrategyInput): Sampled[] =>
  shops.map((shop): Sampled => ({ shop, rate: sampleRate(shop, input) })).sort((one, other) => other.rate - one.rate);

/** One sample of Beta(a, b), a and b at least 1. */
export function sampleBeta(a: number, b: number, uniform: Uniform): number {
  const x = sampleGamma(a, uniform);
  return x / (x + sampleGamma(b, uniform));
}

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for shapes of at least 1. */
function sampleGamma(shape: number, uniform: Uniform): number {
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleNormal(uniform);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(uniform()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** Box and Muller (1958); only the first of the two values. */
const sampleNormal = (uniform: Uniform): number =>
  Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
