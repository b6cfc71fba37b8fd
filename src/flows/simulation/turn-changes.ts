import { Candidate } from './change.js';
import type { RoutableShop } from '../definition/routable-shop.js';
import type { Candidates } from '../routing/routing.js';
import { MAX_COUNTER, type PreparedScenario } from './scenario.js';
import { override } from './shop-changes.js';
import { STRATEGIES } from '../routing/strategies/strategies.js';
import { leastWinningWeight } from '../routing/strategies/sticky.js';

const MAX_WEIGHT = 1_000_000;

/** Waiting for the shop's turn, or the least weight that outdoes the others. */
export function* turnChanges(
  scenario: PreparedScenario,
  shop: RoutableShop,
  { chosen, usesCounter }: Candidates,
): Generator<Candidate> {
  if (!chosen?.pool.shops.includes(shop)) return;
  const { request, counter } = scenario;
  if (usesCounter) {
    const turn = STRATEGIES[chosen.route.strategy].nextTurn?.(chosen.pool, shop, counter + 1, request);
    if (turn === undefined || turn > MAX_COUNTER) return;
    yield new Candidate('at_counter', counter, turn, () => ({ ...scenario, counter: turn }));
  } else if (chosen.route.strategy === 'sticky' && request.customerId !== undefined) {
    const weight = leastWinningWeight(chosen.pool.shops, shop, request.customerId);
    if (weight <= MAX_WEIGHT) yield override(scenario, shop.shop.id, 'weight', shop.weight, weight);
  }
}
