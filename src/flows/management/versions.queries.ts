import type { Statement } from '../../platform/database/database.js';
import type { FlowDefinition } from '@payment-orchestrator/routing/definition/definition';
import { type ApprovalRequestRow, type ApprovalRow, approvalsOf, lastRequestOf } from './version-approvals.queries.js';
import { activationsOf } from '../routing/activation-event-sql.js';
import { insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import { type FlowRow, RUNNING_ROLLOUT } from '../routing/flow.queries.js';

/** A version of a flow, the number of the flow's active version, and the flow's rollout. */
export interface FlowVersionRow extends Pick<FlowRow, 'rollout'> {
  version: number;
  active_version: number;
  definition: FlowDefinition;
  created_at: Date;
  /** The time of the last activation; `null` for a draft. */
  activated_at: Date | null;
  /** The name of the actor who wrote it; `null` if a process of an earlier release did. */
  created_by: string | null;
  /** The name of the actor of the last activation, and the reason that was given. */
  activated_by: string | null;
  reason: string | null;
  approvals: ApprovalRow[];
  /** The last request for an approval; `null`: there was none. */
  last_request: ApprovalRequestRow | null;
  /** The last rollout of this version. */
  last_rollout_id: number | null;
  /** The version that was active before the last activation; `null` for a draft and the first version. */
  replaced_version: number | null;
}

const SELECT_FLOW_VERSION = `
  SELECT v.version, f.active_version, v.definition, v.created_at, v.activated_at, v.created_by, v.activated_by, v.reason,
    v.replaced_version, ${approvalsOf('v')} AS approvals, ${lastRequestOf('v')} AS last_request, ${RUNNING_ROLLOUT},
    (SELECT max(r.id) FROM flow_rollouts r WHERE r.flow_id = v.flow_id AND r.version = v.version) AS last_rollout_id
  FROM flows f
  JOIN flow_versions v ON v.flow_id = f.id
  WHERE f.merchant_id = $1 AND f.id = $2 AND f.deleted_at IS NULL`;

/** $1 merchant, $2 flow, $3 version. */
export const FLOW_VERSION: Statement = { name: 'flows.version', text: `${SELECT_FLOW_VERSION} AND v.version = $3` };

/** Newest first; $1 merchant, $2 flow, $3 the version to start below, $4 the number of rows. */
export const FLOW_VERSIONS_PAGE: Statement = {
  name: 'flows.versions_page',
  text: `${SELECT_FLOW_VERSION} AND v.version < $3 ORDER BY v.version DESC LIMIT $4`,
};

/**
 * $1 flow, $2 definition, $3 whether it becomes active at once, $4 actor, $5 reason. The flow's lock keeps the next
 * version number available.
 */
export const INSERT_FLOW_VERSION: Statement = {
  name: 'flows.insert_version',
  text: `
    INSERT INTO flow_versions (flow_id, version, definition, activated_at, created_by, activated_by, reason, replaced_version)
    SELECT $1, max(version) + 1, $2, CASE WHEN $3 THEN now() END, $4, CASE WHEN $3 THEN $4 END, $5,
      CASE WHEN $3 THEN (SELECT active_version FROM flows WHERE id = $1) END
    FROM flow_versions WHERE flow_id = $1
    RETURNING version`,
};

/**
 * Activates a version, with its event: $1 flow, $2 version, $3 actor, $4 reason. Changes nothing and returns no row if it
 * is active already. The flow must be locked.
 */
export const ACTIVATE_FLOW_VERSION: Statement = {
  name: 'flows.activate_version',
  text: `
    WITH before AS MATERIALIZED (
        SELECT f.id, f.active_version, v.activated_at IS NOT NULL AS was_active
        FROM flows f JOIN flow_versions v ON v.flow_id = f.id AND v.version = $2
        WHERE f.id = $1 AND f.active_version <> $2
      ),
      activated AS (
        UPDATE flows f SET active_version = $2, updated_at = now() FROM before b WHERE f.id = b.id
        RETURNING f.id, f.merchant_id, f.name, f.active_version AS version, b.active_version AS previous_version, b.was_active
      ),
      ${insertEvents([], activationsOf('activated'))}
    UPDATE flow_versions v SET activated_at = now(), activated_by = $3, reason = $4,
      replaced_version = activated.previous_version
    FROM activated
    WHERE v.flow_id = activated.id AND v.version = $2
    RETURNING v.version`,
};
