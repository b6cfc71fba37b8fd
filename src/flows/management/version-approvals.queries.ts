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

/** A request for an approval, in JSON: of `lastRequestOf`. */
export interface ApprovalRequestRow {
  id: number;
  requested_by: string;
  /** None: everyone who may approve. */
  colleagues: string[];
  message: string | null;
  requested_at: string;
  status: 'waiting' | 'approved' | 'rejected' | 'withdrawn';
  ended_by: string | null;
  end_reason: string | null;
  ended_at: string | null;
}

/** The fields of a request `q`, as JSON. */
export const REQUEST_JSON = `json_build_object('id', q.id, 'requested_by', q.requested_by, 'colleagues', q.colleagues,
      'message', q.message, 'requested_at', q.requested_at, 'status', q.status, 'ended_by', q.ended_by,
      'end_reason', q.end_reason, 'ended_at', q.ended_at)`;

/** The last request for an approval of a version. `version`: a relation with `flow_id` and `version`. */
export const lastRequestOf = (version: string): string =>
  `(SELECT ${REQUEST_JSON} FROM flow_approval_requests q
    WHERE q.flow_id = ${version}.flow_id AND q.version = ${version}.version ORDER BY q.id DESC LIMIT 1)`;

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

/**
 * $1 flow, $2 version, $3 actor, $4 reason. Returns no row if the actor has approved it before. Answers the request that
 * waits.
 */
export const INSERT_APPROVAL: Statement = {
  name: 'flows.insert_version_approval',
  text: `WITH answered AS (
      UPDATE flow_approval_requests SET status = 'approved', ended_by = $3, end_reason = $4, ended_at = now()
      WHERE flow_id = $1 AND version = $2 AND status = 'waiting'
    )
    INSERT INTO flow_version_approvals (flow_id, version, approved_by, reason) VALUES ($1, $2, $3, $4)
    ON CONFLICT DO NOTHING RETURNING version`,
};
