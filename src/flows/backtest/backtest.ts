import type { ShopStats } from '../../shops/shop-health.js';
import { decide } from '../routing/decision.js';
import type { DecisionTrace } from '../routing/decision-trace.js';
import { type Explanation, explanationOf } from '../simulation/explanation.js';
import type { PastPaymentRow } from './backtest.queries.js';
import type { RoutableFlow } from '../routing/routable-flow.js';
import type { StatsByShop } from '../routing/routing.js';
import type { RoutingRequest } from '../definition/condition.js';
import { generator } from '../../shared/random.js';

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
  };
}

const NOTHING: PastPayment['seen'] = new Map<number, never>();

/** Who was unhealthy, and the outcomes of those whose rates were drawn. */
function seenBy({ failed, reasoning, picked, least_bad }: DecisionTrace): PastPayment['seen'] {
  const seen = new Map<number, Partial<ShopStats>>();
  for (const [id, tests] of Object.entries(failed)) {
    if (!tests.includes('unhealthy')) continue;
    // of several bad ones the least bad was picked: how bad each was is not kept
    seen.set(Number(id), { health: 'unhealthy', ...(least_bad && badness(Number(id) === picked ? 0 : 1)) });
  }
  if (least_bad || reasoning?.by !== 'success_rate') return seen;
  for (const [id, approved, declined, failures] of reasoning.sampled) {
    seen.set(id, { approved, declined, failed: failures });
  }
  return seen;
}

const badness = (failed: number) => ({ approved: 0, declined: 0, failed });

/** A payment that would have gone elsewhere. */
export interface Difference {
  payment: PastPayment;
  /** `null`: no shop of the draft takes the payment. */
  shopId: number | null;
  explanation: Explanation;
}

export interface Move {
  from: number;
  /** `null`: no shop. */
  to: number | null;
  payments: number;
}

/** How the draft's decisions came by a number that they need; a payment whose decision needs none is in neither. */
export interface Inputs {
  /** The one that the payment's own decision was made with. */
  recorded: number;
  /** One of a new sequence. */
  made: number;
}

const HEALTHY: ShopStats = { approved: 0, declined: 0, failed: 0, health: 'healthy' };

/** How many differences are explained. */
const MAX_DIFFERENCES = 20;

/**
 * Runs past payments through a draft, one by one, in the order in which they were created. A payment keeps the counter
 * and the random number of its own decision, and sees of shops what that saw, so that an unchanged flow decides as it did;
 * payments without them count from 0 among themselves, and draw from a generator. What it holds does not grow with the
 * number of payments.
 */
export class Backtest {
  payments = 0;
  changed = 0;
  withoutShop = 0;
  readonly before = new Map<number, number>();
  readonly after = new Map<number, number>();
  readonly differences: Difference[] = [];
  readonly counters: Inputs = { recorded: 0, made: 0 };
  readonly draws: Inputs = { recorded: 0, made: 0 };
  private readonly movesFrom = new Map<number, Map<number | null, number>>();
  private readonly nextDraw: () => number;

  constructor(
    private readonly flow: RoutableFlow,
    /** Of shops that the past decisions did not look at. */
    private readonly statsByShop: StatsByShop,
    seed: number,
  ) {
    this.nextDraw = generator(seed);
  }

  add(payment: PastPayment): void {
    const decision = decide(this.flow, payment.request, {
      counter: payment.counter ?? this.counters.made,
      statsByShop: this.statsFor(payment),
      random: () => this.drawFor(payment),
    });
    const shopId = decision.shop?.shop.id ?? null;
    this.payments++;
    if (decision.usesCounter) count(this.counters, payment.counter !== undefined);
    increment(this.before, payment.picked);
    if (shopId === null) this.withoutShop++;
    else increment(this.after, shopId);
    if (shopId === payment.picked) return;
    this.changed++;
    this.move(payment.picked, shopId);
    if (this.differences.length < MAX_DIFFERENCES) {
      this.differences.push({ payment, shopId, explanation: explanationOf(decision.trace) });
    }
  }

  /** Most payments first. */
  moves(): Move[] {
    return [...this.movesFrom]
      .flatMap(([from, targets]) => [...targets].map(([to, payments]) => ({ from, to, payments })))
      .sort((one, other) => other.payments - one.payments || one.from - other.from || (one.to ?? 0) - (other.to ?? 0));
  }

  private statsFor({ seen }: PastPayment): StatsByShop {
    if (seen.size === 0) return this.statsByShop;
    const statsByShop = new Map(this.statsByShop);
    for (const [id, shop] of seen) statsByShop.set(id, { ...(statsByShop.get(id) ?? HEALTHY), ...shop });
    return statsByShop;
  }

  private drawFor({ draw }: PastPayment): number {
    count(this.draws, draw !== undefined);
    return draw ?? this.nextDraw();
  }

  private move(from: number, to: number | null): void {
    const targets = this.movesFrom.get(from) ?? new Map<number | null, number>();
    increment(targets, to);
    this.movesFrom.set(from, targets);
  }
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function count(inputs: Inputs, isRecorded: boolean): void {
  if (isRecorded) inputs.recorded++;
  else inputs.made++;
}
