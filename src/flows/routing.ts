import { isEligible } from './eligibility.js';
import type { RoutableFlow, RoutableShop, RoutingRequest } from './routable-flow.js';
import type { Strategy } from './strategies/strategy.js';
import { STRATEGIES } from './strategies/strategies.js';

export type { RoutingRequest } from './routable-flow.js';

/** The shops that may take a request and the strategy that will choose among them; known before the counter is. */
export interface Candidates {
  readonly strategy: Strategy;
  /** In order of priority, then shop id; empty when no shop takes the request. */
  readonly shops: readonly RoutableShop[];
}

/** The first half of a decision. Pure. A payment advances the counter only if this finds a shop. */
export function candidatesFor(flow: RoutableFlow, request: RoutingRequest): Candidates {
  return {
    strategy: STRATEGIES[flow.strategy],
    shops: flow.shops.filter((shop) => isEligible(shop, request)),
  };
}

/** The second half: which candidate it is at `counter`; `undefined` without candidates. Pure. */
export function pick(candidates: Candidates, request: RoutingRequest, counter: number): RoutableShop | undefined {
  if (candidates.shops.length === 0) return undefined;
  return candidates.strategy.pick(candidates.shops, { request, counter });
}

/**
 * The whole decision on loaded data: what a payment gets when the flow has routed `counter` payments before it.
 * The payment path runs the same two halves with the counter's advance in between, so a simulation is right by construction.
 */
export const route = (flow: RoutableFlow, request: RoutingRequest, counter: number): RoutableShop | undefined =>
  pick(candidatesFor(flow, request), request, counter);
