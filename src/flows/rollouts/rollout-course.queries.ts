import type { Statement } from '../../platform/database/database.js';
import { searchByTime } from '../../platform/database/first-id-since.js';
import { PAYMENTS } from '../../shared/relations.js';

/** Payments by the time of their creation: see `firstIdSince`. */
export const PAYMENTS_IN_TIME = searchByTime('rollouts.payments_in_time', `${PAYMENTS} payment`);

/** The newest payments of the flow since the rollout began, at most: some 0.2 s. */
export const MAX_PAYMENTS = 50_000;

export interface CourseRow {
  step: number;
  candidate: boolean;
  approved: number;
  declined: number;
}

/**
 * Payments of a rollout by version and step of time: $1 flow, $2 rollout, $3 candidate, $4 first id, $5 first id after the rollout, $6 its
 * beginning, $7 seconds of a step, $8 the number of payments to look at. Outcomes are those of its comparison, without refused
 * requests, which became no payment.
 */
export const ROLLOUT_COURSE: Statement = {
  name: 'rollouts.course',
  text: `SELECT floor(extract(epoch FROM p.created_at - $6::timestamptz) / $7::integer)::integer AS step,
      p.flow_version = $3::integer AS candidate,
      count(*) FILTER (WHERE p.status IN ('completed', 'refunded') OR (p.status <> 'failed' AND p.amount_authorized > 0))::integer AS approved,
      count(*) FILTER (WHERE p.status = 'failed')::integer AS declined
    FROM (
      SELECT created_at, flow_version, amount_authorized, status, rollout_id FROM ${PAYMENTS} payment
      WHERE flow_id = ANY (ARRAY[$1::bigint]) AND id >= $4 AND id < $5 ORDER BY flow_id DESC, id DESC LIMIT $8
    ) p
    WHERE p.rollout_id = $2 GROUP BY 1, 2`,
};
