import type { RoutableShop } from '../definition/eligibility.js';
import { type Candidates, isProbing } from './candidates.js';
import type { Pool, Strategy, StrategyInput } from '../strategies/strategy.js';

/** A recovering shop keeps one in this many of its picks. */
export const HALF_OPEN_ONE_IN = 10;

/**
 * The probability of each shop to be picked for a request, before the counter, the random number and the customer's id
 * are known.
 */
export interface PickProbabilities {
  /** The shops that may take the request; may be empty. */
  readonly shops: readonly RoutableShop[];
  /** In the same order; the sum is 1. */
  readonly probabilities: readonly number[];
}

const NO_SHOP: PickProbabilities = { shops: [], probabilities: [] };

/**
 * The probability distribution of a decision. The counter is treated as random, because its value does not depend on
 * the payment. Pure.
 *
 * Exact, with one exception. Under `success_rate`, a recovering shop passes its pick on with the random number that
 * picked it. Here it is passed on with a new one.
 */
export function pickProbabilities({ chosen, request, statsByShop }: Candidates): PickProbabilities {
  if (!chosen) return NO_SHOP;
  const { pool, route } = chosen;
  const input = { request, statsByShop };
  const probabilities = route.chooser.probabilities(pool, input);
  return {
    shops: pool.shops,
    probabilities: statsByShop.size === 0 ? probabilities : withHalfOpen(probabilities, route.chooser, pool, input),
  };
}

/** Recovering shops keep one in ten of their picks; the others share the remaining picks. */
function withHalfOpen(
  probabilities: readonly number[],
  strategy: Strategy,
  pool: Pool,
  input: Pick<StrategyInput, 'request' | 'statsByShop'>,
): readonly number[] {
  const others = pool.filter((shop) => !isProbing(shop, input.statsByShop));
  if (others === pool || others.shops.length === 0) return probabilities;
  const shares = strategy.probabilities(others, input);
  const shareOf = new Map(others.shops.map((shop, index) => [shop, shares[index]!]));
  const probing = probabilities.reduce((sum, each, index) => (shareOf.has(pool.shops[index]!) ? sum : sum + each), 0);
  const passedOn = probing * (1 - 1 / HALF_OPEN_ONE_IN);
  return probabilities.map((each, index) => {
    const share = shareOf.get(pool.shops[index]!);
    return share === undefined ? each / HALF_OPEN_ONE_IN : each + passedOn * share;
  });
}
