import type { Invariant } from './oracle.js';
import { simulate } from './simulation.js';
import type { ScenarioOptions } from './scenario.js';
import type { ScenarioPlan } from './scenario-plan.js';

/** Scenarios run for one that fails, at most. */
const MOST_TRIES = 150;

/**
 * A smaller scenario that breaks the same invariant: without disturbances, deliveries, lanes and workers that it takes no part
 * of. Halves first, then quarters and so on, as long as it helps.
 */
export async function shrink(
  plan: ScenarioPlan,
  invariant: Invariant,
  options: ScenarioOptions,
): Promise<ScenarioPlan> {
  let tries = 0;
  const isStill = async (candidate: ScenarioPlan): Promise<boolean> =>
    tries++ < MOST_TRIES && (await simulate(candidate, options)).violation?.invariant === invariant;
  let smallest = plan;
  for (const part of ['disturbances', 'deliveries'] as const) {
    for (let size = Math.ceil(smallest[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < smallest[part].length;) {
        const kept = [...smallest[part].slice(0, from), ...smallest[part].slice(from + size)];
        const candidate = { ...smallest, [part]: kept };
        if (kept.length + (part === 'disturbances' ? 1 : 0) > 0 && (await isStill(candidate))) smallest = candidate;
        else from += size;
      }
    }
  }
  const used = new Set(smallest.deliveries.map(({ laneId }) => laneId));
  const candidate = { ...smallest, lanes: smallest.lanes.filter(({ id }) => used.has(id)) };
  return (await isStill(candidate)) ? candidate : smallest;
}
