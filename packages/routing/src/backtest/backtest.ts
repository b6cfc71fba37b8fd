import type { ShopStats } from '../facts/shop.js';
import { type Decision, decideAmong } from '../decision/decision.js';
import { pickProbabilities } from '../decision/pick-probabilities.js';
import { type Explanation, explanationOf } from '../simulation/explanation.js';
import type { RoutableFlow } from '../decision/routable-flow.js';
import { candidatesFor, type StatsByShop } from '../decision/candidates.js';
import { NO_SEGMENTS, type Segments } from '../decision/segments.js';
import { generator } from '../statistics/random.js';
import { ApprovalSums } from './approval-sums.js';
import { CostSums } from './cost-sums.js';
import type { PastPayment } from './past-payment.js';

/** A payment that would have gone to another shop. */
export interface Difference {
  payment: PastPayment;
  /** `null`: no shop of the draft takes the payment, or a rule of the draft declines it. */
  shopId: number | null;
  explanation: Explanation;
}

export interface Move {
  /** `null`: a rule declined them. */
  from: number | null;
  /** `null`: no shop takes them, or a rule of the draft declines them. */
  to: number | null;
  isDeclined: boolean;
  payments: number;
}

/** The destination of a payment under the draft. */
type Destination = number | 'declined' | 'no_shop';

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
  /** Payments that the draft has no shop for; declined ones are counted apart. */
  withoutShop = 0;
  readonly declined = { before: 0, after: 0 };
  readonly before = new Map<number, number>();
  readonly after = new Map<number, number>();
  readonly differences: Difference[] = [];
  readonly counters: Inputs = { recorded: 0, made: 0 };
  readonly draws: Inputs = { recorded: 0, made: 0 };
  readonly approval = new ApprovalSums();
  readonly costs = new CostSums();
  private readonly movesFrom = new Map<number | null, Map<Destination, number>>();
  private readonly nextDraw: () => number;

  constructor(
    private readonly flow: RoutableFlow,
    /** The state of shops that the past decisions did not record. */
    private readonly statsByShop: StatsByShop,
    seed: number,
    /** The current rates, for decisions by fields that the past decisions did not use. */
    private readonly segments: Segments = NO_SEGMENTS,
  ) {
    this.nextDraw = generator(seed);
  }

  add(payment: PastPayment): void {
    const candidates = candidatesFor(this.flow, payment.request, this.statsFor(payment), this.segmentsFor(payment));
    const decision = decideAmong(candidates, {
      counter: payment.counter ?? this.counters.made,
      random: () => this.drawFor(payment),
    });
    const to = destinationOf(decision);
    this.payments++;
    this.costs.add(payment.request, payment.picked, shopIn(to));
    this.approval.add(payment, () => pickProbabilities(candidates));
    if (decision.usesCounter) count(this.counters, payment.counter !== undefined);
    this.countBefore(payment);
    this.countAfter(to);
    if (to === (payment.picked ?? 'declined')) return;
    this.changed++;
    this.move(payment.picked, to);
    if (this.differences.length < MAX_DIFFERENCES) {
      this.differences.push({ payment, shopId: shopIn(to), explanation: explanationOf(decision.trace) });
    }
  }

  private countBefore({ picked }: PastPayment): void {
    if (picked === null) this.declined.before++;
    else increment(this.before, picked);
  }

  private countAfter(to: Destination): void {
    if (to === 'declined') this.declined.after++;
    else if (to === 'no_shop') this.withoutShop++;
    else increment(this.after, to);
  }

  /** Most payments first. */
  moves(): Move[] {
    return [...this.movesFrom]
      .flatMap(([from, targets]) =>
        [...targets].map(([to, payments]) => ({ from, to: shopIn(to), isDeclined: to === 'declined', payments })),
      )
      .sort(
        (one, other) =>
          other.payments - one.payments ||
          (one.from ?? 0) - (other.from ?? 0) ||
          (one.to ?? 0) - (other.to ?? 0) ||
          Number(one.isDeclined) - Number(other.isDeclined),
      );
  }

  private statsFor({ seen }: PastPayment): StatsByShop {
    if (seen.size === 0) return this.statsByShop;
    const statsByShop = new Map(this.statsByShop);
    for (const [id, shop] of seen) statsByShop.set(id, { ...(statsByShop.get(id) ?? HEALTHY), ...shop });
    return statsByShop;
  }

  private segmentsFor({ segments: recorded }: PastPayment): Segments {
    if (!recorded) return this.segments;
    return {
      rateOf: (by, values, shopId, flat) =>
        recorded.rateOf(by, shopId) ?? this.segments.rateOf(by, values, shopId, flat),
      valuesOf: (by) => this.segments.valuesOf(by),
    };
  }

  private drawFor({ draw }: PastPayment): number {
    count(this.draws, draw !== undefined);
    return draw ?? this.nextDraw();
  }

  private move(from: number | null, to: Destination): void {
    const targets = this.movesFrom.get(from) ?? new Map<Destination, number>();
    increment(targets, to);
    this.movesFrom.set(from, targets);
  }
}

const destinationOf = ({ shop, declined }: Decision): Destination =>
  shop?.shop.id ?? (declined ? 'declined' : 'no_shop');

const shopIn = (to: Destination): number | null => (typeof to === 'number' ? to : null);

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function count(inputs: Inputs, isRecorded: boolean): void {
  if (isRecorded) inputs.recorded++;
  else inputs.made++;
}
