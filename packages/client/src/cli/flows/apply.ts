import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../terminal.js';
import type { FlowsApi, ServedFlow, ServedRollout, ServedVersion } from './flows-api.js';
import { named } from './named-definition.js';
import { nameOf, type Plan, type PlannedFlow } from './plan.js';
import { isSameRollout, optionsText, type RolloutOptions, rolloutText } from './rollout-options.js';

export interface ApplyOptions {
  reason: string;
  /** Begins this rollout instead of an activation, or sets its percent. */
  rollout: RolloutOptions | undefined;
}

export interface AppliedFlow {
  name: string;
  result: 'created' | 'activated' | 'rolling_out' | 'needs_approval' | 'unchanged';
  version: number;
  /** The call that approves the version. */
  approve?: string;
  /** The rollout of another version, which an unchanged flow leaves running. */
  rollout?: ServedFlow['rollout'];
}

/** A flow of the plan, with the state of the service that decides how it is applied. */
interface Step {
  flow: PlannedFlow;
  /** The stored version that is equal to the file. */
  known: ServedVersion | undefined;
  /** The newest rollout of the flow. */
  newest: ServedRollout | undefined;
}

/**
 * Carries out a plan, one flow after the other. A rollout that is in the way is found before the first write. A version is
 * activated only while the planned base is active. What was applied before a failure stays, and the next run continues: a
 * draft that was written is used again.
 */
export async function applyPlan(api: FlowsApi, plan: Plan, options: ApplyOptions): Promise<AppliedFlow[]> {
  const broken = plan.flows.filter(({ violations }) => violations.length > 0).map(({ name }) => name);
  if (broken.length > 0) throw new CommandError(`nothing was applied: assertions are violated in ${broken.join(', ')}`);
  const steps: Step[] = [];
  for (const flow of plan.flows) steps.push(await stepOf(api, plan, flow, options));
  const refusals = steps.flatMap((step) => refusalOf(step, options) ?? []);
  if (refusals.length > 0) throw new CommandError(`nothing was applied: ${refusals.join('; ')}`);
  const applied: AppliedFlow[] = [];
  for (const step of steps) applied.push(await applyStep(api, step, options));
  return applied;
}

async function stepOf(api: FlowsApi, plan: Plan, flow: PlannedFlow, { rollout }: ApplyOptions): Promise<Step> {
  const { served, action, wanted } = flow;
  if (!served || action === 'unchanged') return { flow, known: undefined, newest: undefined };
  const isWanted = ({ definition }: ServedVersion): boolean =>
    isDeepStrictEqual(
      named(definition, (id) => nameOf(plan.shopNames, id)),
      wanted,
    );
  const equal = (await api.versions(served.id)).filter(isWanted);
  const newest = rollout || served.rollout ? await api.newestRollout(served.id) : undefined;
  return { flow, known: equal.find(({ version }) => version === newest?.version) ?? equal[0], newest };
}

/** Why the newest rollout of a flow does not permit its step, and what to do about it. */
function refusalOf({ flow: { name, served }, known, newest }: Step, { rollout }: ApplyOptions): string | undefined {
  if (!served || !newest) return undefined;
  const { id, version, percent, status } = newest;
  const isAsked = rollout !== undefined && known?.version === version && isSameRollout(newest, rollout);
  if (status !== 'running') {
    // a repeated run must not give payments to a candidate that was worse
    if (newest.end_cause !== 'guardrail' || !isAsked || rollout.percent !== percent) return undefined;
    const again = 'change the flow or the options, or start it again in the console';
    return `flow ${name}: its guardrail aborted this rollout of version ${version} at ${newest.ended_at}; ${again}`;
  }
  if (isAsked) return undefined;
  const calls = `POST /flows/${served.id}/rollouts/${id}`;
  const wanted = known ? `version ${known.version}` : 'a new version';
  return [
    `flow ${name}: a rollout of version ${version} to ${percent} % with ${optionsText(newest)} runs`,
    rollout
      ? `asked was a rollout of ${wanted} to ${rollout.percent} % with ${optionsText(rollout)}`
      : `asked was an activation of ${wanted}`,
    `abort it first (${calls}/abort), or promote it (${calls}/promote)`,
  ].join(', ');
}

async function applyStep(
  api: FlowsApi,
  { flow: { name, action, served, definition }, known, newest }: Step,
  { reason, rollout }: ApplyOptions,
): Promise<AppliedFlow> {
  if (!served) return { name, result: 'created', version: (await api.create(name, definition)).version };
  if (action === 'unchanged') {
    return { name, result: 'unchanged', version: served.version, ...(served.rollout && { rollout: served.rollout }) };
  }
  const { version, needs_approval: needsApproval } = known ?? (await api.draft(served.id, definition));
  if (needsApproval) {
    return { name, result: 'needs_approval', version, approve: `POST /flows/${served.id}/versions/${version}/approve` };
  }
  const base = { based_on_version: served.version, reason };
  if (!rollout) {
    await api.activate(served.id, version, base);
    return { name, result: 'activated', version };
  }
  if (newest?.status !== 'running') await api.startRollout(served.id, { ...base, version, ...rollout });
  else if (newest.percent !== rollout.percent)
    await api.changeRollout(served.id, newest.id, { percent: rollout.percent, reason });
  return { name, result: 'rolling_out', version };
}

export const appliedLines = (applied: AppliedFlow[]): string[] =>
  applied.map(({ name, result, version, approve, rollout }) =>
    approve === undefined
      ? `flow ${name}: ${result.replace('_', ' ')}, version ${version}${rollout ? `; ${rolloutText(rollout)}` : ''}`
      : `flow ${name}: version ${version} needs the approval of another client, then apply again: ${approve}`,
  );
