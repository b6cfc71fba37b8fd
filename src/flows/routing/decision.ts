import { candidatesFor, type Candidates, isProbing, isUnhealthy, type StatsByShop } from './routing.js';
import { pickProbabilities, TRICKLE } from './pick-probabilities.js';
import type { DecisionTrace, TestName } from './decision-trace.js';
import { failedTests, type RoutableShop } from '../definition/eligibility.js';
import type { Pool, Strategy, StrategyInput } from './strategies/strategy.js';
import type { RoutableFlow } from './routable-flow.js';
import type { RoutingRequest } from '../definition/condition.js';
import { hash32 } from './strategies/hash.js';
import { STRATEGIES } from './strategies/strategies.js';

/** What a decision depends on besides flow and request. */
export interface RoutingState {
  /** How many payments the flow routed before this one. */
  counter: number;
  /** By shop id; a shop without an entry is healthy and has no recent outcomes. */
  statsByShop: StatsByShop;
  /** A random number, 0 ≤ x < 1, recorded in the trace; asked for at most once a decision, and only by strategies that draw. */
  random: () => number;
}

/** A decision, worked out as far as it is asked for: `fallbacks` and `trace` cost nothing until they are read. */
export interface Decision {
  /** The pick; `undefined`: no shop takes the request. */
  readonly shop: RoutableShop | undefined;
  /** The order in which other shops would be tried after the pick, at most 9: eligible shops of the same rule alone. */
  readonly fallbacks: readonly RoutableShop[];
  /** JSON, to be stored with the payment. */
  readonly trace: DecisionTrace;
  /** Whether the payment advances the flow's counter. */
  readonly usesCounter: boolean;
}

/** The most that a flow's `max_attempts` leaves to the shops after the first. */
const MAX_FALLBACKS = 9;

/**
 * The whole decision on loaded data. Pure: equal inputs give equal decisions. The payment path runs the same two halves
 * with the counter's advance in between, so a simulation is right by construction.
 */
export const decide = (flow: RoutableFlow, request: RoutingRequest, state: RoutingState): Decision =>
  decideAmong(candidatesFor(flow, request, state.statsByShop), state);

/** The second half of a decision, once the counter is known. Pure. */
export function decideAmong(candidates: Candidates, state: Pick<RoutingState, 'counter' | 'random'>): Decision {
  const { chosen } = candidates;
  if (!chosen) return new NoShop(candidates);
  const strategy = STRATEGIES[chosen.route.strategy];
  const input = new Input(candidates, state);
  return withTrickle(candidates, strategy, chosen.pool, input);
}

/**
 * A shop on its way back gets a tenth of its turns; the others take turns at the rest. Whose turn that is goes by the number
 * of the turn among its own: by the counter, those of every other shop would all go to the same one.
 */
function withTrickle(candidates: Candidates, strategy: Strategy, pool: Pool, input: Input): Decision {
  const { statsByShop } = candidates;
  const pick = strategy.pick(pool, input);
  if (statsByShop.size === 0 || !isProbing(pick, statsByShop)) {
    return new Made(candidates, strategy, pool, input, pick);
  }
  const others = pool.filter((shop) => !isProbing(shop, statsByShop));
  const isItsTurn = hash32(strategy.ticket(input), pick.shop.id, PROBE) % TRICKLE === 0;
  if (isItsTurn || others.shops.length === 0) {
    return new Made(candidates, strategy, pool, input, pick, { shop_id: pick.shop.id, let_through: true });
  }
  const probed = { shop_id: pick.shop.id, let_through: false };
  const handedOn = input.at(strategy.ownTurn(pool, input));
  return new Made(candidates, strategy, others, handedOn, strategy.pick(others, handedOn), probed);
}

const PROBE = 5;

/** As many as a trace has room for. */
const PROBABILITY_DIGITS = 6;

/** The draw is taken when it is first asked for. */
class Input implements StrategyInput {
  readonly request: RoutingRequest;
  readonly statsByShop: StatsByShop;
  readonly counter: number;

  constructor(
    private readonly candidates: Candidates,
    private readonly state: Pick<RoutingState, 'counter' | 'random'>,
    readonly turn = state.counter,
    private drawn: number | undefined = undefined,
  ) {
    this.request = candidates.request;
    this.statsByShop = candidates.statsByShop;
    this.counter = state.counter;
  }

  get draw(): number {
    return (this.drawn ??= this.state.random());
  }

  at(turn: number): Input {
    return new Input(this.candidates, this.state, turn, this.drawn);
  }
}

class NoShop implements Decision {
  readonly shop = undefined;
  readonly fallbacks = [];
  readonly usesCounter = false;

  constructor(private readonly candidates: Candidates) {}

  get trace(): DecisionTrace {
    return { ...traceOfTests(this.candidates), picked: null, fallbacks: [] };
  }
}

class Made implements Decision {
  readonly usesCounter: boolean;
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

  /** A shop on its way back gets no second tries. */
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
    if (probed?.let_through === false) this.noteThosePassedOver(trace);
    return {
      ...trace,
      picked: this.shop.shop.id,
      probability: this.probability,
      fallbacks: this.fallbacks.map(({ shop }) => shop.id),
      reasoning: strategy.reasoning(pool, input, probed?.let_through === false ? this.probingShops : []),
      ...(candidates.isLeastBad && { least_bad: true }),
      ...(this.probing.length > 0 && { probing: this.probing }),
      ...(probed && { probed }),
    };
  }

  private get probability(): number {
    const { shops, of } = pickProbabilities(this.candidates);
    return Number(of[shops.indexOf(this.shop)]!.toPrecision(PROBABILITY_DIGITS));
  }

  private get probing(): number[] {
    return this.probingShops.map(({ shop }) => shop.id);
  }

  private get probingShops(): RoutableShop[] {
    const { chosen, statsByShop } = this.candidates;
    if (statsByShop.size === 0) return [];
    return chosen!.pool.shops.filter((shop) => isProbing(shop, statsByShop));
  }

  /** With the shop that did not get its turn, all the others that are on their way back are left out of this decision. */
  private noteThosePassedOver({ failed }: Pick<DecisionTrace, 'failed'>): void {
    for (const id of this.probing) failed[id] = ['unhealthy'];
  }
}

function traceOfTests(candidates: Candidates): Omit<DecisionTrace, 'picked' | 'fallbacks'> {
  const { flow, request, chosen } = candidates;
  const inReach = reach(candidates);
  const failed: Record<string, TestName[]> = {};
  for (const shop of flow.shops) {
    const tests = testsFailed(shop, candidates, inReach);
    if (tests.length > 0) failed[shop.shop.id] = tests;
  }
  return {
    flow_version: flow.version,
    strategy: flow.strategy,
    ...(request.customerId !== undefined && { customer_id: request.customerId }),
    ...(chosen?.route.rule !== undefined && { rule: chosen.route.rule }),
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

/** The shops that the rules lead the request to; `undefined`: all, because there are no rules. */
function reach({ flow, request, chosen }: Candidates): ReadonlySet<RoutableShop> | undefined {
  if (flow.strategy !== 'rules') return undefined;
  const routes = chosen ? [chosen.route] : flow.routes.filter(({ matches }) => matches(request));
  return new Set(routes.flatMap(({ pool }) => pool.shops));
}
