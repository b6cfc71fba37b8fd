import type { Transaction } from '../../platform/database/database.js';
import { Problem } from '../../shared/problem.js';
import { LOCK_FLOW } from '../routing/flow.queries.js';
import { FIND_ROLLOUT, type RolloutRow } from './rollouts.queries.js';

export interface RolloutId {
  merchantId: number;
  flowId: number;
  rolloutId: number;
}

/** Locks the rollout's flow, and reads the rollout. Problems: `flow_not_found`, `flow_rollout_not_found`. */
export async function lockRollout(
  transaction: Transaction,
  { merchantId, flowId, rolloutId }: RolloutId,
): Promise<RolloutRow> {
  const [flow] = await transaction.query(LOCK_FLOW, [merchantId, flowId]);
  if (!flow) throw new Problem('flow_not_found');
  const [rollout] = await transaction.query<RolloutRow>(FIND_ROLLOUT, [merchantId, flowId, rolloutId]);
  if (!rollout) throw new Problem('flow_rollout_not_found');
  return rollout;
}

export function requireRunning(status: RolloutRow['status']): void {
  if (status !== 'running') throw new Problem('flow_rollout_ended', { detail: `it is ${status}` });
}
