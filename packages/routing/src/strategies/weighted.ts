import type { Pool, Strategy } from './strategy.js';
import type { RoutableShop } from '../definition/eligibility.js';

/**
 * Smooth weighted round robin over the counter: in every cycle of sum(weights) payments each eligible shop gets exactly
 * its weight, interleaved.
 */
export const weighted: Strategy = {
  usesCounter: () => true,
  pick: ({ weightedOrder }, { rotation }) => weightedOrder.at(rotation).shop,
  fallbacks: (pool, { rotation }, limit) => weightedReplacements(pool, rotation, limit),
  reasoning: ({ weightedOrder: { cycleLength } }, { counter, rotation }) => ({
    by: 'weighted',
    counter,
    cycle_position: rotation % cycleLength,
    cycle_length: cycleLength,
  }),
  shopSequence: ({ weightedOrder }, { rotation }) => weightedOrder.at(rotation).sequence,
  probabilities: ({ shops, weightedOrder: { cycleLength } }) => shops.map(({ weight }) => weight / cycleLength),
  hashSeed: ({ counter }) => counter,
  nextPick: ({ weightedOrder }, shop, from) => weightedOrder.nextPick(shop, from),
};

/**
 * Replacements for a shop are chosen by weight over the sequence of that shop's own picks. So its failures are
 * distributed by weight, too.
 */
function weightedReplacements(pool: Pool, counter: number, limit: number): RoutableShop[] {
  const replacements: RoutableShop[] = [];
  let remaining = pool;
  let { shop, sequence } = pool.weightedOrder.at(counter);
  while (replacements.length < limit && remaining.shops.length > 1) {
    const tried = shop;
    remaining = remaining.filter((each) => each !== tried);
    ({ shop, sequence } = remaining.weightedOrder.at(sequence));
    replacements.push(shop);
  }
  return replacements;
}
