import { describe, expect, it } from '@jest/globals';
import { appliedLines, applyPlan } from './apply.js';
import type { FlowsApi, ServedRollout, ServedVersion } from './flows-api.js';
import type { Plan, PlannedFlow } from './plan.js';

const DEFINITION = { strategy: 'priority', shops: [{ shop_id: 1 }] };
const REQUEST = { reason: 'as reviewed', rollout: { percent: 5, key: 'customer' } };
const NEWEST: ServedRollout = {
  ...{ id: 9, version: 3, percent: 5, key: 'customer', when: null, guardrail: null },
  ...{ status: 'running', end_cause: null, ended_at: null },
};

/** A plan that changes one flow, which has the given rollout. */
function planWith(newest?: ServedRollout): Plan {
  const flow: PlannedFlow = {
    ...{ name: 'checkout', action: 'change', diff: [], sentences: [], backtest: undefined, violations: [] },
    served: { id: 7, name: 'checkout', version: 2, rollout: newest?.status === 'running' ? newest : null },
    wanted: { strategy: 'priority', shops: [{ shop: 'Berlin' }] },
    definition: DEFINITION,
  };
  return { flows: [flow], others: [], shopNames: new Map([[1, 'Berlin']]) };
}

/** An API that has the wanted definition as these versions, and records the calls that write. */
function recordingApi(newest: ServedRollout | undefined, versions = [3]) {
  const calls: unknown[][] = [];
  const record =
    (name: string) =>
    (...values: unknown[]): Promise<object> => {
      calls.push([name, ...values]);
      return Promise.resolve({ version: 4 });
    };
  const stored = versions.map((version): ServedVersion => ({
    version,
    status: 'draft',
    definition: DEFINITION,
    needs_approval: false,
  }));
  const api = {
    versions: () => Promise.resolve(stored),
    newestRollout: () => Promise.resolve(newest),
    draft: record('draft'),
    activate: record('activate'),
    startRollout: record('start'),
    changeRollout: record('change'),
  };
  return { api: api as unknown as FlowsApi, calls };
}

describe('applyPlan with a percent', () => {
  const base = { based_on_version: 2, reason: 'as reviewed', version: 3, percent: 5, key: 'customer' };
  const ended = { ...NEWEST, status: 'aborted', ended_at: '2026-11-21T01:02:03.456Z' } as const;
  it.each<[string, ServedRollout | undefined, unknown[][]]>([
    ['begins a rollout', undefined, [['start', 7, base]]],
    [
      'sets the percent of the one that runs',
      { ...NEWEST, percent: 1 },
      [['change', 7, 9, { percent: 5, reason: 'as reviewed' }]],
    ],
    ['writes nothing for the same percent', NEWEST, []],
    ['begins again after a person aborted it', { ...ended, end_cause: 'requested' }, [['start', 7, base]]],
    [
      'begins with other options after its guardrail aborted it',
      { ...ended, end_cause: 'guardrail', key: 'payment' },
      [['start', 7, base]],
    ],
  ])('%s', async (_, newest, expected) => {
    const { api, calls } = recordingApi(newest);
    const applied = await applyPlan(api, planWith(newest), REQUEST);
    expect(calls).toEqual(expected);
    expect(appliedLines(applied)).toEqual(['flow checkout: rolling out, version 3']);
  });

  it.each<[string, ServedRollout, RegExp]>([
    [
      'another key',
      { ...NEWEST, key: 'payment' },
      /version 3 to 5 % with --key payment runs, .* with --key customer, abort/,
    ],
    [
      'another version',
      { ...NEWEST, version: 1 },
      /of version 1 .* asked was a rollout of version 3 .*\/rollouts\/9\/abort/,
    ],
    [
      'the same one that its guardrail aborted',
      { ...ended, end_cause: 'guardrail' },
      /its guardrail aborted this rollout/,
    ],
  ])('writes nothing because of %s', async (_, newest, message) => {
    const { api, calls } = recordingApi(newest);
    await expect(applyPlan(api, planWith(newest), REQUEST)).rejects.toThrow(message);
    expect(calls).toEqual([]);
  });

  it('prefers the version that is rolled out to an equal one', async () => {
    const { api, calls } = recordingApi(NEWEST, [5, 3]);
    expect(await applyPlan(api, planWith(NEWEST), REQUEST)).toMatchObject([{ version: 3 }]);
    expect(calls).toEqual([]);
  });
});

describe('applyPlan without a percent', () => {
  const activation = { ...REQUEST, rollout: undefined };

  it('activates', async () => {
    const { api, calls } = recordingApi(undefined);
    await applyPlan(api, planWith(), activation);
    expect(calls).toEqual([['activate', 7, 3, { based_on_version: 2, reason: 'as reviewed' }]]);
  });

  it('writes nothing while a rollout runs', async () => {
    const { api, calls } = recordingApi(NEWEST, []);
    const refused = expect(applyPlan(api, planWith(NEWEST), activation)).rejects;
    await refused.toThrow(/asked was an activation of a new version, abort it first/);
    expect(calls).toEqual([]);
  });
});
