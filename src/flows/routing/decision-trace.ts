import type { Reasoning } from './strategies/strategy.js';
import type { StrategyName } from '../definition/definition.js';

export type { Reasoning };

/** Why a shop does not take a request; `rule`: the rule that decides does not name it. */
export const TEST_NAMES = ['disabled', 'currency', 'country', 'min_amount', 'max_amount', 'unhealthy', 'rule'] as const;

export type TestName = (typeof TEST_NAMES)[number];

/** All of a decision, as it is stored with a payment: JSON, compact. What a shop passed is what it did not fail. */
export interface DecisionTrace {
  /** `null`: a draft. */
  flow_version: number | null;
  strategy: StrategyName;
  /** What the decision knew; absent: no customer, or a new one in a flow that does not look at customers. */
  customer_id?: number;
  /** Under `rules`: the index of the rule that decided, or `default`. */
  rule?: number | 'default';
  /** Every shop of the flow, in order of priority, then id. */
  shops: number[];
  /** By shop id; a shop that is not here passed every test. */
  failed: Record<string, TestName[]>;
  /** `null`: no shop takes the request. */
  picked: number | null;
  /**
   * How likely the pick was, before the counter, the draw and the customer's id were known; six digits. Absent: no pick, or a
   * decision from before this was kept.
   */
  probability?: number;
  /** In the order in which they would be tried after the pick: at most 9, the most that a flow can try. */
  fallbacks: number[];
  /** Absent without a pick. */
  reasoning?: Reasoning;
  /** No shop was healthy: the pick is the one with the fewest failures. */
  least_bad?: true;
  /** The shops on their way back among those that the strategy chose from; absent: none. */
  probing?: number[];
  /** A shop on its way back whose turn it was, and whether it got it. */
  probed?: { shop_id: number; let_through: boolean };
}
