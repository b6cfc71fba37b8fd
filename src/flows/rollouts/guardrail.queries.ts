import type { Statement } from '../../platform/database/database.js';
import type { RolloutKey } from '@payment-orchestrator/routing/decision/rollout';

export interface GuardedRollout {
  id: number;
  flow_id: number;
  /** The candidate. */
  version: number;
  percent: number;
  key: RolloutKey;
  max_drop_points: number;
  min_payments: number;
  confidence: number;
}

/** Running rollouts with a guardrail, by id; $1 the id to start above, $2 the number of rows. */
export const GUARDED_ROLLOUTS: Statement = {
  name: 'rollouts.guarded',
  text: `SELECT id, flow_id, version, percent::float8 AS percent, key, max_drop_points, min_payments, confidence
    FROM flow_rollouts WHERE status = 'running' AND max_drop_points IS NOT NULL AND id > $1 ORDER BY id LIMIT $2`,
};
