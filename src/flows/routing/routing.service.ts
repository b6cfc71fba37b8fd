import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { Problem } from '../../shared/problem.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Random } from '../../shared/random.js';
import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { withRollout } from '@payment-orchestrator/routing/decision/decision-trace';
import { decidingVersion, type DecidingVersion } from './deciding-version.js';
import { decideAmong } from '@payment-orchestrator/routing/decision/decision';
import type { DecisionTrace } from '@payment-orchestrator/routing/decision/decision-trace';
import { failedTests } from '@payment-orchestrator/routing/definition/eligibility';
import { FlowCountersService } from './counters.service.js';
import { FlowLoaderService } from './loader.service.js';
import { BUCKETS, isCandidate, type RolloutChoice } from '@payment-orchestrator/routing/decision/rollout';
import { type Candidates, candidatesFor } from '@payment-orchestrator/routing/decision/candidates';
import { type RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import { type RuleDecline, STRATEGY_NAMES } from '@payment-orchestrator/routing/definition/definition';

/** The destination of a payment, with the flow and version that decided it, and the reasons. */
export interface RoutedPayment {
  flowId: number;
  flowVersion: number;
  /** The flow's first shop by priority for a declined payment: it signs the webhooks, and is not asked. */
  shop: ShopSummary;
  /** The decline of the rule that decided; `undefined`: the payment goes to the shop. */
  declined: RuleDecline | undefined;
  /** The order in which other shops are tried after `shop`, at most 9. */
  fallbacks: ShopSummary[];
  /** The maximum number of shops to try, including the first. */
  maxAttempts: number;
  capture: CaptureMode;
  /** Stored with the payment. */
  trace: DecisionTrace;
  /** The new id of a customer who had none; `null`: none was needed. */
  newCustomerId: number | null;
}

/** The counter value for a strategy that does not use the counter. */
const NO_COUNTER = 0;

/** The maximum number of shops that a refusal explains. */
const MAX_EXPLAINED_SHOPS = 10;

/** Routes payments through flows. */
@Injectable()
export class FlowRoutingService {
  private readonly draw = (): number => this.random.integer(DRAWS) / DRAWS;
  private readonly drawBucket = (): number => this.random.integer(BUCKETS);
  private readonly decisions;

  constructor(
    private readonly flows: FlowLoaderService,
    private readonly counters: FlowCountersService,
    private readonly random: Random,
    metrics: Metrics,
  ) {
    this.decisions = metrics.counter({
      name: 'routing_decisions_total',
      help:
        'Routing decisions; least_bad: no eligible shop is healthy, no_shop: no shop is eligible, declined: by a rule of ' +
        'the flow',
      labels: { strategy: STRATEGY_NAMES, outcome: ['chosen', 'least_bad', 'no_shop', 'declined'] },
    });
  }

  /**
   * Chooses the shop of a payment, during a rollout first the version. If the chosen strategy uses the counter, it counts
   * the payment on the flow, or on the candidate, committed before this resolves. That counter leaves out declined payments
   * and those without a shop. Call it outside of any transaction. `takeCustomerId`: for a payment whose customer has no id
   * yet. It is called if the flow or its rollout uses the customer. So the customer's first payment goes to the same version
   * and shop as the later ones. Problems: `flow_not_found`, `no_available_shop`.
   */
  route(
    merchantId: number,
    flowName: string,
    request: RoutingRequest,
    takeCustomerId?: () => Promise<number>,
  ): Promise<RoutedPayment> {
    return tracing.run('flow.route', {}, async (span) => {
      const flow = await this.flows.load(merchantId, flowName);
      let newCustomerId: number | null = null;
      if (takeCustomerId && flow.rollout?.usesCustomer) newCustomerId = await takeCustomerId();
      let asked = newCustomerId === null ? request : { ...request, customerId: newCustomerId };
      const deciding = decidingVersion(flow, asked, this.drawBucket);
      const { routable } = deciding.version;
      let candidates = candidatesFor(routable, asked, flow.statsByShop, flow.segments);
      if (takeCustomerId && newCustomerId === null && dependsOnCustomer(candidates)) {
        newCustomerId = await takeCustomerId();
        asked = { ...request, customerId: newCustomerId };
        candidates = candidatesFor(routable, asked, flow.statsByShop, flow.segments);
      }
      const routed = { newCustomerId, ...(await this.choose(flow.id, deciding, candidates)) };
      span.set({
        'flow.id': routed.flowId,
        'flow.version': routed.flowVersion,
        'flow.strategy': routed.trace.strategy,
        'flow.max_attempts': routed.maxAttempts,
        'shop.id': routed.shop.id,
      });
      return routed;
    });
  }

  private async choose(
    flowId: number,
    { version, choice }: DecidingVersion,
    candidates: Candidates,
  ): Promise<Omit<RoutedPayment, 'newCustomerId'>> {
    const { flow } = candidates;
    const counter = candidates.usesCounter ? await this.advance(flowId, choice) : NO_COUNTER;
    this.decisions.inc({ strategy: flow.strategy, outcome: outcomeOf(candidates) });
    if (!candidates.chosen && !candidates.declinedBy) {
      const { request } = candidates;
      if (choice) await this.counters.countRefused(choice, request.customerId ?? this.random.integer(DRAWS));
      throw noAvailableShop(candidates);
    }
    const { shop, declined, fallbacks, trace } = decideAmong(candidates, { counter, random: this.draw });
    return {
      flowId,
      flowVersion: version.version,
      shop: (shop ?? flow.shops[0]!).shop,
      declined,
      fallbacks: fallbacks.map((fallback) => fallback.shop),
      maxAttempts: flow.maxAttempts,
      capture: candidates.request.capture ?? 'automatic',
      trace: withRollout(trace, choice),
    };
  }

  private advance(flowId: number, choice: RolloutChoice | undefined): Promise<number> {
    return choice && isCandidate(choice) ? this.counters.advanceCandidate(choice.id) : this.counters.advance(flowId);
  }
}

function outcomeOf({ chosen, declinedBy, isUnhealthyFallback }: Candidates): string {
  if (declinedBy) return 'declined';
  return !chosen ? 'no_shop' : isUnhealthyFallback ? 'least_bad' : 'chosen';
}

/** Whether the decision depends on who the customer is. */
const dependsOnCustomer = ({ flow, chosen }: Candidates): boolean =>
  flow.testsCustomers || chosen?.route.strategy === 'sticky';

/** The maximum range of `randomInt` that a double divides exactly. */
const DRAWS = 2 ** 47;

/** Lists for each shop why it does not take the request; all reasons are the merchant's own settings. */
function noAvailableShop({ flow, request, refusedBy }: Candidates): Problem {
  const rule = refusedBy ? [`rules[${refusedBy.rule}] refuses payments that none of its shops takes`] : [];
  const reasons = flow.shops
    .slice(0, MAX_EXPLAINED_SHOPS)
    .map((shop) => `shop ${shop.shop.id}: ${failedTests(shop, request).join(', ') || 'rule'}`);
  const more = flow.shops.length > MAX_EXPLAINED_SHOPS ? [`${flow.shops.length - MAX_EXPLAINED_SHOPS} more`] : [];
  return new Problem('no_available_shop', { detail: [...rule, ...reasons, ...more].join('; ') });
}
