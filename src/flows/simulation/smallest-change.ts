import { failedTests, type RoutableShop } from '../definition/eligibility.js';
import { type Candidates, candidatesFor, isProbing, isUnhealthy } from '../routing/routing.js';
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
import { TurnChanges } from './turn-changes.js';

type Search = Generator<void, Candidate | undefined>;

/** Finds, for the shops that a scenario's decision does not pick, what would have picked them; what they share is worked out once. */
export class SmallestChanges {
  private readonly candidates: Candidates;
  private readonly requests: SharedCandidates;
  private readonly turns: TurnChanges;
  private readonly budget = reachBudget();
  /** The decision without the shop that it picks. */
  private readonly withoutPick: Candidate | undefined;

  constructor(private readonly scenario: PreparedScenario) {
    this.candidates = candidatesFor(scenario.flow, scenario.request, scenario.statsByShop);
    this.requests = new SharedCandidates(requestChanges(scenario));
    this.turns = new TurnChanges(scenario, this.candidates);
    const pick = decideScenario(scenario).shop;
    this.withoutPick = pick && override(scenario, pick.shop.id, 'enabled', true, false);
  }

  /**
   * The smallest single change that would have picked the shop; `null`: none of those that are known here would. Which
   * is smaller goes by kind, and within a kind by distance. What keeps the shop out is put right first: by switching it
   * on or back to health, then by another request (see `requestChanges`), then by its settings. A shop that nothing
   * keeps out: by waiting for its turn (the next one) or by its weight (the least), then by its settings, by switching
   * the pick off, and at last by another request. Every change that is answered has been tried: the decision with it
   * picks the shop. Yields after each trial.
   */
  *of(shopId: number): Generator<void, Change | null> {
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
    yield this.turns.firstToPick(shop);
    yield firstToPick(id, settingsChanges(scenario, shop, candidates, this.budget));
    if (withoutPick) yield firstToPick(id, [withoutPick]);
    if (!isKeptOut) yield requests.firstToPick(id);
  }
}

const failuresOf = ({ request, statsByShop }: PreparedScenario, shop: RoutableShop) => ({
  disabled: failedTests(shop, request).includes('disabled'),
  unhealthy: isUnhealthy(shop, statsByShop) || isProbing(shop, statsByShop),
});
