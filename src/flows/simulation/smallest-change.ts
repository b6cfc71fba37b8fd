import { Candidate, type Change, decideScenario, type PreparedScenario } from './scenario.js';
import { failedTests, type RoutableShop } from '../definition/eligibility.js';
import { RequestChanges } from './request-changes.js';
import { type Candidates, candidatesFor, isProbing, isUnhealthy } from '../routing/routing.js';
import { override, settingsChanges, stateChanges, turnChanges } from './shop-changes.js';

/** How many changes are tried for one shop. */
const MAX_TRIED = 60;

/** Finds, for the shops that a scenario's decision does not pick, what would have picked them; what they share is worked out once. */
export class SmallestChanges {
  private readonly candidates: Candidates;
  private readonly requests: RequestChanges;
  /** The decision without the shop that it picks. */
  private readonly withoutPick: Candidate | undefined;

  constructor(private readonly scenario: PreparedScenario) {
    this.candidates = candidatesFor(scenario.flow, scenario.request, scenario.statsByShop);
    this.requests = new RequestChanges(scenario);
    const pick = decideScenario(scenario).shop;
    this.withoutPick = pick && override(scenario, pick.shop.id, 'enabled', true, false);
  }

  /**
   * The smallest single change that would have picked the shop; `null`: no single change that is known here would. What
   * kept the shop out is put right first: by switching it on or back to health, then by another request, the nearest
   * value first, then by its settings. A shop that was not kept out: by waiting for its turn, then by its settings, then
   * by switching the pick off. Every change that is answered has been tried: the decision with it picks the shop. Yields
   * after each trial.
   */
  *of(shopId: number): Generator<void, Change | null> {
    const shop = this.scenario.flow.shops.find((each) => each.shop.id === shopId);
    if (!shop) return null;
    let tried = 0;
    for (const candidate of this.inOrder(shop)) {
      if (++tried > MAX_TRIED) return null;
      const { field, from, to } = candidate;
      if (candidate.picks(shopId)) return { field, from, to };
      yield;
    }
    return null;
  }

  private *inOrder(shop: RoutableShop): Generator<Candidate> {
    const { scenario, candidates } = this;
    const isKeptOut = !candidates.chosen?.pool.shops.includes(shop) || isProbing(shop, scenario.statsByShop);
    if (isKeptOut) {
      yield* stateChanges(scenario, shop, failuresOf(scenario, shop));
      yield* this.requests.for(shop);
    }
    yield* turnChanges(scenario, shop, candidates);
    yield* settingsChanges(scenario, shop, candidates);
    if (this.withoutPick) yield this.withoutPick;
    if (!isKeptOut) yield* this.requests.for(shop);
  }
}

const failuresOf = ({ request, statsByShop }: PreparedScenario, shop: RoutableShop) => ({
  disabled: failedTests(shop, request).includes('disabled'),
  unhealthy: isUnhealthy(shop, statsByShop) || isProbing(shop, statsByShop),
});
