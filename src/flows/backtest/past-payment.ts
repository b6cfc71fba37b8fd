import type { ShopStats } from '../../shops/shop-health.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { DecisionTrace } from '../routing/decision-trace.js';
import type { PastPaymentRow } from './backtest.queries.js';

/** What is kept of a payment, its decision, and what that was made with. */
export interface PastPayment {
  id: number;
  createdAt: Date;
  request: RoutingRequest;
  /** The shop that the decision picked; another one may have taken the payment in the end. */
  picked: number;
  /** `undefined`: the decision had no counter. */
  counter: number | undefined;
  /** The random number of the decision; `undefined`: it had none. */
  draw: number | undefined;
  /** What the decision saw of shops, by id: not of those that were healthy and whose rates did not matter. */
  seen: ReadonlyMap<number, Partial<ShopStats>>;
  /** `null`: from before decisions were kept. */
  decision: DecisionTrace | null;
  /** Whose payment it is, known to the decision or not. */
  customerId: number | null;
  /** Whether the picked shop approved it, which is the payment's first attempt; `undefined`: that is not known. */
  approved: boolean | undefined;
}

/** A payment that was routed before decisions were kept tells its shop alone, and is taken to have known its customer. */
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
    },
    picked: decision?.picked ?? row.shop_id,
    counter: reasoning && 'counter' in reasoning ? reasoning.counter : undefined,
    draw: reasoning && 'draw' in reasoning ? reasoning.draw : undefined,
    seen: decision ? seenBy(decision) : NOTHING,
    decision,
    customerId: row.customer_id,
    approved: isApproved(row),
  };
}

const NOTHING: PastPayment['seen'] = new Map<number, never>();

/**
 * A payment goes on to a second shop only when the first one certainly did not take it. What is pending, in processing or
 * cancelled says nothing about the shop: nobody waited for its answer.
 */
function isApproved({ status, attempt }: Pick<PastPaymentRow, 'status' | 'attempt'>): boolean | undefined {
  if (attempt > 1) return false;
  if (status === 'completed' || status === 'refunded') return true;
  return status === 'failed' ? false : undefined;
}

/** Who was unhealthy or on its way back, and the outcomes of those whose rates were drawn. */
function seenBy({ failed, reasoning, picked, least_bad, probing = [] }: DecisionTrace): PastPayment['seen'] {
  const seen = new Map<number, Partial<ShopStats>>();
  for (const [id, tests] of Object.entries(failed)) {
    if (!tests.includes('unhealthy')) continue;
    // of several bad ones the least bad was picked: how bad each was is not kept
    seen.set(Number(id), { health: 'unhealthy', ...(least_bad && badness(Number(id) === picked ? 0 : 1)) });
  }
  for (const id of probing) seen.set(id, { health: 'probing' });
  if (least_bad || reasoning?.by !== 'success_rate') return seen;
  for (const [id, approved, declined, failures] of reasoning.sampled) {
    seen.set(id, { ...seen.get(id), approved, declined, failed: failures });
  }
  return seen;
}

const badness = (failed: number) => ({ approved: 0, declined: 0, failed });

/**
 * The shops that the decision might have picked, had the payment come at another turn, with another draw or customer. Under
 * `priority` those are the first of the shops that passed. Pure.
 */
export function mightHavePicked({ shops, failed, reasoning, picked, probing, probed }: DecisionTrace): Set<number> {
  const passed = shops.filter((id) => failed[id] === undefined);
  if (reasoning?.by === 'priority') {
    return new Set([...passed.slice(0, reasoning.of), ...(probed ? [probed.shop_id] : []), picked!]);
  }
  return new Set([...passed, ...(probing ?? []), picked!]);
}
