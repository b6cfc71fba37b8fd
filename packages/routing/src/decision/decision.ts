import { candidatesFor, type Candidates, isProbing, isUnhealthy, type StatsByShop } from './candidates.js';
import { pickProbabilities, HALF_OPEN_ONE_IN } from './pick-probabilities.js';
import type { DecisionTrace, TestName } from './decision-trace.js';
import { failedTests, type RoutableShop } from '../definition/eligibility.js';
import type { Pool, Strategy, StrategyInput } from '../strategies/strategy.js';
import type { RoutableFlow, Route } from './routable-flow.js';
import type { Segments } from './segments.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { RuleDecline } from '../definition/definition.js';
import { hash32 } from '../strategies/hash.js';

/** The state that a decision depends on, in addition to flow and request. */
export interface RoutingState {
  /** The number of payments that the flow routed before this one. */
  counter: number;
  /** By shop id; a shop without an entry is healthy and has no recent outcomes. */
  statsByShop: StatsByShop;
  /** Only for flows that divide payments into segments. */
  segments?: Segments;
  /**
   * Returns a random number, 0 ≤ x < 1, recorded in the trace. Called at most once per decision, and only by random
   * strategies.
   */
  random: () => number;
}

/** A decision; `fallbacks` and `trace` are computed only if they are read. */
export interface Decision {
  /** The pick; `undefined`: no shop takes the request, or a rule declines or refuses it. */
  readonly shop: RoutableShop | undefined;
  /** The decline of the rule that decided; `undefined`: no rule declines the request. */
  readonly declined: RuleDecline | undefined;
  /** The other shops in the order in which they would be tried, at most 9: only eligible shops of the same rule. */
  readonly fallbacks: readonly RoutableShop[];
  /** JSON, stored with the payment. */
  readonly trace: DecisionTrace;
  /** Whether the payment advances the flow's counter. */
  readonly usesCounter: boolean;
}

/** The maximum number of shops after the first that `max_attempts` of a flow allows. */
const MAX_FALLBACKS = 9;

/**
 * Makes a whole decision on loaded data. Pure: equal inputs give equal decisions. The payment path runs the same two
 * halves and advances the counter in between, so a simulation always agrees with it.
 */
export const decide = (flow: RoutableFlow, request: RoutingRequest, state: RoutingState): Decision =>
  decideAmong(candidatesFor(flow, request, state.statsByShop, state.segments), state);

/** The second half of a decision, after the counter is known. Pure. */
export function decideAmong(candidates: Candidates, state: Pick<RoutingState, 'counter' | 'random'>): Decision {
  const { chosen } = candidates;
  if (!chosen) return new NoShop(candidates);
  const input = new Input(candidates, state);
  return withHalfOpen(candidates, chosen.route.chooser, chosen.pool, input);
}

/**
 * A recovering shop keeps one in ten of its picks (half-open); the other shops share the remaining picks. The receiver
 * is chosen by the sequence of the shop's own picks. By the counter, every other shop would pass all its picks to the
 * same receiver.
 */
function withHalfOpen(candidates: Candidates, strategy: Strategy, pool: Pool, input: Input): Decision {
  const { statsByShop } = candidates;
  const pick = strategy.pick(pool, input);
  if (statsByShop.size === 0 || !isProbing(pick, statsByShop)) {
    return new ShopDecision(candidates, strategy, pool, input, pick);
  }
  const others = pool.filter((shop) => !isProbing(shop, statsByShop));
  const isLetThrough = hash32(strategy.hashSeed(input), pick.shop.id, PROBE_SALT) % HALF_OPEN_ONE_IN === 0;
  if (isLetThrough || others.shops.length === 0) {
    return new ShopDecision(candidates, strategy, pool, input, pick, { shop_id: pick.shop.id, let_through: true });
  }
  const probed = { shop_id: pick.shop.id, let_through: false };
  const passedOn = input.at(strategy.shopSequence(pool, input));
  return new ShopDecision(candidates, strategy, others, passedOn, strategy.pick(others, passedOn), probed);
}

const PROBE_SALT = 5;

/** The number of digits that a trace stores. */
const PROBABILITY_DIGITS = 6;

/** Takes the random number when it is first needed. */
class Input implements StrategyInput {
  readonly request: RoutingRequest;
  readonly statsByShop: StatsByShop;
  readonly counter: number;

  constructor(
    private readonly candidates: Candidates,
    private readonly state: Pick<RoutingState, 'counter' | 'random'>,
    readonly rotation = state.counter,
    private drawn: number | undefined = undefined,
  ) {
    this.request = candidates.request;
    this.statsByShop = candidates.statsByShop;
    this.counter = state.counter;
  }

  get draw(): number {
    return (this.drawn ??= this.state.random());
  }

  at(rotation: number): Input {
    return new Input(this.candidates, this.state, rotation, this.drawn);
  }
}

/** No shop takes the request, or a rule declines or refuses it. */
class NoShop implements Decision {
  readonly shop = undefined;
  readonly declined: RuleDecline | undefined;
  readonly fallbacks = [];
  readonly usesCounter = false;

  constructor(private readonly candidates: Candidates) {
    this.declined = candidates.declinedBy?.decline;
  }

  get trace(): DecisionTrace {
    const { declined, candidates } = this;
    return {
      ...traceOfTests(candidates),
      picked: null,
      ...(declined && { declined }),
      ...(candidates.refusedBy && { refused: true as const }),
      fallbacks: [],
    };
  }
}

class ShopDecision implements Decision {
  readonly usesCounter: boolean;
  readonly declined = undefined;
  private others: readonly RoutableShop[] | undefined;

  constructor(
    private readonly candidates: Candidates,
    private readonly strategy: Strategy,
    private readonly pool: Pool,
    private readonly input: Input,
    readonly shop: RoutableShop,
    private readonly probed?: DecisionTrace['probed'],
  ) {
    this.usesCounter = candidates.usesCounter;
  }

  get fallbacks(): readonly RoutableShop[] {
    return (this.others ??= this.findFallbacks());
  }

  /** A recovering shop gets no second tries. */
  private findFallbacks(): RoutableShop[] {
    const { statsByShop } = this.candidates;
    const probing = this.pool.shops.filter((shop) => isProbing(shop, statsByShop)).length;
    return this.strategy
      .fallbacks(this.pool, this.input, MAX_FALLBACKS + probing)
      .filter((shop) => !isProbing(shop, statsByShop))
      .slice(0, MAX_FALLBACKS);
  }

  get trace(): DecisionTrace {
    const { candidates, strategy, pool, input, probed } = this;
    const trace = traceOfTests(candidates);
    if (probed?.let_through === false) this.markPassedOver(trace);
    return Object.assign(trace, {
      picked: this.shop.shop.id,
      probability: this.probability,
      fallbacks: this.fallbacks.map(({ shop }) => shop.id),
      reasoning: strategy.reasoning(pool, input, probed?.let_through === false ? this.probingShops : []),
      ...(candidates.isUnhealthyFallback && { least_bad: true }),
      ...(this.probing.length > 0 && { probing: this.probing }),
      ...(probed && { probed }),
    });
  }

  private get probability(): number {
    const { shops, probabilities } = pickProbabilities(this.candidates);
    return Number(probabilities[shops.indexOf(this.shop)]!.toPrecision(PROBABILITY_DIGITS));
  }

  private get probing(): number[] {
    return this.probingShops.map(({ shop }) => shop.id);
  }

  private get probingShops(): RoutableShop[] {
    const { chosen, statsByShop } = this.candidates;
    if (statsByShop.size === 0) return [];
    return chosen!.pool.shops.filter((shop) => isProbing(shop, statsByShop));
  }

  /** When a recovering shop is passed over, all recovering shops are excluded from this decision. */
  private markPassedOver({ failed }: Pick<DecisionTrace, 'failed'>): void {
    for (const id of this.probing) failed[id] = ['unhealthy'];
  }
}

function traceOfTests(candidates: Candidates): Omit<DecisionTrace, 'picked' | 'fallbacks'> {
  const { flow, request } = candidates;
  const inReach = reach(candidates);
  const rule = decidingRoute(candidates)?.rule;
  const passedOver = rulesPassedOver(candidates);
  const failed: Record<string, TestName[]> = {};
  for (const shop of flow.shops) {
    const tests = testsFailed(shop, candidates, inReach);
    if (tests.length > 0) failed[shop.shop.id] = tests;
  }
  return {
    flow_version: flow.version,
    strategy: flow.strategy,
    ...(request.customerId !== undefined && { customer_id: request.customerId }),
    ...(request.capture === 'manual' && { capture: request.capture }),
    ...(request.paymentMethod?.options && { names_accounts: true as const }),
    ...(rule !== undefined && { rule }),
    ...(passedOver.length > 0 && { passed_over: passedOver }),
    shops: flow.shops.map(({ shop }) => shop.id),
    failed,
  };
}

function testsFailed(
  shop: RoutableShop,
  { request, statsByShop }: Candidates,
  inReach: ReadonlySet<RoutableShop> | undefined,
): TestName[] {
  const tests: TestName[] = failedTests(shop, request);
  if (isUnhealthy(shop, statsByShop)) tests.push('unhealthy');
  if (inReach && !inReach.has(shop)) tests.push('rule');
  return tests;
}

/** `undefined`: no route has a shop for the request. */
const decidingRoute = ({ chosen, declinedBy, refusedBy }: Candidates): Route | undefined =>
  chosen?.route ?? declinedBy ?? refusedBy;

/** The routes that match, up to the deciding one. */
function triedRoutes(candidates: Candidates): Route[] {
  const { routes } = candidates.flow;
  const decides = decidingRoute(candidates);
  const tried = decides ? routes.slice(0, routes.indexOf(decides) + 1) : routes;
  return tried.filter(({ matches }) => matches(candidates.request));
}

/** The rules that match, none of whose shops takes the request, so that a later rule was tried. */
const rulesPassedOver = (candidates: Candidates): number[] =>
  triedRoutes(candidates).flatMap((route) =>
    route !== decidingRoute(candidates) && typeof route.rule === 'number' ? [route.rule] : [],
  );

/**
 * The shops that the rules allow for the request: none if a rule declines it. `undefined`: all, because there are no
 * rules.
 */
function reach(candidates: Candidates): ReadonlySet<RoutableShop> | undefined {
  const { flow, chosen, declinedBy } = candidates;
  if (flow.strategy !== 'rules') return undefined;
  if (declinedBy) return NO_SHOPS;
  const routes = chosen ? [chosen.route] : triedRoutes(candidates);
  return new Set(routes.flatMap(({ pool }) => pool?.shops ?? []));
}

const NO_SHOPS: ReadonlySet<RoutableShop> = new Set();
