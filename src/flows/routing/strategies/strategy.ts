import type { ShopPerformance } from '../../../shops/shop-performance.js';
import type { Reasoning } from '../decision-trace.js';
import type { Pool } from '../pool.js';
import type { RoutableShop } from '../../definition/routable-shop.js';
import type { RoutingRequest } from '../../definition/routing-request.js';

/** What a strategy may look at besides the shops. Equal inputs give equal picks: no clock, no dice of its own. */
export interface StrategyInput {
  readonly request: RoutingRequest;
  /** How many payments the flow routed before this one; means nothing unless `usesCounter`. */
  readonly counter: number;
  /** By shop id; a shop without an entry has no recent outcomes. */
  readonly performance: ReadonlyMap<number, ShopPerformance>;
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
  reasoning(pool: Pool, input: StrategyInput): Reasoning;
  /** What stands for chance in this decision: the same for equal inputs, evenly spread over many. */
  ticket(input: StrategyInput): number;
  /** The counter, `from` or later, at which it is the shop's turn; absent: turns do not come by counting. */
  nextTurn?(pool: Pool, shop: RoutableShop, from: number, request: RoutingRequest): number | undefined;
}
