import type { Effect } from '../../../src/payments/money/state/effect.js';
import { scenarioText, stateText } from './canonical.js';
import { type Decider, REAL } from './decider.js';
import { happeningsOf } from './happenings.js';
import { type Broken, brokenBy, brokenIn } from './invariants.js';
import { brokenInAnyOrder } from './orders.js';
import { brokenAtRest } from './rest.js';
import { brokenBySource } from './sources.js';
import { nameOf, type Start, startOf, STARTS } from './starts.js';
import { tellingsOf, type Telling, delivered } from './tellings.js';
import { wishesOf } from './wishes.js';
import type { Step, Scenario } from './scenario.js';

export interface Limits {
  /** For one start. */
  maxStates: number;
  maxViolations: number;
}

interface Violation {
  invariant: string;
  start: string;
  /** The shortest path of facts to it. */
  path: readonly string[];
}

export interface Explored {
  states: number;
  steps: number;
  /** All scenarios that so many steps lead to were walked. */
  depth: number;
  ms: number;
  /** The first violation of each invariant; nothing is walked after it. */
  violations: readonly Violation[];
  /** How often each documented exception was met. */
  exceptions: ReadonlyMap<string, number>;
}

interface Node {
  scenario: Scenario;
  parent: Node | undefined;
  step: string;
  depth: number;
}

/** Walks every scenario that can be reached from the starts, breadth first, until `maxViolations` invariants are broken. */
export function explore(limits: Limits, decider: Decider = REAL, starts: readonly Start[] = STARTS): Explored {
  const began = performance.now();
  const exceptions = new Map<string, number>();
  const violations: Violation[] = [];
  const total = { states: 0, steps: 0, depth: Infinity };
  for (const start of starts) {
    const walk = new Walk(start, limits, decider, exceptions, violations);
    walk.run();
    total.states += walk.states;
    total.steps += walk.steps;
    total.depth = Math.min(total.depth, walk.depth);
    if (violations.length >= limits.maxViolations) break;
  }
  return { ...total, ms: performance.now() - began, violations, exceptions };
}

class Walk {
  steps = 0;
  /** The depth of the scenario that is left now: all before it were left by every step. */
  depth = 0;
  private readonly seen = new Set<string>();
  private readonly queue: Node[] = [];

  constructor(
    private readonly start: Start,
    private readonly limits: Limits,
    private readonly decider: Decider,
    private readonly exceptions: Map<string, number>,
    private readonly violations: Violation[],
  ) {}

  get states(): number {
    return this.seen.size;
  }

  run(): void {
    const { maxStates, maxViolations } = this.limits;
    this.enter(this.first(), undefined, '');
    for (let at = 0; at < this.queue.length; at++) {
      const node = this.queue[at]!;
      this.depth = node.depth;
      if (!this.isSound(node)) continue;
      for (const { step, broken } of stepsOf(node.scenario, this.decider)) {
        this.steps++;
        if (broken) this.violate(broken, node, step.name);
        else this.enter(step.to, node, step.name);
      }
      if (this.violations.length >= maxViolations || this.seen.size >= maxStates) return;
    }
  }

  /** The scenario after the steps that have happened. */
  private first(): Scenario {
    return (this.start.after ?? []).reduce((scenario, name) => {
      for (const { step } of stepsOf(scenario, this.decider)) if (step.name === name) return step.to;
      throw new Error(`no step "${name}"`);
    }, startOf(this.start));
  }

  private enter(scenario: Scenario, parent: Node | undefined, step: string): void {
    const text = scenarioText(scenario);
    if (this.seen.has(text)) return;
    this.seen.add(text);
    this.queue.push({ scenario, parent, step, depth: parent ? parent.depth + 1 : 0 });
  }

  private isSound(node: Node): boolean {
    const { scenario } = node;
    const broken =
      brokenAtRest(scenario, this.decider) ??
      brokenBySource(scenario, this.decider, this.exceptions) ??
      brokenInAnyOrder(scenario, this.decider, this.exceptions);
    if (broken) this.violate(broken, node);
    return broken === undefined;
  }

  private violate(invariant: string, node: Node, last?: string): void {
    const kind = kindOf(invariant);
    if (this.violations.some((known) => kindOf(known.invariant) === kind)) return;
    const path = [...pathOf(node), ...(last === undefined ? [] : [last])];
    this.violations.push({ invariant, start: nameOf(this.start), path: [...(this.start.after ?? []), ...path] });
  }
}

/** One text for violations that differ in numbers only. */
const kindOf = (invariant: string): string => invariant.split('\n')[0]!.replaceAll(/\d+/g, '');

function* stepsOf(scenario: Scenario, decider: Decider): Generator<{ step: Step; broken: Broken }> {
  for (const step of happeningsOf(scenario)) yield { step, broken: brokenIn(step.to) };
  for (const telling of [...tellingsOf(scenario), ...wishesOf(scenario)]) {
    const decided = decidedOf(scenario, telling, decider);
    if (decided) yield decided;
  }
}

function decidedOf(scenario: Scenario, telling: Telling, decider: Decider): { step: Step; broken: Broken } | null {
  let effects: readonly Effect[] = [];
  const observed: Decider = {
    ...decider,
    decide: (...of) => {
      const decided = decider.decide(...of);
      effects = decided.effects;
      return decided;
    },
  };
  const step = delivered(scenario, telling, observed);
  if (!step) return null;
  const isRequest = telling.fact.about === 'request';
  const to = isRequest ? { ...step.to, requests: scenario.requests + 1 } : step.to;
  const broken =
    brokenIn(to) ??
    brokenBy(scenario, to.state, effects, telling.fact) ??
    (isRequest ? undefined : brokenByTwo(to, telling, effects, decider));
  return { step: { ...step, to }, broken };
}

/** A crash gives a fact twice. */
function brokenByTwo(first: Scenario, telling: Telling, effects: readonly Effect[], decider: Decider): Broken {
  // the id of a failed operation is forgotten with its key: the second report may be about the next call
  if (
    'event' in telling.fact &&
    telling.fact.event?.status.endsWith('_failed') &&
    effects.some((each) => each.do === 'repeat')
  )
    return undefined;
  // a fact that waited may follow the first: then nothing changes the third time
  const hasFollower = effects.some((each) => each.do === 'settle_waiting');
  const after = hasFollower ? (delivered(first, telling, decider)?.to ?? first) : first;
  const again = delivered(after, telling, decider);
  if (!again || stateText(again.to.state) === stateText(after.state)) return undefined;
  return `the second time it changes ${stateText(after.state)}\n  to ${stateText(again.to.state)}`;
}

function pathOf(node: Node): string[] {
  const path: string[] = [];
  for (let each: Node | undefined = node; each?.parent; each = each.parent) path.unshift(each.step);
  return path;
}
