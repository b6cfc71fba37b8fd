import type { SegmentField } from '../facts/segment.js';
import type { ShopStats } from '../facts/shop.js';
import type { RoutableShop } from '../definition/eligibility.js';
import type { RoutingRequest } from '../definition/condition.js';
import { feeFactsOf, feeOf } from '../facts/fees.js';
import { WeightedOrder } from './weighted-order.js';

/** The inputs of the strategy's choice. */
export type Reasoning =
  /** The pick is number `position` of `of` alternating shops. */
  | { by: 'round_robin'; counter: number; position: number; of: number }
  /** `cycle_position` of a cycle of `cycle_length` payments, in which each shop is picked as often as its weight. */
  | { by: 'weighted'; counter: number; cycle_position: number; cycle_length: number }
  /** The pick is number `position` of the `of` shops with the lowest priority number. */
  | { by: 'priority'; counter: number; priority: number; position: number; of: number }
  /**
   * `hash`: of customer and shop, 0 < hash < 1; `score` = weight / -ln(hash); the highest score wins, `runner_up` is
   * next.
   */
  | {
      by: 'sticky';
      customer_id: number;
      hash: number;
      score: number;
      runner_up: { shop_id: number; score: number } | null;
    }
  /**
   * `draw`: the only random number of the decision, 0 ≤ draw < 1. `explored`: the shop was picked for its minimum
   * share, regardless of its rate. `sampled`: shop id, approved, declined, failed, and the sampled rate; highest rate
   * first. With the objective `margin` also the fee, and the highest margin first. Includes shops that were passed over.
   * `segment`: only in a flow that divides payments into segments.
   */
  | {
      by: 'success_rate';
      draw: number;
      floor: number;
      explored: boolean;
      sampled: SampledShop[];
      segment?: SegmentReasoning;
    }
  /**
   * `costs`: shop id and fee, lowest first; `null`: unknown. Includes shops that were passed over. `draw`: the random
   * number that decided whether a recovering shop kept the payment; absent: the pick needed none.
   */
  | { by: 'lowest_cost'; costs: [shopId: number, fee: number | null][]; draw?: number };

export type SampledShop = [
  shopId: number,
  approved: number,
  declined: number,
  failed: number,
  rate: number,
  fee?: number | null,
];

/** The payment's segment, and the rates of shops in it. */
export interface SegmentReasoning {
  /** By field, in the order of the flow's `by`; `null`: unknown. */
  values: Partial<Record<SegmentField, string | null>>;
  /** In the order of `sampled`. */
  rates: RateInSegment[];
}

/** The outcomes at the level, and the parameters of the distribution that the rate was sampled from. */
type RateInSegment = [shopId: number, level: number, approved: number, others: number, a: number, b: number];

/** The shops to choose from, by priority, then id. Caches the weighted order. */
export class Pool {
  private order: WeightedOrder | undefined;

  constructor(readonly shops: readonly RoutableShop[]) {}

  get weightedOrder(): WeightedOrder {
    return (this.order ??= new WeightedOrder(this.shops));
  }

  /** The pool of the shops that pass `stays`; itself if all do. */
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

/**
 * The inputs of a strategy in addition to the shops. Equal inputs give equal picks: a strategy uses no clock and no
 * random numbers of its own.
 */
export interface StrategyInput {
  readonly request: RoutingRequest;
  /** The number of payments that the flow routed before this one; no meaning unless `usesCounter`. */
  readonly counter: number;
  /**
   * The position in the rotation: the counter, or, for a recovering shop that is passed over, the sequence of its own
   * picks (from 0).
   */
  readonly rotation: number;
  /** By shop id; a shop without an entry has no recent outcomes. */
  readonly statsByShop: ReadonlyMap<number, ShopStats>;
  /** The one random number of the decision, 0 ≤ draw < 1; recorded in the trace. */
  readonly draw: number;
}

/** How a flow chooses among the shops that may take a request: a pool of at least one, by priority, then id. */
export interface Strategy {
  /** Whether the payment advances the flow's counter by one; if not, the counter in the input has no meaning. */
  usesCounter(request: RoutingRequest): boolean;
  pick(pool: Pool, input: StrategyInput): RoutableShop;
  /** The others in the order in which they would be tried after the pick, at most `limit`. */
  fallbacks(pool: Pool, input: StrategyInput, limit: number): RoutableShop[];
  /** `passedOver`: recovering shops that were candidates but did not keep the pick. */
  reasoning(pool: Pool, input: StrategyInput, passedOver: readonly RoutableShop[]): Reasoning;
  /** The number of this pick among the picked shop's own picks, from 0; no meaning unless `usesCounter`. */
  shopSequence(pool: Pool, input: StrategyInput): number;
  /**
   * The probability of each shop to be picked, in the order of the pool. Over all counters and random numbers, and with
   * `sticky` over all customers. The sum is 1.
   */
  probabilities(pool: Pool, input: Pick<StrategyInput, 'request' | 'statsByShop'>): readonly number[];
  /**
   * The seed for further hashes in this decision: equal for equal inputs, uniformly distributed over many decisions.
   */
  hashSeed(input: StrategyInput): number;
  /** The first counter, `from` or later, that picks the shop. Absent if the strategy does not count. */
  nextPick?(pool: Pool, shop: RoutableShop, from: number, request: RoutingRequest): number | undefined;
}

/**
 * The fee of the payment at the shop, in major units; `undefined`: unknown. A backtest uses the fee that the payment's own
 * decision recorded.
 */
export function feeAt(
  { shop }: RoutableShop,
  { request, statsByShop }: Pick<StrategyInput, 'request' | 'statsByShop'>,
): number | undefined {
  const recorded = statsByShop.get(shop.id)?.fee;
  if (recorded !== undefined) return recorded ?? undefined;
  return feeOf(shop.fees, feeFactsOf(request));
}
