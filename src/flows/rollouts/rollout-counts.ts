import type { RolloutCount } from '@payment-orchestrator/routing/rollouts/stage-outcomes';
import type { Statement } from '../../platform/database/database.js';
import { sumsOf } from '../../platform/counters/counter.js';
import { ROLLOUT_PAYMENTS } from '../routing/rollout-counter.js';
import { SHOPS } from '../../shared/relations.js';

/** The cells of one version in one stage. */
export interface VersionCells extends Pick<RolloutCount, 'stage' | 'candidate'> {
  /** JSON: a list of cluster, payments, approved, declined and refused for each cell. */
  cells: string;
}

/** Cells of sandbox payments have numbers above those of `RolloutCount` (`src/schema/rollouts.ts`). */
const CLUSTERS = 256;

/** The definitions of both versions of the rollout $1 name a shop of a provider other than the sandbox. */
const USES_REAL_SHOPS = `EXISTS (
      SELECT FROM flow_rollouts r JOIN flow_versions v ON v.flow_id = r.flow_id AND v.version IN (r.version, r.base_version)
        CROSS JOIN json_array_elements(v.definition -> 'shops') used
        JOIN ${SHOPS} s ON s.id = (used ->> 'shop_id')::bigint
      WHERE r.id = $1 AND s.provider <> 'sandbox')`;

/**
 * Counts of the rollout $1, one row per stage and version: a row per cell would take the event loop 0.3 s. If a version
 * uses real shops, sandbox payments are left out: anyone who may pay decides their outcome. Cells without a payment are absent.
 */
export const ROLLOUT_COUNTS: Statement = {
  name: 'rollouts.counts',
  text: `SELECT stage, candidate, json_agg(json_build_array(cluster, payments, approved, declined, refused)
      ORDER BY cluster)::text AS cells
    FROM (
      SELECT stage, candidate, cluster & ${CLUSTERS - 1} AS cluster, ${sumsOf(ROLLOUT_PAYMENTS)}
      FROM flow_rollout_counts WHERE rollout_id = $1 AND (cluster < ${CLUSTERS} OR NOT ${USES_REAL_SHOPS})
      GROUP BY 1, 2, 3) cell
    GROUP BY stage, candidate ORDER BY stage, candidate`,
};

export function countsOf({ stage, candidate, cells }: VersionCells): RolloutCount[] {
  const parsed = JSON.parse(cells) as [number, number, number, number, number][];
  return parsed.map(([cluster, payments, approved, declined, refused]) => ({
    stage,
    candidate,
    cluster,
    payments,
    approved,
    declined,
    refused,
  }));
}
