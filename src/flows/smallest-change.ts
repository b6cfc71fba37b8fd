import { failedTests } from './eligibility.js';
import type { RoutableShop } from './routable-shop.js';
import { type Candidates, candidatesFor, isProbing, isUnhealthy } from './routing.js';
import { decideScenario, type PreparedScenario } from './scenario.js';
import { type Candidate, type Change, settingsChanges, stateChanges } from './shop-changes.js';
import { requestChanges } from './request-changes.js';
import { turnChanges } from './turn-changes.js';

export type { Change } from './shop-changes.js';

/** How many changes are tried for one shop. */
const MAX_TRIED = 60;

/**
 * The smallest single change that would have picked the shop; `null`: no single change that is known here would. What
 * kept the shop out is put right first: by switching it on or back to health, then by another request, the nearest value
 * first, then by its settings. A shop that was not kept out: by waiting for its turn, then by its settings, then by
 * switching the pick off. Every change that is answered has been tried: the decision with it picks the shop.
 */
export function smallestChange(scenario: PreparedScenario, shopId: number): Change | null {
  const shop = scenario.flow.shops.find((each) => each.shop.id === shopId);
  if (!shop) return null;
  const candidates = candidatesFor(scenario.flow, scenario.request, scenario.performance);
  let tried = 0;
  for (const change of inOrder(scenario, shop, candidates)) {
    if (++tried > MAX_TRIED) return null;
    const { field, from, to } = change;
    if (decideScenario(change.apply()).shop?.shop.id === shopId) return { field, from, to };
  }
  return null;
}

function* inOrder(scenario: PreparedScenario, shop: RoutableShop, candidates: Candidates): Generator<Candidate> {
  const isKeptOut = !candidates.chosen?.pool.shops.includes(shop) || isProbing(shop, scenario.performance);
  if (isKeptOut) {
    yield* stateChanges(scenario, shop, failuresOf(scenario, shop));
    yield* requestChanges(scenario, shop);
  }
  yield* turnChanges(scenario, shop, candidates);
  yield* settingsChanges(scenario, shop, candidates);
  if (!isKeptOut) yield* requestChanges(scenario, shop);
}

const failuresOf = ({ request, performance }: PreparedScenario, shop: RoutableShop) => ({
  disabled: failedTests(shop, request).includes('disabled'),
  unhealthy: isUnhealthy(shop, performance) || isProbing(shop, performance),
});
