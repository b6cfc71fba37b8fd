import type { Pool, Strategy } from './strategy.js';
import type { RoutableShop } from '../../definition/eligibility.js';

/**
 * Smooth weighted round robin over the counter: in every cycle of sum(weights) payments each eligible shop gets exactly
 * its weight, interleaved.
 */
export const weighted: Strategy = {
  usesCounter: () => true,
  pick: ({ weightedOrder }, { turn }) => weightedOrder.at(turn).shop,
  fallbacks: (pool, { turn }, limit) => weightedStandIns(pool, turn, limit),
  reasoning: ({ weightedOrder: { cycleLength } }, { counter, turn }) => ({
    by: 'weighted',
    counter,
    cycle_position: turn % cycleLength,
    cycle_length: cycleLength,
  }),
  ownTurn: ({ weightedOrder }, { turn }) => weightedOrder.at(turn).turn,
  probabilities: ({ shops, weightedOrder: { cycleLength } }) => shops.map(({ weight }) => weight / cycleLength),
  ticket: ({ counter }) => counter,
  nextTurn: ({ weightedOrder }, shop, from) => weightedOrder.nextTurn(shop, from),
};

/** Who stands in for a shop is chosen by weight over that shop's own turns, so that its failures spread by weight, too. */
function weightedStandIns(pool: Pool, counter: number, limit: number): RoutableShop[] {
  const standIns: RoutableShop[] = [];
  let rest = pool;
  let { shop, turn } = pool.weightedOrder.at(counter);
  while (standIns.length < limit && rest.shops.length > 1) {
    const tried = shop;
    rest = rest.filter((each) => each !== tried);
    ({ shop, turn } = rest.weightedOrder.at(turn));
    standIns.push(shop);
  }
  return standIns;
}
