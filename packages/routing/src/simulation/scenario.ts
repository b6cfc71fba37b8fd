import type { ShopSummary } from '../facts/shop.js';
import { type Decision, decide } from '../decision/decision.js';
import { type DecisionTrace, withRollout } from '../decision/decision-trace.js';
import type { FlowDefinition } from '../definition/definition.js';
import { type RoutableFlow, routableFlow } from '../decision/routable-flow.js';
import { chooseInRollout, isCandidate, type RolloutChoice, type RunningRollout } from '../decision/rollout.js';
import type { Segments } from '../decision/segments.js';
import type { StatsByShop } from '../decision/candidates.js';
import type { Predicate, RoutingRequest } from '../definition/condition.js';

/**
 * The maximum counter that can be assumed. Later payments of the simulation still have counters that a JSON number
 * holds exactly.
 */
export const MAX_COUNTER = 2 ** 53 - 2_000;

/** All inputs of a decision before preparation; a what-if changes them. */
export interface Scenario {
  readonly definition: FlowDefinition;
  /** `null`: a draft. */
  readonly version: number | null;
  readonly shops: ReadonlyMap<number, ShopSummary>;
  readonly statsByShop: StatsByShop;
  /** Only for flows that divide payments into segments. */
  readonly segments?: Segments;
  readonly request: RoutingRequest;
  readonly counter: number;
  /** The decision's random number, 0 ≤ draw < 1. */
  readonly draw: number;
}

/** A scenario with its flow prepared, so that other requests, counters and random numbers cost only their decision. */
export interface PreparedScenario extends Scenario {
  readonly flow: RoutableFlow;
  /** Both versions of the flow during a rollout, one of which this scenario is; absent: no rollout, or a draft. */
  readonly inRollout?: { versions: RolloutVersions; choice: RolloutChoice | undefined };
}

/** A payment of a flow during a rollout, in each version. */
export interface RolloutVersions {
  readonly running: RunningRollout & {
    /** Whether the payment is divided between the versions; others get the active one. */
    takesPart: Predicate;
  };
  readonly base: PreparedScenario;
  readonly candidate: PreparedScenario;
  /** The bucket of a payment that has no customer, or is divided without regard to the customer. */
  readonly randomBucket: number;
}

/** The scenario in the version that the rollout chooses for its payment, as for a real payment. */
export function chosenVersion(versions: RolloutVersions): PreparedScenario {
  const { running, base, candidate, randomBucket } = versions;
  if (!running.takesPart(base.request)) return { ...base, inRollout: { versions, choice: undefined } };
  const choice = chooseInRollout(running, base.request.customerId, () => randomBucket);
  return { ...(isCandidate(choice) ? candidate : base), inRollout: { versions, choice } };
}

/** The same scenario for another request, which a rollout may give the other version. */
export function withRequest(scenario: PreparedScenario, request: RoutingRequest): PreparedScenario {
  if (!scenario.inRollout) return { ...scenario, request };
  const { versions } = scenario.inRollout;
  const { base, candidate } = versions;
  return chosenVersion({ ...versions, base: { ...base, request }, candidate: { ...candidate, request } });
}

/** The scenario of the next payment of the same kind; each version has its own counter. */
export function nextPayment(
  scenario: PreparedScenario,
  { usesCounter }: Pick<Decision, 'usesCounter'>,
  draw: number,
  randomBucket: () => number,
): PreparedScenario {
  const counter = scenario.counter + (usesCounter ? 1 : 0);
  if (!scenario.inRollout) return { ...scenario, counter, draw };
  const { versions, choice } = scenario.inRollout;
  const isOfCandidate = choice !== undefined && isCandidate(choice);
  const base = { ...versions.base, draw, ...(!isOfCandidate && { counter }) };
  const candidate = { ...versions.candidate, draw, ...(isOfCandidate && { counter }) };
  return chosenVersion({ ...versions, base, candidate, randomBucket: randomBucket() });
}

export const prepare = (scenario: Scenario): PreparedScenario => ({
  ...scenario,
  flow: routableFlow(scenario.definition, scenario.shops, scenario.version),
});

export const decideScenario = ({ flow, request, counter, statsByShop, segments, draw }: PreparedScenario): Decision =>
  decide(flow, request, { counter, statsByShop, ...(segments && { segments }), random: () => draw });

/** The decision's trace, as a payment would store it. */
export const traceOf = (scenario: PreparedScenario): DecisionTrace =>
  withRollout(decideScenario(scenario).trace, scenario.inRollout?.choice);

/** A change of one field in the format of `POST /flows/simulate`; `definition.…` for fields of a draft. */
export interface Change {
  field: string;
  /** `undefined`: the field is absent. */
  from: unknown;
  to: unknown;
}

/** A change that may be sufficient; it is tried at most once, for any number of shops. */
export class Candidate implements Change {
  private tried: { pick: number | undefined } | undefined;

  constructor(
    readonly field: string,
    readonly from: unknown,
    readonly to: unknown,
    private readonly apply: () => PreparedScenario,
    /** Whether the changed definition is valid as a draft; yields often. */
    readonly isValid?: () => Generator<void, boolean>,
  ) {}

  /** The shop that is picked after the change. */
  get pick(): number | undefined {
    this.tried ??= { pick: decideScenario(this.apply()).shop?.shop.id };
    return this.tried.pick;
  }
}

/** The first candidate that picks the shop and is valid. Yields after each trial. */
export function* firstToPick(shopId: number, candidates: Iterable<Candidate>): Generator<void, Candidate | undefined> {
  for (const candidate of candidates) {
    if (candidate.pick === shopId && (!candidate.isValid || (yield* candidate.isValid()))) return candidate;
    yield;
  }
  return undefined;
}

/** Candidates that are equal for every shop: they are tried once, for all shops together. */
export class SharedCandidates {
  private readonly firstByPick = new Map<number, Candidate>();

  constructor(private readonly candidates: Iterator<Candidate>) {}

  /** The first candidate that picks the shop. Yields after each trial. */
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
