import type { ShopStats } from '../../shops/shop-health.js';
import { decideAmong } from '../routing/decision.js';
import { pickProbabilities } from '../routing/pick-probabilities.js';
import { type Explanation, explanationOf } from '../simulation/explanation.js';
import type { RoutableFlow } from '../routing/routable-flow.js';
import { candidatesFor, type StatsByShop } from '../routing/routing.js';
import { generator } from '../../shared/random.js';
import { ApprovalSums } from './approval-sums.js';
import { CostSums } from './cost-sums.js';
import type { PastPayment } from './past-payment.js';

/** A payment that would have gone to another shop. */
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

/** The sources of a number that the draft's decisions need; payments that need no number are not counted. */
export interface Inputs {
  /** The number of the payment's own decision. */
  recorded: number;
  /** A number of a new sequence. */
  made: number;
}

const HEALTHY: ShopStats = { approved: 0, declined: 0, failed: 0, health: 'healthy' };

/** The maximum number of differences that are explained. */
const MAX_DIFFERENCES = 20;

/**
 * Runs past payments through a draft, one by one, in the order of their creation. A payment keeps the counter, the
 * random number and the state of shops of its own decision. So an unchanged flow decides as before. Payments without
 * them are counted from 0, and use random numbers of a generator. Memory does not grow with the number of payments.
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
  readonly approval = new ApprovalSums();
  readonly costs = new CostSums();
  private readonly movesFrom = new Map<number, Map<number | null, number>>();
  private readonly nextDraw: () => number;

  constructor(
    private readonly flow: RoutableFlow,
    /** The state of shops that the past decisions did not record. */
    private readonly statsByShop: StatsByShop,
    seed: number,
  ) {
    this.nextDraw = generator(seed);
  }

  add(payment: PastPayment): void {
    const candidates = candidatesFor(this.flow, payment.request, this.statsFor(payment));
    const decision = decideAmong(candidates, {
      counter: payment.counter ?? this.counters.made,
      random: () => this.drawFor(payment),
    });
    const shopId = decision.shop?.shop.id ?? null;
    this.payments++;
    this.costs.add(payment.request, payment.picked, shopId);
    this.approval.add(payment, () => pickProbabilities(candidates));
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
