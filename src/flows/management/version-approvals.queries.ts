import type { Statement } from '../../platform/database/database.js';
import { PAYMENTS } from '../../shared/relations.js';

/** One approval, in JSON: of `approvalsOf`. */
export interface ApprovalRow {
  by: string;
  reason: string | null;
  at: string;
}

/** The approvals of a version as a JSON list, oldest first. `version`: a relation with `flow_id` and `version`. */
export const approvalsOf = (version: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('by', a.approved_by, 'reason', a.reason, 'at', a.approved_at)
      ORDER BY a.approved_at, a.approved_by), '[]')
    FROM flow_version_approvals a WHERE a.flow_id = ${version}.flow_id AND a.version = ${version}.version)`;

/** $1 flow, $2 version → whether it may be active: it was before, or has an approval. */
export const MAY_BE_ACTIVE: Statement = {
  name: 'flows.version_may_be_active',
  text: `SELECT v.created_by, v.activated_at IS NOT NULL OR EXISTS (
      SELECT FROM flow_version_approvals a WHERE a.flow_id = v.flow_id AND a.version = v.version) AS allowed
    FROM flow_versions v WHERE v.flow_id = $1 AND v.version = $2`,
};

/** $1 merchant, $2 flow, $3 new name or `null` to free it → whether payments have used the name, and it would change. */
export const NAME_IN_USE: Statement = {
  name: 'flows.name_in_use',
  text: `SELECT EXISTS (SELECT FROM flows f WHERE f.merchant_id = $1 AND f.id = $2 AND f.deleted_at IS NULL
      AND f.name IS DISTINCT FROM $3 AND EXISTS (SELECT FROM ${PAYMENTS} p WHERE p.flow_id = f.id)) AS in_use`,
};

/** $1 flow, $2 version, $3 actor, $4 reason. Returns no row if the actor has approved it before. */
export const INSERT_APPROVAL: Statement = {
  name: 'flows.insert_version_approval',
  text: `INSERT INTO flow_version_approvals (flow_id, version, approved_by, reason) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING version`,
};
