import type { RoutableShop } from '../definition/eligibility.js';
import { type Candidates, isProbing, type StatsByShop } from './routing.js';
import { STRATEGIES } from './strategies/strategies.js';
import type { Pool, Strategy } from './strategies/strategy.js';

/** Of the turns of a shop that is on its way back, one in so many is left to it. */
export const TRICKLE = 10;

/** How likely each shop is to be picked for a request, before the counter, the draw and the customer's id are known. */
export interface PickProbabilities {
  /** Those that may take the request; empty: none does. */
  readonly shops: readonly RoutableShop[];
  /** In the same order; they add up to 1. */
  readonly of: readonly number[];
}

const NOBODY: PickProbabilities = { shops: [], of: [] };

/**
 * The distribution that a decision is drawn from. A counter is taken as chance: whose turn it is when a payment comes has
 * nothing to do with the payment. Pure.
 *
 * Exact, with one exception: under `success_rate` a shop on its way back hands its turn on by the draw that had picked it,
 * and here by a new one.
 */
export function pickProbabilities({ chosen, statsByShop }: Candidates): PickProbabilities {
  if (!chosen) return NOBODY;
  const { pool, route } = chosen;
  const strategy = STRATEGIES[route.strategy];
  const of = strategy.probabilities(pool, statsByShop);
  return { shops: pool.shops, of: statsByShop.size === 0 ? of : withTrickle(of, strategy, pool, statsByShop) };
}

/** Shops on their way back keep a tenth of their turns, and the others share what is left. */
function withTrickle(
  of: readonly number[],
  strategy: Strategy,
  pool: Pool,
  statsByShop: StatsByShop,
): readonly number[] {
  const others = pool.filter((shop) => !isProbing(shop, statsByShop));
  if (others === pool || others.shops.length === 0) return of;
  const shares = strategy.probabilities(others, statsByShop);
  const shareOf = new Map(others.shops.map((shop, index) => [shop, shares[index]!]));
  const probing = of.reduce((sum, each, index) => (shareOf.has(pool.shops[index]!) ? sum : sum + each), 0);
  const handedOn = probing * (1 - 1 / TRICKLE);
  return of.map((each, index) => {
    const share = shareOf.get(pool.shops[index]!);
    return share === undefined ? each / TRICKLE : each + handedOn * share;
  });
}
