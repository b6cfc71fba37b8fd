import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../terminal.js';
import type { FlowsApi, ServedFlow, ServedVersion } from './flows-api.js';
import { named } from './named-definition.js';
import { nameOf, type Plan, type PlannedFlow } from './plan.js';

export interface ApplyOptions {
  reason: string;
  /** Begins a rollout instead of an activation. */
  percent: number | undefined;
  key: string;
}

export interface AppliedFlow {
  name: string;
  result: 'created' | 'activated' | 'rolling_out' | 'needs_approval' | 'unchanged';
  version: number;
  /** The call that approves the version. */
  approve?: string;
}

/**
 * Carries out a plan, one flow after the other. A version is activated only while the planned base is active. What was
 * applied before a failure stays, and the next run continues: a draft that was written is used again.
 */
export async function applyPlan(api: FlowsApi, plan: Plan, options: ApplyOptions): Promise<AppliedFlow[]> {
  const broken = plan.flows.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
  if (broken.length > 0) throw new CommandError(`nothing was applied: assertions are violated in ${broken.join(', ')}`);
  const applied: AppliedFlow[] = [];
  for (const flow of plan.flows) applied.push(await applyFlow(api, plan, flow, options));
  return applied;
}

async function applyFlow(
  api: FlowsApi,
  plan: Plan,
  { name, action, served, definition, wanted }: PlannedFlow,
  { reason, percent, key }: ApplyOptions,
): Promise<AppliedFlow> {
  if (!served) return { name, result: 'created', version: (await api.create(name, definition)).version };
  if (action === 'unchanged') return { name, result: 'unchanged', version: served.version };
  const isWanted = (version: ServedVersion): boolean =>
    isDeepStrictEqual(
      named(version.definition, (id) => nameOf(plan.shopNames, id)),
      wanted,
    );
  const known = (await api.versions(served.id)).find(isWanted);
  const { version, needs_approval: needsApproval } = known ?? (await api.draft(served.id, definition));
  if (needsApproval) {
    return { name, result: 'needs_approval', version, approve: `POST /flows/${served.id}/versions/${version}/approve` };
  }
  const base = { based_on_version: served.version, reason };
  if (percent === undefined) {
    await api.activate(served.id, version, base);
    return { name, result: 'activated', version };
  }
  await rollOut(api, served, { ...base, version, percent, key });
  return { name, result: 'rolling_out', version };
}

/** Begins the rollout, or sets the percent of the one that runs. */
async function rollOut(
  api: FlowsApi,
  { id, rollout }: ServedFlow,
  request: { version: number; percent: number; key: string; based_on_version: number; reason: string },
): Promise<void> {
  const { version, percent, reason } = request;
  if (rollout?.version !== version) await api.startRollout(id, request);
  else if (rollout.percent !== percent) await api.changeRollout(id, rollout.id, { percent, reason });
}

export const appliedLines = (applied: AppliedFlow[]): string[] =>
  applied.map(({ name, result, version, approve }) =>
    approve === undefined
      ? `flow ${name}: ${result.replace('_', ' ')}, version ${version}`
      : `flow ${name}: version ${version} needs the approval of another client, then apply again: ${approve}`,
  );
