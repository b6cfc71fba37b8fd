import type { RoutableShop } from '../definition/eligibility.js';
import { type Candidates, isProbing } from '../decision/candidates.js';
import { leastWinningWeight } from '../strategies/sticky.js';
import { Candidate, firstToPick, MAX_COUNTER, type PreparedScenario, SharedCandidates } from './scenario.js';
import { override } from './shop-changes.js';

/** The number of next counters that are tried one by one, and of the shop's own picks after them. */
const MAX_AHEAD = 200;
const MAX_PICKS = 50;
const MAX_WEIGHT = 1_000_000;

/** Finds the counter of a shop's next pick, or the smallest weight with which it wins the customer. */
export class CounterChanges {
  private readonly isAnyProbing: boolean;
  private readonly ahead: SharedCandidates;

  constructor(
    private readonly scenario: PreparedScenario,
    private readonly candidates: Candidates,
  ) {
    const shops = candidates.chosen?.pool.shops ?? [];
    this.isAnyProbing = shops.some((shop) => isProbing(shop, scenario.statsByShop));
    this.ahead = new SharedCandidates(this.nextCounters());
  }

  /** The first change that picks the shop. Yields after each trial. */
  *firstToPick(shop: RoutableShop): Generator<void, Candidate | undefined> {
    const { chosen, usesCounter } = this.candidates;
    if (!chosen?.pool.shops.includes(shop)) return undefined;
    if (!usesCounter) return yield* firstToPick(shop.shop.id, this.weights(shop));
    // a recovering shop passes nine of ten picks on to other shops, out of their order
    const soon = this.isAnyProbing ? yield* this.ahead.firstToPick(shop.shop.id) : undefined;
    return soon ?? (yield* firstToPick(shop.shop.id, this.ownPicks(shop)));
  }

  private *nextCounters(): Generator<Candidate> {
    const { counter } = this.scenario;
    for (let at = counter + 1; at <= Math.min(counter + MAX_AHEAD, MAX_COUNTER); at++) yield this.at(at);
  }

  private *ownPicks(shop: RoutableShop): Generator<Candidate> {
    const { scenario, candidates } = this;
    const { route, pool } = candidates.chosen!;
    let { counter } = scenario;
    for (let picks = 0; picks < MAX_PICKS; picks++) {
      const next = route.chooser.nextPick?.(pool, shop, counter + 1, scenario.request);
      if (next === undefined || next > MAX_COUNTER) return;
      yield this.at(next);
      if (!isProbing(shop, scenario.statsByShop)) return;
      counter = next;
    }
  }

  private at(counter: number): Candidate {
    const { scenario } = this;
    return new Candidate('at_counter', scenario.counter, counter, () => ({ ...scenario, counter }));
  }

  /**
   * The weights to win against the healthy shops, which is enough if a recovering shop is passed over; then against
   * all.
   */
  private *weights(shop: RoutableShop): Generator<Candidate> {
    const { scenario, candidates } = this;
    const { route, pool } = candidates.chosen!;
    const { customerId } = scenario.request;
    if (route.strategy !== 'sticky' || customerId === undefined) return;
    const healthy = pool.shops.filter((other) => other === shop || !isProbing(other, scenario.statsByShop));
    const weights = [healthy, pool.shops].map((shops) => leastWinningWeight(shops, shop, customerId));
    for (const weight of new Set(weights)) {
      if (weight > shop.weight && weight <= MAX_WEIGHT) {
        yield override(scenario, shop.shop.id, 'weight', shop.weight, weight);
      }
    }
  }
}
