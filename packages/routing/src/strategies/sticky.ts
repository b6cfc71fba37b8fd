import type { RoutableShop } from '../definition/eligibility.js';
import { hash32, hashFraction } from './hash.js';
import type { Strategy } from './strategy.js';
import { weighted } from './weighted.js';

interface Scored {
  shop: RoutableShop;
  hash: number;
  score: number;
}

/**
 * The same customer goes to the same shop: weighted rendezvous hashing (Schindelhauer and Schomaker, "Weighted
 * distributed hash tables", 2005). A shop's score depends only on the customer and this shop. So a shop that is added
 * or removed moves only the customers that it gets or had. Without a customer: `weighted`.
 */
export const sticky: Strategy = {
  usesCounter: ({ customerId }) => customerId === undefined,

  pick(pool, input) {
    const { customerId } = input.request;
    if (customerId === undefined) return weighted.pick(pool, input);
    let best = pool.shops[0]!;
    let bestScore = -1;
    for (const shop of pool.shops) {
      const score = scoreOf(shop, hashFraction(customerId, shop.shop.id));
      if (score > bestScore) [best, bestScore] = [shop, score];
    }
    return best;
  },

  fallbacks(pool, input, limit) {
    const { customerId } = input.request;
    if (customerId === undefined) return weighted.fallbacks(pool, input, limit);
    return ranking(pool.shops, customerId)
      .slice(1, limit + 1)
      .map(({ shop }) => shop);
  },

  reasoning(pool, input, passedOver) {
    const { customerId } = input.request;
    if (customerId === undefined) return weighted.reasoning(pool, input, passedOver);
    const [first, second] = ranking(pool.shops, customerId);
    const { hash, score } = first!;
    const runnerUp = second ? { shop_id: second.shop.shop.id, score: second.score } : null;
    return { by: 'sticky', customer_id: customerId, hash, score, runner_up: runnerUp };
  },

  shopSequence: (pool, input) =>
    input.request.customerId === undefined ? weighted.shopSequence(pool, input) : input.rotation,

  // over all customers a hash is uniformly distributed, so the weights are the shares
  probabilities: (pool, input) => weighted.probabilities(pool, input),

  hashSeed: ({ request: { customerId }, counter }) =>
    customerId === undefined ? counter : hash32(customerId, 0, CUSTOMER_SALT),

  nextPick: (pool, shop, from, { customerId }) =>
    customerId === undefined ? pool.weightedOrder.nextPick(shop, from) : undefined,
};

const CUSTOMER_SALT = 3;

const scoreOf = (shop: RoutableShop, hash: number): number => shop.weight / -Math.log(hash);

/** The smallest whole weight with which the shop would win this customer. */
export function leastWinningWeight(shops: readonly RoutableShop[], shop: RoutableShop, customerId: number): number {
  const best = ranking(shops, customerId).find((other) => other.shop !== shop);
  const hash = hashFraction(customerId, shop.shop.id);
  return best === undefined ? 1 : Math.floor(best.score * -Math.log(hash)) + 1;
}

/** Highest score first; among equal scores, the order of the shops. */
function ranking(shops: readonly RoutableShop[], customerId: number): Scored[] {
  const scored = shops.map((shop): Scored => {
    const hash = hashFraction(customerId, shop.shop.id);
    return { shop, hash, score: scoreOf(shop, hash) };
  });
  return scored.sort((one, other) => other.score - one.score);
}
