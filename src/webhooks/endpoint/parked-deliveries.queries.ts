import type { Statement } from '../../platform/database/database.js';
import { OUTBOUND_ERRORS } from '../../platform/outbound/outbound-result.js';

/** Reasons, in `last_error`, of deliveries that ended without an attempt. Codes never change. */
const END_REASONS = {
  endpoint_deleted: 'the endpoint was deleted before the delivery was sent',
  parked_too_long: 'the endpoint was paused or disabled for longer than deliveries are kept',
  customer_erased: 'the customer was erased while the endpoint was paused or disabled',
} as const;
type EndReason = keyof typeof END_REASONS;

/** Codes in `last_error`. */
export const DELIVERY_ERRORS = [...Object.keys(OUTBOUND_ERRORS), ...Object.keys(END_REASONS)];

/** Deliveries of a lane that may be due at a time while more of it are parked. */
const MAX_DUE = 1_000;
/** Deliveries of a lane that one batch releases. */
const PORTION = 200;

/** A parked delivery is never due. */
const PARKED = `due_at = 'infinity'`;
/** No worker holds it. A late result of a lost lease may still be recorded. */
const IS_FREE = 'd.claimed_until <= statement_timestamp()';

/** Lanes of standing endpoints `e` in a state, found by the index on endpoints that are not active. */
const stopped = (condition: string): string => `webhook_endpoints e
        WHERE e.status <> 'active' AND NOT e.is_ended AND ${condition}`;

/**
 * Parks at most $1 due deliveries of endpoints that are not active. A retry that is not due yet stays: after a short pause it
 * must not be early. Deliveries that a transaction wrote for an active endpoint, and committed later, are found as well.
 */
export const PARK_DUE: Statement = {
  name: 'webhooks.park_due',
  text: `WITH due AS MATERIALIZED (
      SELECT found.row FROM (SELECT e.id FROM ${stopped(`e.status <> 'deleted'`)}) e
      JOIN webhook_lanes l ON l.endpoint_id = e.id
      CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM pending_deliveries d
        WHERE (d.lane_id, d.due_at) >= (l.id, '-infinity'::timestamptz) AND (d.lane_id, d.due_at) <= (l.id, statement_timestamp())
          AND ${IS_FREE}
        ORDER BY d.lane_id, d.due_at, d.id LIMIT $1 FOR UPDATE SKIP LOCKED) found
      LIMIT $1
    ), parked AS (
      UPDATE pending_deliveries SET ${PARKED} WHERE ctid = ANY (ARRAY(SELECT row FROM due)) RETURNING 1
    )
    SELECT count(*)::int AS rows FROM parked`,
};

export interface ReleasedRow {
  rows: number;
  lane_ids: number[];
}

/**
 * Makes parked deliveries of active endpoints due, oldest first, at most $1 in all: of each lane a portion, and only until
 * `MAX_DUE` of it are due. The limit of the lane then paces the receiver.
 * - Lanes are found by skipping from one to the next in the index of parked deliveries, so without one this costs nothing.
 * - A due change whose payment has an earlier parked one cannot be claimed. It is parked as well: claims would read it
 *   each time, and it would count as due.
 */
export const RELEASE_PARKED: Statement = {
  name: 'webhooks.release_parked',
  text: `WITH RECURSIVE lanes AS (
      (SELECT lane_id FROM pending_deliveries WHERE ${PARKED} ORDER BY lane_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.lane_id FROM pending_deliveries d WHERE d.${PARKED} AND d.lane_id > lanes.lane_id ORDER BY d.lane_id LIMIT 1)
      FROM lanes WHERE lanes.lane_id IS NOT NULL
    ), active AS MATERIALIZED (
      SELECT lanes.lane_id FROM lanes JOIN webhook_lanes l ON l.id = lanes.lane_id
      JOIN webhook_endpoints e ON e.id = l.endpoint_id AND e.status = 'active'
    ), due AS MATERIALIZED (
      SELECT a.lane_id, d.row, d.attempts = 0 AND EXISTS (SELECT FROM pending_deliveries p
          WHERE p.payment_id = d.payment_id AND p.endpoint_id = d.endpoint_id AND p.id < d.id AND p.${PARKED}
            AND p.attempts = 0) AS is_behind
      FROM active a CROSS JOIN LATERAL (
        SELECT d.ctid AS row, d.id, d.payment_id, d.endpoint_id, d.attempts FROM pending_deliveries d
        WHERE (d.lane_id, d.due_at) >= (a.lane_id, '-infinity'::timestamptz)
          AND (d.lane_id, d.due_at) <= (a.lane_id, statement_timestamp())
        ORDER BY d.lane_id, d.due_at, d.id LIMIT ${MAX_DUE}) d
    ), behind AS MATERIALIZED (
      SELECT d.ctid AS row FROM pending_deliveries d
      WHERE d.ctid = ANY (ARRAY(SELECT row FROM due WHERE is_behind)) AND ${IS_FREE} AND d.attempts = 0 FOR UPDATE SKIP LOCKED
    ), oldest AS MATERIALIZED (
      SELECT d.row FROM active a CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM pending_deliveries d WHERE d.lane_id = a.lane_id AND d.${PARKED} ORDER BY d.lane_id, d.id
        LIMIT least(${PORTION}, ${MAX_DUE} - (SELECT count(*) FROM due WHERE due.lane_id = a.lane_id AND NOT due.is_behind))
        FOR UPDATE SKIP LOCKED) d
      LIMIT $1
    ), parked AS (
      UPDATE pending_deliveries SET ${PARKED} WHERE ctid = ANY (ARRAY(SELECT row FROM behind))
    ), released AS (
      UPDATE pending_deliveries SET due_at = date_trunc('milliseconds', statement_timestamp())
      WHERE ctid = ANY (ARRAY(SELECT row FROM oldest)) RETURNING lane_id
    )
    SELECT count(*)::int AS rows, coalesce(array_agg(DISTINCT lane_id), '{}') AS lane_ids FROM released`,
};

/**
 * Returns CTEs that end pending deliveries as failed without an attempt: those of the CTE `chosen` (`row`), which has locked
 * them. They cause no event, because the merchant or the operator decided it.
 */
const ending = (reason: EndReason): string => `gone AS (
      DELETE FROM pending_deliveries WHERE ctid = ANY (ARRAY(SELECT row FROM chosen)) RETURNING *
    ), ended AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, endpoint_id, body_id, status, attempts, attempts_in_run, next_attempt_at, claimed_until,
        last_status_code, last_error, created_at, last_attempt_at)
      SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
        endpoint_id, body_id, 'failed', attempts, attempts_in_run, NULL, NULL, NULL, '${reason}', created_at, last_attempt_at
      FROM gone
    )`;

/** Ends at most $1 pending deliveries of deleted endpoints. An attempt in flight ends first. */
export const END_OF_DELETED: Statement = {
  name: 'webhooks.end_of_deleted_endpoints',
  text: `WITH chosen AS MATERIALIZED (
      SELECT found.row FROM (SELECT e.id FROM ${stopped(`e.status = 'deleted'`)}) e
      CROSS JOIN LATERAL (
        SELECT d.ctid AS row FROM pending_deliveries d WHERE d.endpoint_id = e.id AND d.endpoint_id <> 0 AND ${IS_FREE}
        ORDER BY d.endpoint_id, d.id LIMIT $1 FOR UPDATE SKIP LOCKED) found
      LIMIT $1
    ), ${ending('endpoint_deleted')}
    SELECT count(*)::int AS rows FROM gone`,
};

/**
 * Marks endpoints that were deleted more than $1 ms ago and have no pending delivery, so that they are not read again. Removes
 * the marks of their failures and their redelivery jobs. No transaction takes that long, and none sees the endpoint later.
 */
export const CLOSE_DELETED: Statement = {
  name: 'webhooks.close_deleted_endpoints',
  text: `WITH closed AS (
      UPDATE webhook_endpoints SET is_ended = true WHERE id = ANY (ARRAY(
        SELECT e.id FROM ${stopped(`e.status = 'deleted' AND e.status_changed_at < statement_timestamp() - $1 * interval '1 ms'
          AND NOT EXISTS (SELECT FROM pending_deliveries d WHERE d.endpoint_id = e.id AND d.endpoint_id <> 0)`)}))
      RETURNING id
    ), jobs AS (
      DELETE FROM webhook_redeliveries WHERE lane_id = ANY (ARRAY(SELECT id FROM closed))
    )
    DELETE FROM failing_endpoints WHERE endpoint_id = ANY (ARRAY(SELECT id FROM closed))`,
};

/** Ends at most $2 parked deliveries whose last attempt, or creation, was before $1. Reads the oldest $2 of each lane. */
export const END_EXPIRED: Statement = {
  name: 'webhooks.end_expired_parked',
  text: `WITH RECURSIVE lanes AS (
      (SELECT lane_id FROM pending_deliveries WHERE ${PARKED} ORDER BY lane_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.lane_id FROM pending_deliveries d WHERE d.${PARKED} AND d.lane_id > lanes.lane_id ORDER BY d.lane_id LIMIT 1)
      FROM lanes WHERE lanes.lane_id IS NOT NULL
    ), old AS MATERIALIZED (
      SELECT d.id FROM lanes CROSS JOIN LATERAL (
        SELECT d.id, coalesce(d.last_attempt_at, d.created_at) AS at FROM pending_deliveries d
        WHERE d.lane_id = lanes.lane_id AND d.${PARKED} ORDER BY d.lane_id, d.id LIMIT $2) d
      WHERE d.at < $1::timestamptz LIMIT $2
    ), chosen AS MATERIALIZED (
      SELECT d.ctid AS row FROM pending_deliveries d WHERE d.id = ANY (ARRAY(SELECT id FROM old)) AND d.${PARKED}
        AND ${IS_FREE} ORDER BY d.id FOR UPDATE SKIP LOCKED
    ), ${ending('parked_too_long')}
    SELECT count(*)::int AS rows FROM gone`,
};

/** Ends the parked deliveries of the payments $1. */
export const END_PARKED_OF_PAYMENTS: Statement = {
  name: 'webhooks.end_parked_of_payments',
  text: `WITH chosen AS MATERIALIZED (
      SELECT d.ctid AS row FROM pending_deliveries d WHERE d.payment_id = ANY ($1::bigint[]) AND d.${PARKED} AND ${IS_FREE}
      ORDER BY d.id FOR UPDATE SKIP LOCKED
    ), ${ending('customer_erased')}
    SELECT count(*)::int AS rows FROM gone`,
};
