import type { Invariant } from './oracle.js';
import { simulate } from './simulation.js';
import type { ScenarioOptions } from './scenario.js';
import type { ScenarioPlan } from './scenario-plan.js';

/** Scenarios that are run to shrink one failing scenario, at most. */
const MOST_TRIES = 150;

/**
 * Finds a smaller scenario that breaks the same invariant: it removes disturbances, deliveries, lanes and workers that
 * are not needed. First halves, then quarters and so on, as long as it helps.
 */
export async function shrink(
  plan: ScenarioPlan,
  invariant: Invariant,
  options: ScenarioOptions,
): Promise<ScenarioPlan> {
  let tries = 0;
  const stillFails = async (candidate: ScenarioPlan): Promise<boolean> =>
    tries++ < MOST_TRIES && (await simulate(candidate, options)).violation?.invariant === invariant;
  let smallest = plan;
  for (const part of ['disturbances', 'deliveries'] as const) {
    for (let size = Math.ceil(smallest[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < smallest[part].length;) {
        const kept = [...smallest[part].slice(0, from), ...smallest[part].slice(from + size)];
        const candidate = { ...smallest, [part]: kept };
        if (kept.length + (part === 'disturbances' ? 1 : 0) > 0 && (await stillFails(candidate))) smallest = candidate;
        else from += size;
      }
    }
  }
  const used = new Set(smallest.deliveries.map(({ laneId }) => laneId));
  const candidate = { ...smallest, lanes: smallest.lanes.filter(({ id }) => used.has(id)) };
  return (await stillFails(candidate)) ? candidate : smallest;
}
