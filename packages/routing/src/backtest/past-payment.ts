import type { CaptureMode } from '../facts/capture-mode.js';
import type { PaymentMethodFacts } from '../facts/payment-method.js';
import type { SegmentField } from '../facts/segment.js';
import type { SegmentRate, ShopStats } from '../facts/shop.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { DecisionTrace } from '../decision/decision-trace.js';
import type { SegmentReasoning } from '../strategies/strategy.js';

/** A payment as the service stores it. */
export interface PastPaymentRow {
  id: number;
  created_at: Date;
  amount: number;
  currency: string;
  country: string | null;
  customer_id: number | null;
  metadata: Record<string, unknown> | null;
  payment_method: PaymentMethodFacts | null;
  capture: CaptureMode;
  shop_id: number;
  status: string;
  /** The number of the current or last attempt, from 1. */
  attempt: number;
  /** `null`: a payment of a release that did not store decisions. */
  decision: DecisionTrace | null;
}

/** The stored data of a payment, its decision, and the inputs of the decision. */
export interface PastPayment {
  id: number;
  createdAt: Date;
  request: RoutingRequest;
  /**
   * The shop that the decision picked; after failover, another shop may have taken the payment. `null`: a rule declined
   * it.
   */
  picked: number | null;
  /** `undefined`: the decision had no counter. */
  counter: number | undefined;
  /** The random number of the decision; `undefined`: it had none. */
  draw: number | undefined;
  /** The recorded state of shops, by id. Healthy shops are not included unless their rates mattered. */
  seen: ReadonlyMap<number, Partial<ShopStats>>;
  /** The recorded rates in the payment's segment; `undefined`: the decision did not use segments. */
  segments: RecordedSegments | undefined;
  /** `null`: a payment of a release that did not store decisions. */
  decision: DecisionTrace | null;
  /** The customer of the payment, whether the decision knew it or not. */
  customerId: number | null;
  /** Whether the picked shop approved the payment's first attempt; `undefined`: unknown. */
  approved: boolean | undefined;
}

/**
 * Reads a stored payment. Without a stored decision only its shop is known; the decision is assumed to have known the
 * customer.
 */
export function pastPayment({ decision, ...row }: PastPaymentRow): PastPayment {
  const reasoning = decision?.reasoning;
  return {
    id: row.id,
    createdAt: row.created_at,
    request: {
      amount: row.amount,
      currency: row.currency,
      country: row.country ?? undefined,
      customerId: decision ? decision.customer_id : (row.customer_id ?? undefined),
      metadata: row.metadata ?? undefined,
      capture: row.capture,
      ...(row.payment_method && { paymentMethod: row.payment_method }),
    },
    picked: decision ? decision.picked : row.shop_id,
    counter: reasoning && 'counter' in reasoning ? reasoning.counter : undefined,
    draw: reasoning && 'draw' in reasoning ? reasoning.draw : undefined,
    seen: decision ? seenBy(decision) : NOTHING,
    segments: reasoning && 'segment' in reasoning ? new RecordedSegments(reasoning.segment!) : undefined,
    decision,
    customerId: row.customer_id,
    approved: isApproved(row),
  };
}

/** The rates that a past decision used, for decisions by the same fields. */
class RecordedSegments {
  private readonly by: string;
  private readonly rates: ReadonlyMap<number, SegmentRate>;

  constructor({ values, rates }: SegmentReasoning) {
    this.by = Object.keys(values).join();
    this.rates = new Map(
      rates.map(([id, level, approved, others, ...shape]) => [id, { level, approved, others, shape }]),
    );
  }

  rateOf(by: readonly SegmentField[], shopId: number): SegmentRate | undefined {
    return by.join() === this.by ? this.rates.get(shopId) : undefined;
  }
}

const NOTHING: PastPayment['seen'] = new Map<number, never>();

/**
 * A payment continues with a second shop only if the first one certainly did not take it. Payments that are pending, in
 * processing or cancelled say nothing about the shop: its answer is unknown.
 */
function isApproved({ status, attempt }: Pick<PastPaymentRow, 'status' | 'attempt'>): boolean | undefined {
  if (attempt > 1) return false;
  if (status === 'completed' || status === 'refunded') return true;
  return status === 'failed' ? false : undefined;
}

/** The unhealthy and recovering shops, the outcomes of shops whose rates were sampled, and the fees that were compared. */
function seenBy({ failed, reasoning, picked, least_bad, probing = [] }: DecisionTrace): PastPayment['seen'] {
  const seen = new Map<number, Partial<ShopStats>>();
  for (const [id, tests] of Object.entries(failed)) {
    if (!tests.includes('unhealthy')) continue;
    // the unhealthy shop with the lowest failure rate was picked; the rates themselves are not stored
    seen.set(Number(id), { health: 'unhealthy', ...(least_bad && statsWithFailures(Number(id) === picked ? 0 : 1)) });
  }
  for (const id of probing) seen.set(id, { health: 'probing' });
  if (reasoning?.by === 'lowest_cost') {
    for (const [id, fee] of reasoning.costs) seen.set(id, { ...seen.get(id), fee });
  }
  if (least_bad || reasoning?.by !== 'success_rate') return seen;
  for (const [id, approved, declined, failures, , fee] of reasoning.sampled) {
    seen.set(id, { ...seen.get(id), approved, declined, failed: failures, ...(fee !== undefined && { fee }) });
  }
  return seen;
}

const statsWithFailures = (failed: number) => ({ approved: 0, declined: 0, failed });

/**
 * The shops that the decision might have picked with another counter, random number or customer. Under `priority`,
 * these are the first of the shops that passed; under `lowest_cost` only a recovering shop leaves a choice. None if a
 * rule declined the payment. Pure.
 */
export function mightHavePicked({ shops, failed, reasoning, picked, probing, probed }: DecisionTrace): Set<number> {
  if (picked === null) return new Set();
  if (reasoning?.by === 'lowest_cost') return cheapestOf(reasoning.costs, probing);
  const passed = shops.filter((id) => failed[id] === undefined);
  if (reasoning?.by === 'priority') {
    return new Set([...passed.slice(0, reasoning.of), ...(probed ? [probed.shop_id] : []), picked]);
  }
  return new Set([...passed, ...(probing ?? []), picked]);
}

/** The cheapest shop, and the cheapest one that gets the payment if a recovering shop does not keep it. */
function cheapestOf(
  costs: readonly [shopId: number, fee: number | null][],
  probing: readonly number[] = [],
): Set<number> {
  const ids = costs.map(([id]) => id);
  const others = ids.filter((id) => !probing.includes(id));
  return new Set([...ids.slice(0, 1), ...others.slice(0, 1)]);
}
