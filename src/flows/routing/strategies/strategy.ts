import type { ShopStats } from '../../../shops/shop-health.js';
import type { RoutableShop } from '../../definition/eligibility.js';
import type { RoutingRequest } from '../../definition/condition.js';
import { WeightedOrder } from './weighted-order.js';

/** What the strategy chose by. */
export type Reasoning =
  /** The pick is number `position` of `of` shops that take turns. */
  | { by: 'round_robin'; counter: number; position: number; of: number }
  /** `cycle_position` of a cycle of `cycle_length` payments, in which each shop has its weight in turns. */
  | { by: 'weighted'; counter: number; cycle_position: number; cycle_length: number }
  /** The pick is number `position` of the `of` shops of the lowest priority number. */
  | { by: 'priority'; counter: number; priority: number; position: number; of: number }
  /** `hash`: of customer and shop, 0 < hash < 1; `score` = weight / -ln(hash); the best score wins, `runner_up` is next. */
  | {
      by: 'sticky';
      customer_id: number;
      hash: number;
      score: number;
      runner_up: { shop_id: number; score: number } | null;
    }
  /**
   * `draw`: all the randomness of the decision, 0 ≤ draw < 1. `explored`: the pick is the floor's, whatever its rate;
   * `sampled`: shop id, approved, declined, failed, and the rate that was drawn for it, best rate first; shops that were passed
   * over among them.
   */
  | { by: 'success_rate'; draw: number; floor: number; explored: boolean; sampled: SampledShop[] };

export type SampledShop = [shopId: number, approved: number, declined: number, failed: number, rate: number];

/** Shops to choose among, in order of priority, then id. What is worked out about them is kept with them. */
export class Pool {
  private order: WeightedOrder | undefined;

  constructor(readonly shops: readonly RoutableShop[]) {}

  get weightedOrder(): WeightedOrder {
    return (this.order ??= new WeightedOrder(this.shops));
  }

  /** The pool of those that stay; itself when all do. */
  filter(stays: (shop: RoutableShop) => boolean): Pool {
    const { shops } = this;
    const firstOut = shops.findIndex((shop) => !stays(shop));
    if (firstOut < 0) return this;
    const staying = shops.slice(0, firstOut);
    for (let index = firstOut + 1; index < shops.length; index++) {
      const shop = shops[index]!;
      if (stays(shop)) staying.push(shop);
    }
    return new Pool(staying);
  }
}

/** What a strategy may look at besides the shops. Equal inputs give equal picks: no clock, no dice of its own. */
export interface StrategyInput {
  readonly request: RoutingRequest;
  /** How many payments the flow routed before this one; means nothing unless `usesCounter`. */
  readonly counter: number;
  /** Whose turn it is goes by this: the counter, or which of its own turns (from 0) a shop on its way back hands on. */
  readonly turn: number;
  /** By shop id; a shop without an entry has no recent outcomes. */
  readonly statsByShop: ReadonlyMap<number, ShopStats>;
  /** The one random number of the decision, 0 ≤ draw < 1; recorded in the trace. */
  readonly draw: number;
}

/** How a flow chooses among the shops that may take a request: a pool of at least one, in order of priority, then id. */
export interface Strategy {
  /** Whether the payment advances the flow's counter by one; if not, the counter in the input means nothing. */
  usesCounter(request: RoutingRequest): boolean;
  pick(pool: Pool, input: StrategyInput): RoutableShop;
  /** The others in the order in which they would be tried after the pick, at most `limit`. */
  fallbacks(pool: Pool, input: StrategyInput, limit: number): RoutableShop[];
  /** `passedOver`: shops on their way back that were chosen among, and did not get their turn. */
  reasoning(pool: Pool, input: StrategyInput, passedOver: readonly RoutableShop[]): Reasoning;
  /** Which of the pick's own turns this is, from 0; means nothing unless `usesCounter`. */
  ownTurn(pool: Pool, input: StrategyInput): number;
  /**
   * How likely each shop is to be picked, in their order, over all counters and draws, and with `sticky` over all customers.
   * They add up to 1.
   */
  probabilities(pool: Pool, statsByShop: StrategyInput['statsByShop']): readonly number[];
  /** What stands for chance in this decision: the same for equal inputs, evenly spread over many. */
  ticket(input: StrategyInput): number;
  /** The counter, `from` or later, at which it is the shop's turn; absent: turns do not come by counting. */
  nextTurn?(pool: Pool, shop: RoutableShop, from: number, request: RoutingRequest): number | undefined;
}
