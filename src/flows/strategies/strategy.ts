import type { RoutableShop, RoutingRequest } from '../routable-flow.js';

/** What a strategy may look at besides the shops. Equal inputs give equal picks: no clock, no dice of its own. */
interface StrategyInput {
  readonly request: RoutingRequest;
  /** How many payments the flow routed before this one. */
  readonly counter: number;
}

/** How a flow chooses among the shops that may take a request. */
export interface Strategy {
  /** Whether each routed payment advances the flow's counter by one; if not, the counter in the input means nothing. */
  readonly usesCounter: boolean;
  /** One of `eligible`, which holds at least one shop, in order of priority, then shop id. */
  pick(eligible: readonly RoutableShop[], input: StrategyInput): RoutableShop;
}
