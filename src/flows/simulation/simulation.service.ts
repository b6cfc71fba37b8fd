import { Injectable } from '@nestjs/common';
import { requireValidDefinition } from '../definition/valid-definition.js';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import {
  type Declined,
  declinedOf,
  type Explanation,
  explain,
} from '@payment-orchestrator/routing/simulation/explanation';
import type { FlowDefinition, FlowShop } from '@payment-orchestrator/routing/definition/definition';
import { FlowLoaderService, type LoadedFlow, type LoadedVersion } from '../routing/loader.service.js';
import { overrideErrors, type Overrides, withOverrides } from '@payment-orchestrator/routing/simulation/overrides';
import type { RoutableShop } from '@payment-orchestrator/routing/definition/eligibility';
import type { RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import {
  chosenVersion,
  decideScenario,
  nextPayment,
  prepare,
  type PreparedScenario,
  type Scenario,
} from '@payment-orchestrator/routing/simulation/scenario';
import { generator } from '@payment-orchestrator/routing/statistics/random';
import { BUCKETS, isByCustomer } from '@payment-orchestrator/routing/decision/rollout';
import { hash32 } from '@payment-orchestrator/routing/strategies/hash';
import { drawsAtRandom, hasCounter } from '@payment-orchestrator/routing/strategies/strategies';

/** The assumptions of a simulation, and the requested parts of the result. */
export interface WhatIf {
  /** A draft that replaces the stored version. */
  definition?: FlowDefinition;
  overrides?: Overrides;
  /** Replaces the stored counter. */
  atCounter?: number;
  /** The number of payments to simulate, one after the other. */
  count?: number;
  /** The seed of the random numbers of `success_rate` and of rollouts. */
  seed: number;
  /** Whether to explain the first pick. */
  explain: boolean;
}

interface SimulatedPick {
  /** `null`: the flow has no counter. */
  counter: number | null;
  /** `null`: no shop takes the payment, or a rule declines it. */
  shopId: number | null;
}

/** The number of simulated payments that a shop gets. */
export interface SimulatedShare {
  shop: ShopSummary;
  picks: number;
}

/** The result of a simulation. */
export interface Simulation {
  flow: Pick<LoadedFlow, 'id' | 'name'>;
  definition: FlowDefinition;
  /** `undefined`: no shop takes the request, or a rule declines it. */
  shop: RoutableShop | undefined;
  /** `null`: no rule declines the request. */
  declined: Declined | null;
  /** The counter before the payment; `null`: the flow has no counter. */
  counter: number | null;
  /** The counter after the payment; a payment that no shop takes, or that a rule declines, is not counted. */
  nextCounter: number | null;
  /** The seed of the random numbers; `undefined`: none were needed. */
  seed: number | undefined;
  picks: SimulatedPick[] | undefined;
  shares: SimulatedShare[] | undefined;
  explanation: Explanation | undefined;
}

type Assumed = Pick<LoadedFlow, 'definition' | 'shops' | 'statsByShop' | 'segments'>;

/** Simulates flows; reads only. */
@Injectable()
export class FlowSimulationService {
  constructor(
    private readonly flows: FlowLoaderService,
    private readonly work: CpuScheduler,
  ) {}

  /**
   * Returns the current routing result, or the result under the assumptions of a what-if. Problems: `flow_not_found`,
   * `validation_failed` (fields of `definition` and `overrides`), `too_many_requests`, `client_closed_request`.
   */
  async simulate(
    merchantId: number,
    flowName: string,
    request: RoutingRequest,
    whatIf: WhatIf,
    owner: WorkOwner,
  ): Promise<Simulation> {
    const flow = await this.flows.load(merchantId, flowName);
    const assumed = whatIf.definition ? await this.withDraft(merchantId, whatIf.definition) : flow;
    return this.work.run(owner, steps(flow, assumed, request, whatIf));
  }

  private async withDraft(merchantId: number, definition: FlowDefinition): Promise<Assumed> {
    return { definition, ...(await this.flows.stateOf(merchantId, definition)) };
  }
}

function requireNone(errors: { field: string; message: string }[]): void {
  if (errors.length > 0) throw new Problem('validation_failed', { errors });
}

function* steps(
  flow: LoadedFlow,
  assumed: Assumed,
  request: RoutingRequest,
  whatIf: WhatIf,
): Generator<void, Simulation> {
  // the draft must pass the same checks as a definition that is stored
  if (whatIf.definition)
    yield* requireValidDefinition(assumed.definition, new Set(assumed.shops.keys()), 'definition.');
  const numbers = numbersOf(whatIf.seed);
  const prepared = scenarioOf(flow, assumed, request, whatIf, numbers);
  if (prepared.flow !== flow.routable) yield;
  return yield* simulated(flow, prepared, whatIf, numbers);
}

/** The numbers of the simulated payments, all from the seed. */
interface Numbers {
  /** For `success_rate`. */
  draw: () => number;
  /** For a rollout that does not go by the customer. */
  bucket: () => number;
}

const BUCKETS_SALT = 8;

function numbersOf(seed: number): Numbers {
  const uniform = generator(hash32(seed, 0, BUCKETS_SALT));
  return { draw: generator(seed), bucket: () => Math.floor(uniform() * BUCKETS) };
}

function scenarioOf(
  flow: LoadedFlow,
  assumed: Assumed,
  request: RoutingRequest,
  { definition: draft, overrides, atCounter }: WhatIf,
  numbers: Numbers,
): PreparedScenario {
  if (overrides) {
    const members = draft ? draft.shops : [flow, ...(flow.rollout ? [flow.rollout] : [])].flatMap(shopsOf);
    requireNone(overrideErrors(overrides, members));
  }
  const { shops, statsByShop, segments } = assumed;
  const draw = numbers.draw();
  const scenario = ({ definition, version, counter }: Omit<LoadedVersion, 'routable'>): Scenario => {
    const stored = { definition, version, shops, statsByShop, segments, request, counter: atCounter ?? counter, draw };
    return overrides ? withOverrides(stored, overrides) : stored;
  };
  const prepared = (version: LoadedVersion): PreparedScenario =>
    overrides ? prepare(scenario(version)) : { flow: version.routable, ...scenario(version) };
  if (draft) return prepare({ ...scenario({ ...flow, definition: draft }), version: null });
  if (!flow.rollout) return prepared(flow);
  const versions = { running: flow.rollout, base: prepared(flow), candidate: prepared(flow.rollout) };
  return chosenVersion({ ...versions, randomBucket: numbers.bucket() });
}

const shopsOf = ({ definition }: LoadedVersion): FlowShop[] => definition.shops;

function* simulated(
  flow: LoadedFlow,
  scenario: PreparedScenario,
  { count, seed, explain: isExplained }: WhatIf,
  numbers: Numbers,
): Generator<void, Simulation> {
  const decision = decideScenario(scenario);
  const counts = hasCounter(scenario.definition);
  const picks = count === undefined ? undefined : yield* picksOf(scenario, count, numbers);
  return {
    flow,
    definition: scenario.definition,
    shop: decision.shop,
    declined: declinedOf(decision.declined),
    counter: counts ? scenario.counter : null,
    nextCounter: counts ? scenario.counter + (decision.usesCounter ? 1 : 0) : null,
    seed: usesNumbers(scenario) ? seed : undefined,
    picks,
    shares: picks && sharesOf(scenario, picks),
    explanation: isExplained ? yield* explain(scenario) : undefined,
  };
}

/** The definitions that payments of the scenario may get. */
const definitionsOf = ({ definition, inRollout }: PreparedScenario): FlowDefinition[] =>
  inRollout ? [inRollout.versions.base.definition, inRollout.versions.candidate.definition] : [definition];

const usesNumbers = (scenario: PreparedScenario): boolean =>
  definitionsOf(scenario).some(drawsAtRandom) || usesBucket(scenario);

const usesBucket = ({ inRollout, request }: PreparedScenario): boolean =>
  inRollout?.choice !== undefined && !isByCustomer(inRollout.choice, request.customerId);

function sharesOf({ flow, inRollout }: PreparedScenario, picks: readonly SimulatedPick[]): SimulatedShare[] {
  const counts = new Map<number | null, number>();
  for (const { shopId } of picks) counts.set(shopId, (counts.get(shopId) ?? 0) + 1);
  const flows = inRollout ? [inRollout.versions.base.flow, inRollout.versions.candidate.flow] : [flow];
  const shops = new Map(flows.flatMap(({ shops: members }) => members.map(({ shop }) => [shop.id, shop])));
  return [...shops.values()].map((shop) => ({ shop, picks: counts.get(shop.id) ?? 0 }));
}

/** Simulates the same payment `count` times; each payment that counts advances the counter for the next one. */
function* picksOf(first: PreparedScenario, count: number, numbers: Numbers): Generator<void, SimulatedPick[]> {
  const picks: SimulatedPick[] = [];
  for (let scenario = first; picks.length < count;) {
    const decision = decideScenario(scenario);
    const counts = hasCounter(scenario.definition);
    picks.push({ counter: counts ? scenario.counter : null, shopId: decision.shop?.shop.id ?? null });
    scenario = nextPayment(scenario, decision, numbers.draw(), numbers.bucket);
    yield;
  }
  return picks;
}
