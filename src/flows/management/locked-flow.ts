import type { Database, Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { FLOW_BY_ID, type FlowRow, LOCK_FLOW } from '../routing/flow.queries.js';

/** For a change that is based on what its author read. */
export interface Precondition {
  /**
   * The version that the change is based on: it is refused if another version is active. Absent: based on the active
   * version.
   */
  basedOnVersion?: number | undefined;
}

/** Checks a change that is still to be made. A change that was already made and is sent again needs no check. */
export function requireBase({ version }: FlowRow, basedOnVersion: number | undefined): void {
  if (basedOnVersion === undefined || basedOnVersion === version) return;
  throw new Problem('flow_changed', { detail: `version ${version} is active, not ${basedOnVersion}` });
}

/** The flow must be locked. While a rollout runs, the versions that payments get change only through it. */
export function requireNoRollout({ rollout }: Pick<FlowRow, 'rollout'>): void {
  if (!rollout) return;
  throw new Problem('flow_rollout_running', {
    detail: `rollout ${rollout.id} of version ${rollout.version} is running: promote or abort it first`,
  });
}

/** Locks the flow, for a change of its active version or its deletion. Throws `flow_not_found`. */
export async function lockFlow(transaction: Transaction, merchantId: number, flowId: number): Promise<void> {
  const [flow] = await transaction.query(LOCK_FLOW, [merchantId, flowId]);
  if (!flow) throw new Problem('flow_not_found');
}

export async function findFlow(
  database: Pick<Database, 'query'>,
  merchantId: number,
  flowId: number,
): Promise<FlowRow> {
  const [flow] = await database.query<FlowRow>(FLOW_BY_ID, [merchantId, flowId]);
  if (!flow) throw new Problem('flow_not_found');
  return flow;
}
