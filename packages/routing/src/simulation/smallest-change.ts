import { failedTests, type RoutableShop } from '../definition/eligibility.js';
import { type Candidates, candidatesFor, isProbing, isUnhealthy } from '../decision/candidates.js';
import { reachBudget } from '../definition/rule-errors.js';
import { requestChanges } from './request-changes.js';
import {
  type Candidate,
  type Change,
  decideScenario,
  firstToPick,
  type PreparedScenario,
  SharedCandidates,
} from './scenario.js';
import { override, settingsChanges, stateChanges } from './shop-changes.js';
import { feeChanges } from './fee-changes.js';
import { CounterChanges } from './counter-changes.js';

type Search = Generator<void, Candidate | undefined>;

/**
 * Finds changes that would have picked the shops that a scenario's decision does not pick. Shared results are computed
 * once.
 */
export class SmallestChanges {
  private readonly candidates: Candidates;
  private readonly requests: SharedCandidates;
  private readonly counters: CounterChanges;
  private readonly budget = reachBudget();
  /** A candidate that disables the picked shop. */
  private readonly withoutPick: Candidate | undefined;

  constructor(private readonly scenario: PreparedScenario) {
    this.candidates = candidatesFor(scenario.flow, scenario.request, scenario.statsByShop, scenario.segments);
    this.requests = new SharedCandidates(requestChanges(scenario));
    this.counters = new CounterChanges(scenario, this.candidates);
    const pick = decideScenario(scenario).shop;
    this.withoutPick = pick && override(scenario, pick.shop.id, 'enabled', true, false);
  }

  /**
   * The smallest single change that would have picked the shop; `null`: none of the known changes would. Changes are
   * ordered by kind, within a kind by distance. For an excluded shop: enable it or make it healthy, then another
   * request (see `requestChanges`), then its settings. For a shop that is not excluded: its next pick or the smallest
   * weight, then its settings, then disabling the picked shop, then another request, then lower fees. Every returned change has been
   * tried: the decision with it picks the shop. Yields after each trial.
   */
  *find(shopId: number): Generator<void, Change | null> {
    const shop = this.scenario.flow.shops.find((each) => each.shop.id === shopId);
    if (!shop) return null;
    for (const search of this.inOrder(shop)) {
      const found = yield* search;
      if (found) return { field: found.field, from: found.from, to: found.to };
    }
    return null;
  }

  private *inOrder(shop: RoutableShop): Generator<Search> {
    const { scenario, candidates, requests, withoutPick } = this;
    const { id } = shop.shop;
    const isKeptOut = !candidates.chosen?.pool.shops.includes(shop) || isProbing(shop, scenario.statsByShop);
    if (isKeptOut) {
      yield firstToPick(id, stateChanges(scenario, shop, failuresOf(scenario, shop)));
      yield requests.firstToPick(id);
    }
    yield this.counters.firstToPick(shop);
    yield firstToPick(id, settingsChanges(scenario, shop, candidates, this.budget));
    if (withoutPick) yield firstToPick(id, [withoutPick]);
    if (!isKeptOut) yield requests.firstToPick(id);
    yield firstToPick(id, feeChanges(scenario, shop, candidates));
  }
}

const failuresOf = ({ request, statsByShop }: PreparedScenario, shop: RoutableShop) => ({
  disabled: failedTests(shop, request).includes('disabled'),
  unhealthy: isUnhealthy(shop, statsByShop) || isProbing(shop, statsByShop),
});
