import type { Violation } from './oracle.js';
import { simulate } from './simulation.js';
import type { ScenarioPlan } from './scenario-plan.js';

export interface SweepFinding {
  call: number;
  hasEffect: boolean;
  violation: Violation;
}

/**
 * Runs the scenario once for each call that its first worker makes to the store, the secrets and the sender, and
 * crashes that worker there: before the call takes effect, and after. Every `await` of the worker is between two such
 * points, so this is a crash at every `await`. Covers the calls of the undisturbed scenario, up to `mostCalls`.
 */
export async function sweepCrashes(
  plan: ScenarioPlan,
  mostCalls: number,
): Promise<{ runs: number; found: SweepFinding[] }> {
  const { calls } = await simulate(plan);
  const found: SweepFinding[] = [];
  const last = Math.min(calls[0]!, mostCalls);
  for (let call = 1; call <= last; call++) {
    for (const hasEffect of [false, true]) {
      const crash = { kind: 'crash', worker: 0, at: { call, hasEffect }, downMs: 500 } as const;
      const { violation } = await simulate({ ...plan, disturbances: [crash] });
      if (violation !== undefined) found.push({ call, hasEffect, violation });
    }
  }
  return { runs: 2 * last, found };
}
