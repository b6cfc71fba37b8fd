import type { CaptureMode } from '../facts/capture-mode.js';
import type { SegmentField } from '../facts/segment.js';
import type { ShopSummary } from '../facts/shop.js';
import { type Predicate, predicateOf } from '../definition/condition.js';
import type { ChoiceName, FlowDefinition, Rule, RuleDecline, RuleUse, StrategyName } from '../definition/definition.js';
import { strategyFor } from '../strategies/strategies.js';
import { Pool, type Strategy } from '../strategies/strategy.js';
import type { RoutableShop } from '../definition/eligibility.js';

/** A condition on requests, the shops that such requests may go to, and the strategy that chooses among them. */
export interface ShopRoute {
  /** `undefined` in a flow without rules. */
  readonly rule: number | 'default' | undefined;
  readonly matches: Predicate;
  readonly strategy: ChoiceName;
  /** Its implementation, with its options. */
  readonly chooser: Strategy;
  readonly pool: Pool;
  readonly decline?: undefined;
  /** No later route is tried for the requests that match. */
  readonly refuses?: boolean;
  /** The fields that divide payments into segments; `undefined`: rates of whole shops decide, if any. */
  readonly by: readonly SegmentField[] | undefined;
}

/** A condition on requests that are declined: no shop is asked. */
export interface DeclineRoute {
  readonly rule: number;
  readonly matches: Predicate;
  readonly decline: RuleDecline;
  readonly strategy?: undefined;
  readonly pool?: undefined;
  readonly refuses?: undefined;
}

export type Route = ShopRoute | DeclineRoute;

/**
 * One version of a flow with its shops loaded: all data that a decision needs in addition to the request and the state.
 */
export interface RoutableFlow {
  /** `null`: a draft. */
  readonly version: number | null;
  readonly strategy: StrategyName;
  /** By priority, then shop id. */
  readonly shops: readonly RoutableShop[];
  /** The first route decides that matches and declines, refuses, or has an eligible shop; the last route matches everything. */
  readonly routes: readonly Route[];
  /** The maximum number of shops that a payment is tried with, including the first. */
  readonly maxAttempts: number;
  /** The currencies that at least one provider of the flow does not accept. */
  readonly refusedCurrencies: ReadonlySet<string>;
  /** The capture of requests that name none. */
  readonly capture: CaptureMode;
  /** Whether a rule tests who the customer is, or whether there is one. */
  readonly testsCustomers: boolean;
}

/** Combines a definition with its shops. Shops are never deleted, so a missing shop is an internal error. */
export function routableFlow(
  definition: FlowDefinition,
  summaries: ReadonlyMap<number, ShopSummary>,
  version: number | null = null,
): RoutableFlow {
  const shops = loadShops(definition, summaries);
  return {
    version,
    strategy: definition.strategy,
    shops,
    routes: routesOf(definition, shops),
    refusedCurrencies: new Set(shops.flatMap(({ shop }) => [...(shop.refusedCurrencies ?? [])])),
    maxAttempts: definition.max_attempts ?? 1,
    capture: definition.capture ?? 'automatic',
    testsCustomers: testsCustomers(definition.rules ?? []),
  };
}

/** Whether one of the conditions tests who the customer is, or whether there is one. */
export const testsCustomers = (conditions: object): boolean =>
  // only a key of this name is followed by a quotation mark and a colon, never a value
  JSON.stringify(conditions).includes('"customer_id":');

function loadShops({ shops }: FlowDefinition, summaries: ReadonlyMap<number, ShopSummary>): RoutableShop[] {
  const members = shops.map(({ shop_id, priority, weight, enabled, conditions }) => {
    const shop = summaries.get(shop_id);
    if (!shop) throw new Error(`shop ${shop_id} is in a flow but was not loaded`);
    return { shop, priority, weight, weightRank: 0, enabled: enabled && shop.enabled, conditions };
  });
  members.sort((one, other) => one.priority - other.priority || one.shop.id - other.shop.id);
  const byWeight = members.toReversed().sort((one, other) => one.weight - other.weight);
  byWeight.forEach((member, rank) => (member.weightRank = rank));
  return members;
}

function routesOf(definition: FlowDefinition, shops: readonly RoutableShop[]): Route[] {
  const { strategy, rules = [], default: otherwise, success_rate: options } = definition;
  if (strategy !== 'rules') {
    const chooser = strategyFor({ strategy, success_rate: options });
    return [{ rule: undefined, matches: () => true, strategy, chooser, pool: new Pool(shops), by: options?.by }];
  }
  if (!otherwise) throw new Error('a flow with rules has no default');
  const last: ShopRoute = { rule: 'default', matches: () => true, ...resolved(otherwise, shops) };
  return [...rules.map((each, rule) => routeOf(each, rule, shops)), last];
}

function routeOf({ when, use, decline, otherwise }: Rule, rule: number, shops: readonly RoutableShop[]): Route {
  const matches = predicateOf(when);
  if (decline) return { rule, matches, decline };
  return { rule, matches, ...resolved(use, shops), ...(otherwise === 'refuse' && { refuses: true }) };
}

function resolved(
  use: RuleUse,
  shops: readonly RoutableShop[],
): Pick<ShopRoute, 'strategy' | 'chooser' | 'pool' | 'by'> {
  const ids = new Set(use.shops);
  const pool = new Pool(shops.filter(({ shop }) => ids.has(shop.id)));
  return { strategy: use.strategy, chooser: strategyFor(use), pool, by: use.success_rate?.by };
}
