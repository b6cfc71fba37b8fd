import type { RoutableShop } from '../definition/eligibility.js';
import { type Candidates, isProbing } from '../routing/routing.js';
import { STRATEGIES } from '../routing/strategies/strategies.js';
import { leastWinningWeight } from '../routing/strategies/sticky.js';
import { Candidate, firstToPick, MAX_COUNTER, type PreparedScenario, SharedCandidates } from './scenario.js';
import { override } from './shop-changes.js';

/** How many of the next counters are tried one by one, and how many of a shop's own turns after them. */
const MAX_AHEAD = 200;
const MAX_TURNS = 50;
const MAX_WEIGHT = 1_000_000;

/** Waiting for a shop's turn, or the least weight with which it outdoes the others for the customer. */
export class TurnChanges {
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

  /** The first that picks the shop. Yields after each trial. */
  *firstToPick(shop: RoutableShop): Generator<void, Candidate | undefined> {
    const { chosen, usesCounter } = this.candidates;
    if (!chosen?.pool.shops.includes(shop)) return undefined;
    if (!usesCounter) return yield* firstToPick(shop.shop.id, this.weights(shop));
    // who is on its way back to health leaves nine of ten of its turns to others, out of their order
    const soon = this.isAnyProbing ? yield* this.ahead.firstToPick(shop.shop.id) : undefined;
    return soon ?? (yield* firstToPick(shop.shop.id, this.ownTurns(shop)));
  }

  private *nextCounters(): Generator<Candidate> {
    const { counter } = this.scenario;
    for (let at = counter + 1; at <= Math.min(counter + MAX_AHEAD, MAX_COUNTER); at++) yield this.at(at);
  }

  private *ownTurns(shop: RoutableShop): Generator<Candidate> {
    const { scenario, candidates } = this;
    const { route, pool } = candidates.chosen!;
    let { counter } = scenario;
    for (let turns = 0; turns < MAX_TURNS; turns++) {
      const turn = STRATEGIES[route.strategy].nextTurn?.(pool, shop, counter + 1, scenario.request);
      if (turn === undefined || turn > MAX_COUNTER) return;
      yield this.at(turn);
      if (!isProbing(shop, scenario.statsByShop)) return;
      counter = turn;
    }
  }

  private at(counter: number): Candidate {
    const { scenario } = this;
    return new Candidate('at_counter', scenario.counter, counter, () => ({ ...scenario, counter }));
  }

  /** Against those that are not on their way back: their turn may be left to the next best. Then against all. */
  private *weights(shop: RoutableShop): Generator<Candidate> {
    const { scenario, candidates } = this;
    const { route, pool } = candidates.chosen!;
    const { customerId } = scenario.request;
    if (route.strategy !== 'sticky' || customerId === undefined) return;
    const settled = pool.shops.filter((other) => other === shop || !isProbing(other, scenario.statsByShop));
    const weights = [settled, pool.shops].map((shops) => leastWinningWeight(shops, shop, customerId));
    for (const weight of new Set(weights)) {
      if (weight > shop.weight && weight <= MAX_WEIGHT) {
        yield override(scenario, shop.shop.id, 'weight', shop.weight, weight);
      }
    }
  }
}
