import { winProbabilities, type BetaShape } from './win-probabilities.js';
import {
  feeAt,
  type Pool,
  type Reasoning,
  type SampledShop,
  type SegmentReasoning,
  type Strategy,
  type StrategyInput,
} from './strategy.js';
import type { SuccessRateOptions } from '../definition/definition.js';
import type { RoutableShop } from '../definition/eligibility.js';
import { segmentValue } from '../facts/segment.js';
import type { ShopStats } from '../facts/shop.js';
import { generator, type Uniform } from '../statistics/random.js';
import { hash32, seedOf } from './hash.js';

/** Each shop gets at least this share of the payments, regardless of its rate. With many shops it is less, so that … */
const FLOOR = 0.02;
/** … the shares of all shops together are at most this. */
const MAX_EXPLORATION = 0.2;

interface Sampled {
  shop: RoutableShop;
  rate: number;
  /** The value that the strategy compares: the rate, or the rate times the share of the amount that is left after the fee. */
  value: number;
}

/** The inputs of the distribution of a shop's value. */
type ValueInput = Pick<StrategyInput, 'request' | 'statsByShop'>;

/**
 * Thompson sampling. For each shop it samples an approval rate from the distribution that the recent outcomes give,
 * Beta(1 + approved, 1 + not approved); the highest rate wins. A minimum share keeps the outcomes of every shop recent.
 * All randomness comes from one random number per decision. So the recorded number and the same outcomes give the same
 * pick (docs/decisions/012-one-random-number-per-decision.md). With the objective `margin` each rate is multiplied by
 * the share of the amount that is left after the shop's fee. With `by` the distribution is that of the payment's segment
 * (segment-rates.ts).
 */
export class SuccessRate implements Strategy {
  constructor(private readonly options: SuccessRateOptions = {}) {}

  usesCounter(): boolean {
    return false;
  }

  pick(pool: Pool, input: StrategyInput): RoutableShop {
    const explored = exploredShop(pool.shops, input.draw);
    if (explored) return explored;
    let best = pool.shops[0]!;
    let bestValue = -1;
    for (const shop of pool.shops) {
      const { value } = this.sample(shop, input);
      if (value > bestValue) [best, bestValue] = [shop, value];
    }
    return best;
  }

  fallbacks(pool: Pool, input: StrategyInput, limit: number): RoutableShop[] {
    const pick = this.pick(pool, input);
    return this.ranking(pool.shops, input)
      .map(({ shop }) => shop)
      .filter((shop) => shop !== pick)
      .slice(0, limit);
  }

  reasoning({ shops }: Pool, input: StrategyInput, passedOver: readonly RoutableShop[]): Reasoning {
    // without the shops passed over, a backtest could not reproduce which shop was picked first
    const ranking = this.ranking([...shops, ...passedOver], input);
    return {
      by: 'success_rate',
      draw: input.draw,
      floor: floorOf(shops.length),
      explored: exploredShop(shops, input.draw) !== undefined,
      sampled: ranking.map(({ shop, rate }): SampledShop => {
        const { approved, declined, failed } = outcomesOf(shop, input);
        const sampled = [shop.shop.id, approved, declined, failed, rate] as const;
        return this.hasMargin ? [...sampled, feeAt(shop, input) ?? null] : [...sampled];
      }),
      ...this.segmentOf(ranking, input),
    };
  }

  shopSequence(_: Pool, { rotation }: StrategyInput): number {
    return rotation;
  }

  probabilities({ shops }: Pool, input: ValueInput): readonly number[] {
    const floor = floorOf(shops.length);
    const shapes = shops.map((shop) => shapeOf(shop, input));
    const best = winProbabilities(shapes, this.hasMargin ? shops.map((shop) => leftAfterFee(shop, input)) : undefined);
    return best.map((each) => floor + (1 - floor * shops.length) * each);
  }

  hashSeed({ draw }: StrategyInput): number {
    return seedOf(draw);
  }

  private segmentOf(ranking: readonly Sampled[], input: StrategyInput): { segment?: SegmentReasoning } {
    const { by } = this.options;
    if (!by) return {};
    const values = by.map((field) => [field, segmentValue(field, input.request) || null] as const);
    return {
      segment: {
        values: Object.fromEntries(values),
        rates: ranking.map(({ shop }) => {
          const { approved, declined, failed, segment } = outcomesOf(shop, input);
          const others = declined + failed;
          const rate = segment ?? { level: 0, approved, others, shape: shapeOf(shop, input) };
          return [shop.shop.id, rate.level, rate.approved, rate.others, ...rate.shape];
        }),
      },
    };
  }

  private get hasMargin(): boolean {
    return this.options.objective === 'margin';
  }

  /** Highest value first; among equal values, the order of the shops. */
  private ranking(shops: readonly RoutableShop[], input: StrategyInput): Sampled[] {
    return shops.map((shop) => this.sample(shop, input)).sort((one, other) => other.value - one.value);
  }

  private sample(shop: RoutableShop, input: StrategyInput): Sampled {
    const [a, b] = shapeOf(shop, input);
    // seeded per shop: the sample of one shop does not depend on which other shops are candidates
    const rate = sampleBeta(a, b, generator(hash32(seedOf(input.draw), shop.shop.id, 4)));
    return { shop, rate, value: this.hasMargin ? rate * leftAfterFee(shop, input) : rate };
  }
}

const floorOf = (shops: number): number => Math.min(FLOOR, MAX_EXPLORATION / shops);

/** The shop that gets this payment as part of its minimum share, if any: each has `floor` of the range of `draw`. */
function exploredShop(shops: readonly RoutableShop[], draw: number): RoutableShop | undefined {
  return shops[Math.floor(draw / floorOf(shops.length))];
}

/** The share of the amount that the merchant keeps, 0 to 1. An unknown fee counts as 0. */
const leftAfterFee = (shop: RoutableShop, input: ValueInput): number =>
  Math.max(0, 1 - (feeAt(shop, input) ?? 0) / input.request.amount);

/** The distribution of a shop's approval rate, given its recent outcomes. */
function shapeOf(shop: RoutableShop, input: ValueInput): BetaShape {
  const { approved, declined, failed, segment } = outcomesOf(shop, input);
  return segment?.shape ?? [1 + approved, 1 + declined + failed];
}

const NO_OUTCOMES: Omit<ShopStats, 'health'> = { approved: 0, declined: 0, failed: 0 };

const outcomesOf = ({ shop }: RoutableShop, { statsByShop }: ValueInput) => statsByShop.get(shop.id) ?? NO_OUTCOMES;

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
