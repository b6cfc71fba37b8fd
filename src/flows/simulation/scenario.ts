import type { ShopSummary } from '../../shops/shop-summary.js';
import { type Decision, decide } from '../routing/decision.js';
import type { FlowDefinition } from '../definition/definition.js';
import { type RoutableFlow, routableFlow } from '../routing/routable-flow.js';
import type { StatsByShop } from '../routing/routing.js';
import type { RoutingRequest } from '../definition/condition.js';

/** The greatest counter that can be assumed: leaves room for the payments after it below what a JSON number holds exactly. */
export const MAX_COUNTER = 2 ** 53 - 2_000;

/** All that a decision depends on, before it is prepared: what a what-if changes. */
export interface Scenario {
  readonly definition: FlowDefinition;
  /** `null`: a draft. */
  readonly version: number | null;
  readonly shops: ReadonlyMap<number, ShopSummary>;
  readonly statsByShop: StatsByShop;
  readonly request: RoutingRequest;
  readonly counter: number;
  /** The decision's random number, 0 ≤ draw < 1. */
  readonly draw: number;
}

/** A scenario with its flow prepared, so that other requests, counters and draws cost no more than their decision. */
export interface PreparedScenario extends Scenario {
  readonly flow: RoutableFlow;
}

export const prepare = (scenario: Scenario): PreparedScenario => ({
  ...scenario,
  flow: routableFlow(scenario.definition, scenario.shops, scenario.version),
});

export const decideScenario = ({ flow, request, counter, statsByShop, draw }: PreparedScenario): Decision =>
  decide(flow, request, { counter, statsByShop, random: () => draw });

/** A change of one field, in the language of `POST /flows/simulate`, `definition.…` where it takes a draft. */
export interface Change {
  field: string;
  /** `undefined`: the field is absent. */
  from: unknown;
  to: unknown;
}

/** A change that may be enough; it is tried at most once, however many shops it is tried for. */
export class Candidate implements Change {
  private tried: { pick: number | undefined } | undefined;

  constructor(
    readonly field: string,
    readonly from: unknown,
    readonly to: unknown,
    private readonly apply: () => PreparedScenario,
    /** Whether the changed definition is taken as a draft; yields often. */
    readonly isTaken?: () => Generator<void, boolean>,
  ) {}

  /** The shop that the decision with the change picks. */
  get pick(): number | undefined {
    this.tried ??= { pick: decideScenario(this.apply()).shop?.shop.id };
    return this.tried.pick;
  }
}

/** The first of the candidates that picks the shop and can be made. Yields after each trial. */
export function* firstToPick(shopId: number, candidates: Iterable<Candidate>): Generator<void, Candidate | undefined> {
  for (const candidate of candidates) {
    if (candidate.pick === shopId && (!candidate.isTaken || (yield* candidate.isTaken()))) return candidate;
    yield;
  }
  return undefined;
}

/** Candidates that mean the same for every shop: they are gone through once, for all shops together. */
export class SharedCandidates {
  private readonly firstByPick = new Map<number, Candidate>();

  constructor(private readonly candidates: Iterator<Candidate>) {}

  /** The first of the candidates that picks the shop. Yields after each trial. */
  *firstToPick(shopId: number): Generator<void, Candidate | undefined> {
    for (;;) {
      const known = this.firstByPick.get(shopId);
      if (known) return known;
      const next = this.candidates.next();
      if (next.done) return undefined;
      const { pick } = next.value;
      if (pick !== undefined && !this.firstByPick.has(pick)) this.firstByPick.set(pick, next.value);
      yield;
    }
  }
}
