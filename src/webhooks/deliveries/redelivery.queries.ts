import type { Statement } from '../../platform/database/database.js';
import { UTC_DAY } from '../outbox/outbox-sql.js';
import { type DeliveryRow, PENDING } from './delivery-views.queries.js';

/**
 * CTEs that put deliveries which have ended back into the queue for a fresh run of the schedule: those of the CTE `chosen`
 * (`id`) that `condition` holds for, and whose body is there; in the lane `lane`, to `endpoint`. `attempts` goes on counting: it numbers the attempts, and
 * fences late results off. The body goes to the partition of today, so that it stays for as long as the header of its
 * last run. Ends with `again`, what is pending now.
 * Locked first, in the order of the ids: of two at once, or beside an erasure, one finds the header as the other left it.
 */
export const redelivering = (condition: string, lane = 'lane_id', endpoint = 'webhook_endpoint'): string =>
  `locked AS MATERIALIZED (
      SELECT d.* FROM webhook_deliveries d
      WHERE d.id = ANY (ARRAY(SELECT id FROM chosen)) AND d.status <> 'pending'
        AND coalesce(d.body_bytes, octet_length(d.request_body)) > 0 AND ${condition}
      ORDER BY d.id FOR UPDATE
    ), sendable AS MATERIALIZED (
      SELECT l.*, coalesce(l.request_body, b.body) AS body, b.traceparent FROM locked l LEFT JOIN LATERAL (
        SELECT b.body, b.traceparent FROM webhook_bodies b WHERE b.day = l.body_day AND b.delivery_id = l.id OFFSET 0) b ON true
      WHERE coalesce(l.request_body, b.body) <> ''
    ), taken AS (
      DELETE FROM webhook_deliveries WHERE id = ANY (ARRAY(SELECT id FROM sendable))
    ), body_taken AS (
      DELETE FROM webhook_bodies b USING sendable s
      WHERE b.delivery_id = ANY (ARRAY(SELECT id FROM sendable)) AND b.delivery_id = s.id AND b.day = s.body_day
        AND s.body_day <> ${UTC_DAY}
    ), body_moved AS (
      INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
      SELECT ${UTC_DAY}, id, body, traceparent FROM sendable WHERE body_day IS DISTINCT FROM ${UTC_DAY}
    ), again AS (
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, last_attempt_at,
        attempts, body_day, body_bytes, last_status_code, event, payment_status, webhook_endpoint, last_error)
      SELECT id, date_trunc('milliseconds', statement_timestamp()), ${lane}, payment_id, merchant_id, shop_id, created_at,
        last_attempt_at, attempts, ${UTC_DAY}, octet_length(body), last_status_code, event, payment_status,
        ${endpoint}, last_error
      FROM sendable ORDER BY id
      RETURNING *
    )`;

export type RetriedRow = DeliveryRow & {
  lane_id: number;
  /** Something is other than it was. */
  is_changed: boolean;
};

/** $1 delivery, $2 merchant. */
export const FIND_SHOP_OF: Statement = {
  name: 'webhooks.find_shop_of',
  text: 'SELECT shop_id FROM all_deliveries WHERE id = $1 AND merchant_id = $2',
};

/** `null`: stays as it is. */
const [OTHER_LANE, OTHER_ENDPOINT] = ['coalesce($3::bigint, lane_id)', 'coalesce($4::text, webhook_endpoint)'];

/**
 * $1 delivery, $2 merchant, $3 lane, $4 address, both `null` for those it has. No row when there is none, it is pending or
 * its body is erased.
 */
export const RETRY_ENDED: Statement = {
  name: 'webhooks.retry_ended',
  text: `WITH chosen AS (SELECT $1::bigint AS id), ${redelivering('d.merchant_id = $2', OTHER_LANE, OTHER_ENDPOINT)}
    SELECT ${PENDING}, lane_id, true AS is_changed FROM again`,
};

/**
 * As RETRY_ENDED, for one that is pending: a fresh run of the schedule begins now, or when it was due, if that is earlier. No
 * row while an attempt is under way: whoever claims it at this moment has locked the row, and this statement then finds
 * his lease. What a dead worker may still record of an attempt to the old address finds another lease.
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
