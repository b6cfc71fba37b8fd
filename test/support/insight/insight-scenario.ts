import { type ApprovalEstimate, approvalEstimate } from '@payment-orchestrator/routing/backtest/approval-estimate';
import { Backtest } from '@payment-orchestrator/routing/backtest/backtest';
import type { PastPaymentRow } from '@payment-orchestrator/routing/backtest/past-payment';
import { pastPayment } from '@payment-orchestrator/routing/backtest/past-payment';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import { decide } from '@payment-orchestrator/routing/decision/decision';
import type { DecisionTrace } from '@payment-orchestrator/routing/decision/decision-trace';
import { pickProbabilities } from '@payment-orchestrator/routing/decision/pick-probabilities';
import type { RoutableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import { candidatesFor, type StatsByShop } from '@payment-orchestrator/routing/decision/candidates';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { COUNTRIES, type Plan, planOf } from './scenario-plan.js';

/** A backtest's estimate in a scenario, and the true values. */
export interface InsightScenario {
  plan: Plan;
  estimate: ApprovalEstimate;
  truth: { before: number; after: number };
}

interface Customer {
  id: number;
  country: string;
  /** The customer's effect on the approval rate of each payment. */
  luck: number;
}

/** Number of points in time at which the true rate is computed, at most. */
const MAX_POINTS = 150;
const CUSTOMER_IDS = 10 ** 9;
const LUCK = 0.05;
const [SMALL, LARGE] = [50, 200];
const LARGE_SHARE = 0.4;
/** Shares of payments with an unknown outcome, and of refused ones that a second shop accepted. */
const OPEN = 0.05;
const FAILED_OVER = 0.3;

/**
 * Creates a merchant's past and a draft from a seed. The service's own `decide` routes the payments; shops approve with
 * rates that depend on country, amount and customer. The true value is exact except for the shops' health and outcomes,
 * which change.
 */
export function insightScenario(seed: number): InsightScenario {
  const plan = planOf(new SeededRandom('plan', seed));
  const past = new Past(plan, new SeededRandom('past', seed));
  const backtest = new Backtest(plan.draft, plan.statsOfDraft, seed);
  for (const row of past.rows) backtest.add(pastPayment(row));
  const truth = {
    before: past.trueRate(plan.old, (at) => past.seenAt(at)),
    after: past.trueRate(plan.draft, (at) => past.seenByDraftAt(at)),
  };
  return { plan, estimate: approvalEstimate(backtest.approval), truth };
}

class Past {
  readonly rows: PastPaymentRow[] = [];
  private readonly seen: StatsByShop[] = [];
  private readonly outcomes = new Map<number, Pick<ShopStats, 'approved' | 'declined'>>();
  private readonly regulars: Customer[];

  constructor(
    private readonly plan: Plan,
    private readonly random: SeededRandom,
  ) {
    this.regulars = Array.from({ length: plan.regulars }, () => this.aCustomer());
    for (let at = 0; at < plan.payments; at++) this.pay(at);
  }

  /** The statistics of shops at the past decision number `at`. */
  seenAt(at: number): StatsByShop {
    return this.seen[at]!;
  }

  /** The statistics that the draft uses: success rates only if the past decisions used them, too. */
  seenByDraftAt(at: number): StatsByShop {
    if (this.plan.old.strategy === 'success_rate') return this.seenAt(at);
    const { statsOfDraft } = this.plan;
    const seen = [...this.seenAt(at)].map(([id, { health }]) => [id, { ...statsOfDraft.get(id)!, health }] as const);
    return new Map(seen);
  }

  /**
   * For requests for which the past decisions found a shop, because others are not stored. For new customers, whose
   * `luck` averages to zero.
   */
  trueRate(flow: RoutableFlow, statsAt: (at: number) => StatsByShop): number {
    const step = Math.ceil(this.plan.payments / MAX_POINTS);
    let approved = 0;
    let all = 0;
    for (let at = 0; at < this.plan.payments; at += step) {
      for (const { request, share } of this.kinds()) {
        if (!candidatesFor(this.plan.old, request, this.seenAt(at)).chosen) continue;
        const { shops, probabilities } = pickProbabilities(candidatesFor(flow, request, statsAt(at)));
        all += share;
        shops.forEach(({ shop }, index) => (approved += share * probabilities[index]! * this.rateOf(shop.id, request)));
      }
    }
    return approved / all;
  }

  private kinds(): { request: RoutingRequest; share: number }[] {
    const { germans } = this.plan;
    return COUNTRIES.flatMap((country, index) =>
      [SMALL, LARGE].map((amount) => ({
        request: { amount, currency: 'EUR', country },
        share: (index === 0 ? germans : 1 - germans) * (amount === LARGE ? LARGE_SHARE : 1 - LARGE_SHARE),
      })),
    );
  }

  private pay(at: number): void {
    const customer = this.regulars.length > 0 ? this.random.pick(this.regulars) : this.aCustomer();
    const request = this.aRequest(customer);
    const statsByShop = this.statsNow(at);
    this.seen.push(statsByShop);
    const { trace } = decide(this.plan.old, request, { counter: at, statsByShop, random: () => this.random.next() });
    // no shop accepts it: such payments are not stored
    if (trace.picked === null) return;
    const isApproved = this.random.chance(this.rateOf(trace.picked, request) + customer.luck);
    this.count(trace.picked, isApproved);
    this.rows.push(this.rowOf(at, request, trace, isApproved));
  }

  private rowOf(at: number, request: RoutingRequest, trace: DecisionTrace, isApproved: boolean): PastPaymentRow {
    const isOpen = this.random.chance(OPEN);
    const isFailedOver = !isApproved && this.random.chance(FAILED_OVER);
    return {
      id: at + 1,
      created_at: new Date(at * 1_000),
      amount: request.amount,
      currency: request.currency,
      country: request.country ?? null,
      customer_id: this.plan.regulars > 0 ? request.customerId! : null,
      metadata: null,
      payment_method: null,
      capture: 'automatic',
      shop_id: trace.picked!,
      status: isOpen ? 'processing' : isApproved || isFailedOver ? 'completed' : 'failed',
      attempt: isFailedOver && !isOpen ? 2 : 1,
      decision: JSON.parse(JSON.stringify(trace)) as DecisionTrace,
    };
  }

  private statsNow(at: number): StatsByShop {
    const health = this.plan.healthAt(at);
    const usesRates = this.plan.old.strategy === 'success_rate';
    return new Map(
      this.plan.old.shops.map(({ shop: { id } }) => {
        const { approved, declined } = (usesRates && this.outcomes.get(id)) || { approved: 0, declined: 0 };
        return [id, { approved, declined, failed: 0, health: health.get(id) ?? 'healthy' }];
      }),
    );
  }

  private count(shopId: number, isApproved: boolean): void {
    const { approved, declined } = this.outcomes.get(shopId) ?? { approved: 0, declined: 0 };
    this.outcomes.set(shopId, { approved: approved + Number(isApproved), declined: declined + Number(!isApproved) });
  }

  private aCustomer(): Customer {
    return {
      id: this.random.integer(1, CUSTOMER_IDS),
      country: this.random.chance(this.plan.germans) ? COUNTRIES[0]! : COUNTRIES[1]!,
      luck: this.random.chance(0.5) ? LUCK : -LUCK,
    };
  }

  private aRequest({ id, country }: Customer): RoutingRequest {
    return { amount: this.random.chance(LARGE_SHARE) ? LARGE : SMALL, currency: 'EUR', country, customerId: id };
  }

  private rateOf(shopId: number, { amount, country }: RoutingRequest): number {
    return this.plan.rateOf(shopId, COUNTRIES.indexOf(country!), amount === LARGE ? 1 : 0);
  }
}
