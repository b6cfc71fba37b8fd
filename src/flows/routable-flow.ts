import type { ShopSummary } from '../shops/shop-summary.js';
import type { FlowDefinition, ShopConditions, StrategyName } from './flow-definition.js';

/** What routing knows of a payment. `amount` in the currency's major unit, with at most 15 significant digits. */
export interface RoutingRequest {
  amount: number;
  currency: string;
  country?: string;
  customerId?: number;
  metadata?: Record<string, unknown>;
}

/** A flow's shop with everything that decides about it. */
export interface RoutableShop {
  readonly shop: ShopSummary;
  readonly priority: number;
  readonly weight: number;
  /** Both the shop itself and its membership in the flow are enabled. */
  readonly enabled: boolean;
  readonly conditions: ShopConditions;
}

/** One version of a flow with its shops loaded: all that a decision depends on besides request and counter. */
export interface RoutableFlow {
  readonly strategy: StrategyName;
  /** In order of priority, then shop id. */
  readonly shops: readonly RoutableShop[];
}

/** Joins a definition with its shops. Shops are never deleted, so one that is missing is a fault of ours. */
export function routableFlow(definition: FlowDefinition, shops: ReadonlyMap<number, ShopSummary>): RoutableFlow {
  const members = definition.shops.map(({ shop_id, priority, weight, enabled, conditions }): RoutableShop => {
    const shop = shops.get(shop_id);
    if (!shop) throw new Error(`shop ${shop_id} is in a flow but was not loaded`);
    return { shop, priority, weight, enabled: enabled && shop.enabled, conditions };
  });
  return {
    strategy: definition.strategy,
    shops: members.sort((one, other) => one.priority - other.priority || one.shop.id - other.shop.id),
  };
}
