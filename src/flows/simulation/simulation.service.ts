import { Injectable } from '@nestjs/common';
import { CpuScheduler } from '../../platform/cpu-scheduler/cpu-scheduler.service.js';
import type { WorkOwner } from '../../platform/cpu-scheduler/work-owner.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { type Declined, declinedOf, type Explanation, explain } from './explanation.js';
import { requireValidDefinition } from '../definition/definition-errors.js';
import type { FlowDefinition } from '../definition/definition.js';
import { FlowLoaderService, type LoadedFlow } from '../routing/loader.service.js';
import { overrideErrors, type Overrides, withOverrides } from './overrides.js';
import type { RoutableShop } from '../definition/eligibility.js';
import type { RoutingRequest } from '../definition/condition.js';
import { decideScenario, prepare, type PreparedScenario, type Scenario } from './scenario.js';
import { generator } from '../../shared/random.js';
import { drawsAtRandom, hasCounter } from '../routing/strategies/strategies.js';

/** The assumptions of a simulation, and the requested parts of the result. */
export interface WhatIf {
  /** A draft that replaces the stored version. */
  definition?: FlowDefinition;
  overrides?: Overrides;
  /** Replaces the stored counter. */
  atCounter?: number;
  /** The number of payments to simulate, one after the other. */
  count?: number;
  /** The seed of the random numbers of `success_rate`. */
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
  const prepared = scenarioOf(flow, assumed, request, whatIf);
  if (prepared.flow !== flow.routable) yield;
  return yield* simulated(flow, prepared, whatIf);
}

function scenarioOf(
  flow: LoadedFlow,
  assumed: Assumed,
  request: RoutingRequest,
  { definition: draft, overrides, atCounter }: WhatIf,
): PreparedScenario {
  const scenario: Scenario = {
    ...assumed,
    version: draft ? null : flow.version,
    counter: atCounter ?? flow.counter,
    request,
    draw: 0,
  };
  if (overrides) requireNone(overrideErrors(overrides, scenario.definition.shops));
  if (draft || overrides) return prepare(overrides ? withOverrides(scenario, overrides) : scenario);
  return { ...scenario, flow: flow.routable };
}

function* simulated(
  flow: LoadedFlow,
  prepared: PreparedScenario,
  { count, seed, explain: isExplained }: WhatIf,
): Generator<void, Simulation> {
  const draw = generator(seed);
  const scenario = { ...prepared, draw: draw() };
  const decision = decideScenario(scenario);
  const counts = hasCounter(scenario.definition);
  const picks = count === undefined ? undefined : yield* picksOf(scenario, count, draw);
  return {
    flow,
    definition: scenario.definition,
    shop: decision.shop,
    declined: declinedOf(decision.declined),
    counter: counts ? scenario.counter : null,
    nextCounter: counts ? scenario.counter + (decision.usesCounter ? 1 : 0) : null,
    seed: drawsAtRandom(scenario.definition) ? seed : undefined,
    picks,
    shares: picks && sharesOf(scenario, picks),
    explanation: isExplained ? yield* explain(scenario) : undefined,
  };
}

function sharesOf({ flow }: PreparedScenario, picks: readonly SimulatedPick[]): SimulatedShare[] {
  const counts = new Map<number | null, number>();
  for (const { shopId } of picks) counts.set(shopId, (counts.get(shopId) ?? 0) + 1);
  return flow.shops.map(({ shop }) => ({ shop, picks: counts.get(shop.id) ?? 0 }));
}

/** Simulates the same payment `count` times; each payment that counts advances the counter for the next one. */
function* picksOf(first: PreparedScenario, count: number, draw: () => number): Generator<void, SimulatedPick[]> {
  const counts = hasCounter(first.definition);
  const picks: SimulatedPick[] = [];
  for (let scenario = first; picks.length < count;) {
    const { shop, usesCounter } = decideScenario(scenario);
    picks.push({ counter: counts ? scenario.counter : null, shopId: shop?.shop.id ?? null });
    scenario = { ...scenario, counter: scenario.counter + (usesCounter ? 1 : 0), draw: draw() };
    yield;
  }
  return picks;
}
