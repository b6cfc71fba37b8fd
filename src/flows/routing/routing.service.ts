import { Injectable } from '@nestjs/common';
import { Metrics } from '../../platform/observability/metrics.js';
import { Problem } from '../../shared/problem.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Random } from '../../shared/random.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { type Decision, decideAmong } from './decision.js';
import type { DecisionTrace } from './decision-trace.js';
import { failedTests } from '../definition/eligibility.js';
import { FlowCountersService } from './counters.service.js';
import { FlowLoaderService, type LoadedFlow, NO_OUTAGES, type RememberedFlow } from './loader.service.js';
import type { RoutableFlow } from './routable-flow.js';
import { type Candidates, candidatesFor } from './routing.js';
import { type RoutingRequest } from '../definition/condition.js';
import { STRATEGY_NAMES } from '../definition/definition.js';

/** Where a payment goes, by which version of which flow, and why. */
export interface RoutedPayment {
  flowId: number;
  flowVersion: number;
  shop: ShopSummary;
  /** The order in which other shops are to be tried after `shop`, at most 9. */
  fallbacks: ShopSummary[];
  /** How many shops may be tried, the first included. */
  maxAttempts: number;
  /** To be stored with the payment. */
  trace: DecisionTrace;
  /** The id that was taken for a customer who had none; `null`: none was needed. */
  newCustomerId: number | null;
}

/** What a strategy without a counter gets to see. */
const NO_COUNTER = 0;

/** How many shops a refusal explains. */
const MAX_EXPLAINED_SHOPS = 10;

/** The routing of payments through flows. */
@Injectable()
export class FlowRoutingService {
  private readonly draw = (): number => this.random.integer(DRAWS) / DRAWS;
  private readonly decisions;

  constructor(
    private readonly flows: FlowLoaderService,
    private readonly counters: FlowCountersService,
    private readonly random: Random,
    metrics: Metrics,
  ) {
    this.decisions = metrics.counter({
      name: 'routing_decisions_total',
      help: 'Decisions where a payment goes; least_bad: no shop that takes it is healthy, no_shop: none takes it',
      labels: { strategy: STRATEGY_NAMES, outcome: ['chosen', 'least_bad', 'no_shop'] },
    });
  }

  /**
   * Chooses the shop of a payment. Counts the payment on the flow, committed before this resolves, if and only if a shop
   * takes it by counting; call it outside of any transaction. `takeCustomerId`: of a payment whose customer has no id yet;
   * asked for the id where the flow looks at it, so that the customer's first payment goes where its later ones go. Problems: `flow_not_found`, `no_available_shop`.
   */
  route(
    merchantId: number,
    flowName: string,
    request: RoutingRequest,
    takeCustomerId?: () => Promise<number>,
  ): Promise<RoutedPayment> {
    return tracing.run('flow.route', {}, async (span) => {
      const chosen = await this.choose(merchantId, flowName, request, takeCustomerId);
      const { flowId, flowVersion, shop, maxAttempts, trace } = chosen;
      span.set({
        'flow.id': flowId,
        'flow.version': flowVersion,
        'flow.strategy': trace.strategy,
        'flow.max_attempts': maxAttempts,
        'shop.id': shop.id,
      });
      return chosen;
    });
  }

  private async choose(
    merchantId: number,
    flowName: string,
    request: RoutingRequest,
    takeCustomerId?: () => Promise<number>,
  ): Promise<RoutedPayment> {
    const remembered = this.flows.remembered(merchantId, flowName);
    const chosen = remembered && (await this.chooseUnchanged(remembered, request, takeCustomerId !== undefined));
    if (chosen) return chosen;
    const flow = await this.flows.load(merchantId, flowName);
    let candidates = candidatesFor(flow.routable, request, flow.statsByShop);
    let newCustomerId: number | null = null;
    if (takeCustomerId && looksAtCustomer(candidates)) {
      newCustomerId = await takeCustomerId();
      candidates = candidatesFor(flow.routable, { ...request, customerId: newCustomerId }, flow.statsByShop);
    }
    const counter = candidates.usesCounter ? await this.counters.advance(flow.id) : NO_COUNTER;
    return { ...this.decided(flow, candidates, counter), newCustomerId };
  }

  /**
   * Of a flow that takes turns: the statement that counts finds out whether it is what it was, in place of a read before.
   * `undefined`: it is not, or that cannot be told so; nothing is counted.
   */
  private async chooseUnchanged(
    flow: RememberedFlow,
    request: RoutingRequest,
    isNewCustomer: boolean,
  ): Promise<RoutedPayment | undefined> {
    const candidates = candidatesFor(flow.routable, request, NO_OUTAGES);
    if (!candidates.usesCounter || (isNewCustomer && looksAtCustomer(candidates))) return undefined;
    const counter = await this.counters.advanceUnchanged(flow);
    return counter === undefined ? undefined : { ...this.decided(flow, candidates, counter), newCustomerId: null };
  }

  private decided(flow: DecidedFlow, candidates: Candidates, counter: number): Omit<RoutedPayment, 'newCustomerId'> {
    this.decisions.inc({ strategy: flow.routable.strategy, outcome: outcomeOf(candidates) });
    if (!candidates.chosen) throw noAvailableShop(flow.routable, candidates.request);
    return routed(flow, decideAmong(candidates, { counter, random: this.draw }));
  }
}

type DecidedFlow = Pick<LoadedFlow, 'id' | 'version' | 'routable'>;

const outcomeOf = ({ chosen, isLeastBad }: Candidates): string =>
  !chosen ? 'no_shop' : isLeastBad ? 'least_bad' : 'chosen';

/** Whether it matters to the decision who the customer is. */
const looksAtCustomer = ({ flow, chosen }: Candidates): boolean =>
  flow.testsCustomers || chosen?.route.strategy === 'sticky';

/** As many as `randomInt` gives, and a double divides exactly. */
const DRAWS = 2 ** 47;

function routed(flow: DecidedFlow, { shop, fallbacks, trace }: Decision): Omit<RoutedPayment, 'newCustomerId'> {
  return {
    flowId: flow.id,
    flowVersion: flow.version,
    shop: shop!.shop,
    fallbacks: fallbacks.map((fallback) => fallback.shop),
    maxAttempts: flow.routable.maxAttempts,
    trace,
  };
}

/** Says of each shop why it does not take the request: all of it the merchant's own settings. */
function noAvailableShop(flow: RoutableFlow, request: RoutingRequest): Problem {
  const reasons = flow.shops
    .slice(0, MAX_EXPLAINED_SHOPS)
    .map((shop) => `shop ${shop.shop.id}: ${failedTests(shop, request).join(', ') || 'rule'}`);
  const more = flow.shops.length > MAX_EXPLAINED_SHOPS ? [`${flow.shops.length - MAX_EXPLAINED_SHOPS} more`] : [];
  return new Problem('no_available_shop', { detail: [...reasons, ...more].join('; ') });
}
