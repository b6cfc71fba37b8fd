import { describe, expect, it } from '@jest/globals';
import { appliedLines, applyPlan } from './apply.js';
import type { FlowsApi, ServedFlow } from './flows-api.js';
import type { Plan, PlannedFlow } from './plan.js';

const DEFINITION = { strategy: 'priority', shops: [{ shop_id: 1 }] };
const REQUEST = { reason: 'as reviewed', percent: 5, key: 'customer' };

/** A plan that changes one flow, whose rollout is given. */
function planWith(rollout: ServedFlow['rollout']): Plan {
  const flow: PlannedFlow = {
    ...{ name: 'checkout', action: 'change', diff: [], backtest: undefined, violations: [] },
    served: { id: 7, name: 'checkout', version: 2, ...(rollout !== undefined && { rollout }) },
    wanted: { strategy: 'priority', shops: [{ shop: 'Berlin' }] },
    definition: DEFINITION,
  };
  return { flows: [flow], others: [], shopNames: new Map([[1, 'Berlin']]) };
}

/** An API that has the wanted definition as version 3, and records the calls that write. */
function recordingApi() {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...values: unknown[]): Promise<void> => {
      calls.push([name, ...values]);
      return Promise.resolve();
    };
  const version = { version: 3, status: 'draft', definition: DEFINITION, needs_approval: false };
  const api = {
    versions: () => Promise.resolve([version]),
    activate: record('activate'),
    startRollout: record('start'),
    changeRollout: record('change'),
  };
  return { api: api as unknown as FlowsApi, calls };
}

describe('applyPlan with a percent', () => {
  const base = { based_on_version: 2, reason: 'as reviewed', version: 3, percent: 5, key: 'customer' };
  it.each<[string, ServedFlow['rollout'], unknown[][]]>([
    ['begins a rollout', null, [['start', 7, base]]],
    [
      'sets the percent of the one that runs',
      { id: 9, version: 3, percent: 1 },
      [['change', 7, 9, { percent: 5, reason: 'as reviewed' }]],
    ],
    ['writes nothing for the same percent', { id: 9, version: 3, percent: 5 }, []],
    [
      'leaves a rollout of another version to the refusal of the service',
      { id: 9, version: 1, percent: 5 },
      [['start', 7, base]],
    ],
  ])('%s', async (_, rollout, expected) => {
    const { api, calls } = recordingApi();
    const applied = await applyPlan(api, planWith(rollout), REQUEST);
    expect(calls).toEqual(expected);
    expect(appliedLines(applied)).toEqual(['flow checkout: rolling out, version 3']);
  });

  it('activates without one', async () => {
    const { api, calls } = recordingApi();
    await applyPlan(api, planWith(null), { ...REQUEST, percent: undefined });
    expect(calls).toEqual([['activate', 7, 3, { based_on_version: 2, reason: 'as reviewed' }]]);
  });
});
