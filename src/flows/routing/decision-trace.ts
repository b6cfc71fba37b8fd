import type { StrategyName } from '../definition/definition.js';

/** Why a shop does not take a request; `rule`: the rule that decides does not name it. */
export const TEST_NAMES = ['disabled', 'currency', 'country', 'min_amount', 'max_amount', 'unhealthy', 'rule'] as const;

export type TestName = (typeof TEST_NAMES)[number];

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
   * `sampled`: shop id, approved, declined, failed, and the rate that was drawn for it, best rate first.
   */
  | { by: 'success_rate'; draw: number; floor: number; explored: boolean; sampled: SampledShop[] };

export type SampledShop = [shopId: number, approved: number, declined: number, failed: number, rate: number];

/** All of a decision, as it is stored with a payment: JSON, compact. What a shop passed is what it did not fail. */
export interface DecisionTrace {
  /** `null`: a draft. */
  flow_version: number | null;
  strategy: StrategyName;
  /** What the decision knew; absent: no customer, or one that came with the payment and had no id yet. */
  customer_id?: number;
  /** Under `rules`: the index of the rule that decided, or `default`. */
  rule?: number | 'default';
  /** Every shop of the flow, in order of priority, then id. */
  shops: number[];
  /** By shop id; a shop that is not here passed every test. */
  failed: Record<string, TestName[]>;
  /** `null`: no shop takes the request. */
  picked: number | null;
  /** In the order in which they would be tried after the pick: at most 9, the most that a flow can try. */
  fallbacks: number[];
  /** Absent without a pick. */
  reasoning?: Reasoning;
  /** No shop was healthy: the pick is the one with the fewest failures. */
  least_bad?: true;
  /** A shop on its way back whose turn it was, and whether it got it. */
  probed?: { shop_id: number; let_through: boolean };
}
