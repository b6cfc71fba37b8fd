import type { RoutableShop } from './routable-shop.js';
import type { Candidates } from './routing.js';
import type { PreparedScenario } from './scenario.js';
import { type Candidate, override } from './shop-changes.js';
import { STRATEGIES } from './strategies/strategies.js';
import { leastWinningWeight } from './strategies/sticky.js';

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
    if (turn === undefined || !Number.isSafeInteger(turn)) return;
    yield { field: 'at_counter', from: counter, to: turn, apply: () => ({ ...scenario, counter: turn }) };
  } else if (chosen.route.strategy === 'sticky' && request.customerId !== undefined) {
    const weight = leastWinningWeight(chosen.pool.shops, shop, request.customerId);
    if (weight <= MAX_WEIGHT) yield override(scenario, shop.shop.id, 'weight', shop.weight, weight);
  }
}
