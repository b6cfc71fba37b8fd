import type { Statement } from '../../platform/database/database.js';
import { insertEvents } from '../../webhooks/fan-out/fan-out-sql.js';
import { isoTime } from '../../platform/database/iso-time.js';
import { type ApprovalRequestRow, REQUEST_JSON } from '../management/version-approvals.queries.js';

export interface CommentRow {
  id: number;
  comment: string;
  commented_by: string;
  commented_at: Date;
}

/** A version for which an approval was requested. */
export interface ProposalRow {
  /** Id of the last request. */
  id: number;
  flow_id: number;
  flow_name: string;
  version: number;
  created_by: string | null;
  created_at: Date;
  request: ApprovalRequestRow;
}

/**
 * A request with its event: $1 flow, $2 version, $3 actor, $4 colleagues, $5 message. Returns no row if one waits already. The
 * flow must be locked.
 */
export const INSERT_REQUEST: Statement = {
  name: 'proposals.insert_request',
  text: `WITH request AS (
      INSERT INTO flow_approval_requests (merchant_id, flow_id, version, requested_by, colleagues, message)
      SELECT merchant_id, id, $2, $3, $4, $5 FROM flows WHERE id = $1
      ON CONFLICT (flow_id, version) WHERE status = 'waiting' DO NOTHING
      RETURNING id, merchant_id, flow_id, version, requested_by, colleagues, requested_at
    ), ${insertEvents(
      [],
      `SELECT current_event_position(), r.merchant_id, 'approval.requested', json_build_object('flow_id', r.flow_id,
          'flow_name', f.name, 'version', r.version, 'requested_by', r.requested_by, 'colleagues', r.colleagues,
          'requested_at', ${isoTime('r.requested_at')})
        FROM request r JOIN flows f ON f.id = r.flow_id`,
    )}
    SELECT id FROM request`,
};

/** $1 flow, $2 version, $3 `rejected` or `withdrawn`, $4 actor, $5 reason. Returns no row if no request waits. */
export const END_REQUEST: Statement = {
  name: 'proposals.end_request',
  text: `UPDATE flow_approval_requests SET status = $3, ended_by = $4, end_reason = $5, ended_at = now()
    WHERE flow_id = $1 AND version = $2 AND status = 'waiting' RETURNING id`,
};

/** $1 flow, $2 version, $3 comment, $4 actor. */
export const INSERT_COMMENT: Statement = {
  name: 'proposals.insert_comment',
  text: `INSERT INTO flow_version_comments (flow_id, version, comment, commented_by) VALUES ($1, $2, $3, $4)
    RETURNING id, comment, commented_by, commented_at`,
};

/** Newest first; $1 merchant, $2 flow, $3 version, $4 the id to start below, $5 the number of rows. */
export const COMMENTS_PAGE: Statement = {
  name: 'proposals.comments_page',
  text: `SELECT c.id, c.comment, c.commented_by, c.commented_at
    FROM flow_version_comments c JOIN flows f ON f.id = c.flow_id
    WHERE f.merchant_id = $1 AND f.deleted_at IS NULL AND c.flow_id = $2 AND c.version = $3 AND c.id < $4
    ORDER BY c.id DESC LIMIT $5`,
};

/**
 * Newest request first; $1 merchant, $2 the state of the last request, $3 the id to start below, $4 the actor who may answer,
 * or `null`, $5 the number of rows. A version that became active without an approval waits for none.
 */
export const PROPOSALS_PAGE: Statement = {
  name: 'proposals.page',
  text: `SELECT q.id, q.flow_id, f.name AS flow_name, q.version, v.created_by, v.created_at, ${REQUEST_JSON} AS request
    FROM flow_approval_requests q
    JOIN flows f ON f.id = q.flow_id AND f.deleted_at IS NULL
    JOIN flow_versions v ON v.flow_id = q.flow_id AND v.version = q.version
    WHERE q.merchant_id = $1 AND q.status = $2 AND q.id < $3
      AND NOT EXISTS (
        SELECT FROM flow_approval_requests later
        WHERE later.flow_id = q.flow_id AND later.version = q.version AND later.id > q.id)
      AND (q.status <> 'waiting' OR v.activated_at IS NULL)
      AND ($4::text IS NULL
        OR (v.created_by IS DISTINCT FROM $4 AND (q.colleagues = '{}' OR $4 = ANY (q.colleagues))))
    ORDER BY q.id DESC LIMIT $5`,
};
