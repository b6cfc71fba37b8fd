import type { ShopSummary } from '../../shops/shop-summary.js';
import type { ShopConditions } from './definition.js';

/** A flow's shop with everything that decides about it. */
export interface RoutableShop {
  readonly shop: ShopSummary;
  readonly priority: number;
  readonly weight: number;
  /** Its place (from 0) among the flow's shops in order of weight; of equal weights, the later shop comes first. */
  readonly weightRank: number;
  /** Both the shop itself and its membership in the flow are enabled. */
  readonly enabled: boolean;
  readonly conditions: ShopConditions;
}
