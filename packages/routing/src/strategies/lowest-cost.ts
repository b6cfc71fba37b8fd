import type { RoutableShop } from '../definition/eligibility.js';
import { seedOf } from './hash.js';
import { feeAt, type Strategy, type StrategyInput } from './strategy.js';

type CostInput = Pick<StrategyInput, 'request' | 'statsByShop'>;

interface Priced {
  shop: RoutableShop;
  /** `undefined`: unknown. */
  fee: number | undefined;
}

/**
 * The shop with the lowest fee for the payment. Among equal fees by priority, then id. Shops without a known fee come
 * last (docs/decisions/084-fees.md). Only a recovering shop needs a random number: it decides which of its picks it keeps.
 */
export const lowestCost: Strategy = {
  usesCounter: () => false,
  pick: ({ shops }, input) => shops[cheapest(shops, input)]!,
  fallbacks: ({ shops }, input, limit) =>
    ranking(shops, input)
      .slice(1, limit + 1)
      .map(({ shop }) => shop),

  reasoning({ shops }, input, passedOver) {
    const ranked = ranking([...shops, ...passedOver], input);
    const isProbing = input.statsByShop.get(ranked[0]!.shop.shop.id)?.health === 'probing';
    return {
      by: 'lowest_cost',
      costs: ranked.map(({ shop, fee }) => [shop.shop.id, fee ?? null]),
      ...(isProbing && { draw: input.draw }),
    };
  },

  shopSequence: (_, { rotation }) => rotation,

  probabilities({ shops }, input) {
    const first = cheapest(shops, input);
    return shops.map((_, index) => (index === first ? 1 : 0));
  },

  hashSeed: ({ draw }) => seedOf(draw),
};

/** The index of the first shop with the lowest fee. */
function cheapest(shops: readonly RoutableShop[], input: CostInput): number {
  let best = 0;
  let lowest = Infinity;
  for (let index = 0; index < shops.length; index++) {
    const fee = feeAt(shops[index]!, input);
    if (fee !== undefined && fee < lowest) [best, lowest] = [index, fee];
  }
  return best;
}

/** Lowest fee first. */
const ranking = (shops: readonly RoutableShop[], input: CostInput): Priced[] =>
  shops
    .map((shop): Priced => ({ shop, fee: feeAt(shop, input) }))
    .sort((one, other) => byFee(one, other) || byPriority(one.shop, other.shop));

function byFee({ fee: one }: Priced, { fee: other }: Priced): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one - other;
}

const byPriority = (one: RoutableShop, other: RoutableShop): number =>
  one.priority - other.priority || one.shop.id - other.shop.id;
