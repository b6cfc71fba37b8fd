import type { ShopStats } from '../facts/shop.js';
import { isEligible, type RoutableShop } from '../definition/eligibility.js';
import { Pool } from '../strategies/strategy.js';
import type { DeclineRoute, RoutableFlow, ShopRoute } from './routable-flow.js';
import type { RoutingRequest } from '../definition/condition.js';
import { NO_SEGMENTS, type Segments, withSegments } from './segments.js';

export type StatsByShop = ReadonlyMap<number, ShopStats>;

/** The shops that may take a request, and the strategy that chooses among them. Known before the counter. */
export interface Candidates {
  readonly flow: RoutableFlow;
  /** With the flow's capture if it named none. */
  readonly request: RoutingRequest;
  /** For a bare token, a payment method that the account does not have counts as a decline. With rates by segment, if the route uses them. */
  readonly statsByShop: StatsByShop;
  /** `undefined`: no shop takes the request, or a rule declines or refuses it. */
  readonly chosen: Chosen | undefined;
  /** The rule that declines the request; `undefined`: none does. */
  readonly declinedBy: DeclineRoute | undefined;
  /** The rule that refuses the request, because none of its shops takes it; `undefined`: none does. */
  readonly refusedBy: ShopRoute | undefined;
  /** Whether no eligible shop is healthy: then the pool contains only the shop with the lowest failure rate. */
  readonly isUnhealthyFallback: boolean;
  /** Whether the payment advances the flow's counter. */
  readonly usesCounter: boolean;
}

interface Chosen {
  readonly route: ShopRoute;
  readonly pool: Pool;
}

/** The first half of a decision. Pure. A payment advances the counter only if this finds a shop. */
export function candidatesFor(
  flow: RoutableFlow,
  asked: RoutingRequest,
  statsByShop: StatsByShop,
  segments: Segments = NO_SEGMENTS,
): Candidates {
  const request =
    asked.capture === undefined && flow.capture === 'manual' ? { ...asked, capture: flow.capture } : asked;
  const healthy = statsByShop.size === 0 ? undefined : (shop: RoutableShop) => !isUnhealthy(shop, statsByShop);
  const found = choose(flow, request, healthy);
  const { declinedBy } = found;
  let { chosen, refusedBy } = found;
  const isUnhealthyFallback = healthy !== undefined && chosen === undefined && declinedBy === undefined;
  if (isUnhealthyFallback) {
    const { chosen: unhealthy, refusedBy: refusing } = choose(flow, request, undefined);
    refusedBy = refusing;
    chosen = unhealthy && { route: unhealthy.route, pool: new Pool([healthiest(unhealthy.pool, statsByShop)]) };
  }
  const rates = request.hasBareToken === true ? withUnusable(statsByShop) : statsByShop;
  const usesCounter = chosen !== undefined && chosen.route.chooser.usesCounter(request);
  return {
    flow,
    request,
    statsByShop: chosen?.route.by ? withSegments(rates, chosen, request, segments) : rates,
    chosen,
    declinedBy,
    refusedBy,
    isUnhealthyFallback: isUnhealthyFallback && chosen !== undefined,
    usesCounter,
  };
}

/** For a token whose account is not named, an account without it is worth as little as one that declines it. */
function withUnusable(statsByShop: StatsByShop): StatsByShop {
  if (![...statsByShop.values()].some(({ unusable }) => unusable !== undefined)) return statsByShop;
  const entries = [...statsByShop].map(([id, stats]) => {
    const { declined, unusable = 0 } = stats;
    return [id, { ...stats, declined: declined + unusable }] as const;
  });
  return new Map(entries);
}

export const isUnhealthy = ({ shop }: RoutableShop, statsByShop: StatsByShop): boolean =>
  statsByShop.get(shop.id)?.health === 'unhealthy';

export const isProbing = ({ shop }: RoutableShop, statsByShop: StatsByShop): boolean =>
  statsByShop.get(shop.id)?.health === 'probing';

/**
 * The first route that decides. A rule declines regardless of the shops' health. A rule that refuses is the last one that
 * is tried: without a healthy shop, the request goes to an unhealthy one of this rule or of an earlier one, if any.
 */
function choose(
  flow: RoutableFlow,
  request: RoutingRequest,
  isHealthy: ((shop: RoutableShop) => boolean) | undefined,
): Pick<Candidates, 'chosen' | 'declinedBy' | 'refusedBy'> {
  const isRefused = flow.refusedCurrencies.has(request.currency);
  for (const route of flow.routes) {
    if (!route.matches(request)) continue;
    if (route.decline) return { ...NOTHING_FOUND, declinedBy: route };
    const pool = route.pool.filter(
      (shop) => isEligible(shop, request, isRefused) && (isHealthy === undefined || isHealthy(shop)),
    );
    if (pool.shops.length > 0) return { ...NOTHING_FOUND, chosen: { route, pool } };
    if (route.refuses) return { ...NOTHING_FOUND, refusedBy: route };
  }
  return NOTHING_FOUND;
}

const NOTHING_FOUND = { chosen: undefined, declinedBy: undefined, refusedBy: undefined };

/** Returns the shop with the lowest failure rate; among equal rates, the first in the order of the shops. */
function healthiest({ shops }: Pool, statsByShop: StatsByShop): RoutableShop {
  return shops.reduce((best, shop) => (failureRate(shop, statsByShop) < failureRate(best, statsByShop) ? shop : best));
}

function failureRate({ shop }: RoutableShop, statsByShop: StatsByShop): number {
  const { approved, declined, failed } = statsByShop.get(shop.id) ?? { approved: 0, declined: 0, failed: 0 };
  return failed / Math.max(1, approved + declined + failed);
}
