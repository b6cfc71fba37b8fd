import { setImmediate as nextTurn } from 'node:timers/promises';
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

/** The engine of old knew no permits; a process had so many deliveries in flight. */
const OLD_IN_FLIGHT = 1_024;

/** Runs the share's scenarios one after the other and tells what became of each. */
export async function exploreScenarios(share: Share, tell: (finding: Finding) => void): Promise<void> {
  const options = { engine: share.engine };
  let unhandled: unknown;
  const explained = new Set<Invariant>();
  process.on('unhandledRejection', (error) => (unhandled = error));
  for (let index = 0; index < share.count; index++) {
    const seed = share.firstSeed + index * share.step;
    const plan = share.engine === 'old' ? { ...planScenario(seed), permits: OLD_IN_FLIGHT } : planScenario(seed);
    const { violation, requests, tookMs } = await simulate(plan, options);
    // rejections that nobody handled are told at the end of a turn
    await nextTurn();
    const fault: Violation | undefined =
      unhandled === undefined
        ? undefined
        : { invariant: 'fault', atMs: tookMs, text: `unhandled: ${inspect(unhandled)}` };
    unhandled = undefined;
    const finding: Finding = { seed, requests, virtualMs: tookMs, violation: violation ?? fault };
    if (violation === undefined || explained.has(violation.invariant)) tell(finding);
    else tell({ ...finding, ...(await explain(plan, violation, options)) });
    if (violation !== undefined) explained.add(violation.invariant);
  }
}

/** Of each invariant one failing scenario is made smaller and its story told. */
async function explain(
  plan: ScenarioPlan,
  { invariant }: Violation,
  options: ScenarioOptions,
): Promise<Partial<Finding>> {
  const smallest = await shrink(plan, invariant, options);
  const { violation, trace } = await simulate(smallest, { ...options, isTraced: true });
  return { violation, smallest, trace };
}
