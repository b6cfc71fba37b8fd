import type { Statement } from '../../platform/database/database.js';
import { UTC_DAY } from '../fan-out/fan-out-sql.js';
import { type DeliveryRow, PENDING } from './delivery-views.queries.js';

/**
 * Returns CTEs that put finished deliveries back into the queue for a new run of the schedule, in the lane `lane`, to
 * `endpoint`: the deliveries of the CTE `chosen` (`id`) that fulfil `condition` and have a body. The last CTE, `again`,
 * contains the new pending deliveries.
 * - `attempts` continues to count: it numbers the attempts and is part of the fence against late results.
 * - The body is copied to the partition of today, so that it is kept as long as the header. The old one may be shared with
 *   deliveries to other endpoints.
 * - Rows are locked first, in the order of their ids. So of two concurrent runs, or a run and an erasure, the second one
 *   sees the header as the first one left it.
 */
export const redelivering = (condition: string, lane = 'lane_id', endpoint = 'webhook_endpoint'): string =>
  `locked AS MATERIALIZED (
      SELECT d.* FROM webhook_deliveries d
      WHERE d.id = ANY (ARRAY(SELECT id FROM chosen)) AND d.status <> 'pending'
        AND coalesce(d.body_bytes, octet_length(d.request_body)) > 0 AND ${condition}
        AND NOT EXISTS (SELECT FROM webhook_endpoints e WHERE e.id = d.endpoint_id AND e.status = 'deleted')
      ORDER BY d.id FOR UPDATE
    ), sendable AS MATERIALIZED (
      SELECT l.*, coalesce(l.request_body, b.body) AS body, b.traceparent FROM locked l LEFT JOIN LATERAL (
        SELECT b.body, b.traceparent FROM webhook_bodies b
        WHERE b.day = l.body_day AND b.delivery_id = coalesce(l.body_id, l.id) OFFSET 0) b ON true
      WHERE coalesce(l.request_body, b.body) <> ''
    ), taken AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM sendable))
    ), body_copied AS (
      INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
      SELECT ${UTC_DAY}, id, body, traceparent FROM sendable WHERE body_day IS DISTINCT FROM ${UTC_DAY}
      ON CONFLICT DO NOTHING
    ), again AS (
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, last_attempt_at,
        attempts, body_day, body_bytes, last_status_code, event, payment_status, webhook_endpoint, last_error,
        endpoint_id, body_id)
      SELECT id, date_trunc('milliseconds', statement_timestamp()), ${lane}, payment_id, merchant_id, shop_id, created_at,
        last_attempt_at, attempts, ${UTC_DAY}, octet_length(body), last_status_code, event, payment_status,
        ${endpoint}, last_error, endpoint_id, CASE body_day WHEN ${UTC_DAY} THEN body_id END
      FROM sendable ORDER BY id
      RETURNING *
    )`;

export type RetriedRow = DeliveryRow & {
  lane_id: number;
  /** Whether the retry changed the delivery. */
  is_changed: boolean;
};

/** The shop of the delivery $1 of the merchant $2, and whether it is to a standing endpoint. */
export const FIND_SHOP_OF: Statement = {
  name: 'webhooks.find_shop_of',
  text: 'SELECT shop_id, endpoint_id <> 0 AS is_standing FROM all_deliveries WHERE id = $1 AND merchant_id = $2',
};

/** `null` keeps the present value. */
const [OTHER_LANE, OTHER_ENDPOINT] = ['coalesce($3::bigint, lane_id)', 'coalesce($4::text, webhook_endpoint)'];

/**
 * Retries a finished delivery: $1 delivery, $2 merchant, $3 lane, $4 address; `null` keeps the present lane or address.
 * Returns no row if there is no such delivery, it is pending, or its body is erased.
 */
export const RETRY_ENDED: Statement = {
  name: 'webhooks.retry_ended',
  text: `WITH chosen AS (SELECT $1::bigint AS id), ${redelivering('d.merchant_id = $2', OTHER_LANE, OTHER_ENDPOINT)}
    SELECT ${PENDING}, lane_id, true AS is_changed FROM again`,
};

/**
 * Retries a pending delivery, with the parameters of RETRY_ENDED. A new run of the schedule starts now, or at the due time
 * if that is earlier. Returns no row during an attempt: a concurrent claim has locked the row, and this statement then
 * sees its lease. A late result from the old address does not match the new lease.
 */
export const RETRY_PENDING: Statement = {
  name: 'webhooks.retry_pending',
  text: `WITH before AS MATERIALIZED (
      SELECT id, due_at, attempts_in_run, webhook_endpoint FROM pending_deliveries
      WHERE id = $1 AND merchant_id = $2 AND claimed_until <= statement_timestamp() FOR UPDATE
    ), after AS (
      UPDATE pending_deliveries SET due_at = least(due_at, date_trunc('milliseconds', statement_timestamp())),
        claimed_until = '-infinity', attempts_in_run = 0, lane_id = ${OTHER_LANE}, webhook_endpoint = ${OTHER_ENDPOINT}
      WHERE id = (SELECT id FROM before)
      RETURNING ${PENDING}, lane_id
    )
    SELECT after.*, b.due_at > statement_timestamp() OR b.attempts_in_run > 0
      OR b.webhook_endpoint <> after.webhook_endpoint AS is_changed
    FROM after CROSS JOIN before b`,
};
