import { setImmediate as nextIteration } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { Invariant, Violation } from './oracle.js';
import { shrink } from './shrink.js';
import { simulate } from './simulation.js';
import type { ScenarioOptions } from './scenario.js';
import { planScenario, type ScenarioPlan } from './scenario-plan.js';

/** The scenarios of one thread: every `step`-th seed. */
export interface Share {
  firstSeed: number;
  step: number;
  count: number;
  engine: ScenarioOptions['engine'];
}

export interface Finding {
  seed: number;
  requests: number;
  virtualMs: number;
  violation: Violation | undefined;
  smallest?: ScenarioPlan;
  trace?: string[];
}

/** The old engine had no slots; a process had up to this many deliveries in flight. */
const OLD_IN_FLIGHT = 1_024;

/** Runs the share's scenarios one after the other and reports each. */
export async function exploreScenarios(share: Share, onFinding: (finding: Finding) => void): Promise<void> {
  const options = { engine: share.engine };
  let unhandled: unknown;
  const explained = new Set<Invariant>();
  process.on('unhandledRejection', (error) => (unhandled = error));
  for (let index = 0; index < share.count; index++) {
    const seed = share.firstSeed + index * share.step;
    const plan = share.engine === 'old' ? { ...planScenario(seed), slots: OLD_IN_FLIGHT } : planScenario(seed);
    const { violation, requests, tookMs } = await simulate(plan, options);
    // Node reports unhandled rejections only at the end of an event loop iteration
    await nextIteration();
    const fault: Violation | undefined =
      unhandled === undefined
        ? undefined
        : { invariant: 'fault', atMs: tookMs, text: `unhandled: ${inspect(unhandled)}` };
    unhandled = undefined;
    const finding: Finding = { seed, requests, virtualMs: tookMs, violation: violation ?? fault };
    if (violation === undefined || explained.has(violation.invariant)) onFinding(finding);
    else onFinding({ ...finding, ...(await explain(plan, violation, options)) });
    if (violation !== undefined) explained.add(violation.invariant);
  }
}

/** Shrinks one failing scenario and records its trace; done once for each invariant. */
async function explain(
  plan: ScenarioPlan,
  { invariant }: Violation,
  options: ScenarioOptions,
): Promise<Partial<Finding>> {
  const smallest = await shrink(plan, invariant, options);
  const { violation, trace } = await simulate(smallest, { ...options, isTraced: true });
  return { violation, smallest, trace };
}
