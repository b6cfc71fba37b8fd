import { everyRow } from '../../platform/database/session-settings.js';
import { BODY_START } from './webhook-body.js';

// SQL that other features include in their statements, so that writes that must commit together are one statement.

/** The current day in UTC, by the clock of the database. */
export const UTC_DAY = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

/** Same value as `event_id()`, whose call costs more than the rest of a body. */
const eventIdOf = (id: string): string =>
  `'evt_' || left(encode(sha256(convert_to((SELECT installation FROM event_log WHERE ${everyRow('event_log')}) || ':' || ${id}, 'UTF8')), 'hex'), 32)`;

/**
 * SQL: the body of a change of status with the public id of its event. `rest`: what follows `BODY_START`. PostgreSQL would
 * count the characters of the whole body to cut its start off.
 */
export const withEventIdOf = (id: string, rest: string): string =>
  `'${BODY_START}"id":"' || ${eventIdOf(id)} || '",' || ${rest}`;

const CHANGE = `r.position, r.merchant_id, r.shop_id, r.payment_id, r.event, r.payment_status, r.request_body, r.traceparent`;

/**
 * Returns CTEs that insert the deliveries of changes, and one body per change, from a CTE with `merchant_id, shop_id,
 * lane_id, payment_id, event, payment_status, webhook_endpoint` (`NULL`: the payment has none), `request_body`,
 * `traceparent` and `position`. A change is delivered to its payment's address and to each standing endpoint that chose
 * the event and the shop. A delivery to a paused or disabled endpoint is due when the endpoint is resumed.
 * Ids are assigned in the order of `position`. If the caller locks the payments first, the ids of a payment are in the
 * order of its changes. Times are rounded down to milliseconds: rounded up, a delivery might not be due when its wake-up
 * arrives. `new_deliveries` has the deliveries with their `lane_id`.
 */
export const insertDeliveriesFrom = (relation: string): string =>
  `targets AS (
      SELECT 0::bigint AS endpoint_id, r.lane_id, r.webhook_endpoint, true AS is_active, ${CHANGE}
      FROM ${relation} r WHERE r.webhook_endpoint IS NOT NULL
      UNION ALL
      SELECT e.id, e.lane_id, e.url, e.status = 'active', ${CHANGE}
      FROM ${relation} r JOIN webhook_endpoints e ON e.merchant_id = r.merchant_id AND e.status <> 'deleted'
        AND r.event = ANY (e.event_types) AND (e.shop_ids IS NULL OR r.shop_id = ANY (e.shop_ids))
    ), numbered AS MATERIALIZED (
      SELECT t.*, nextval('webhook_deliveries_id_seq') AS id
      FROM (SELECT * FROM targets ORDER BY position, endpoint_id) t
    ), new_deliveries AS MATERIALIZED (
      SELECT n.*, first_value(n.id) OVER (PARTITION BY n.position ORDER BY n.id) AS body_id, ${UTC_DAY} AS body_day,
        date_trunc('milliseconds', statement_timestamp()) AS created_at
      FROM numbered n
    ), bodies_inserted AS (
      INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
      SELECT body_day, id, request_body, traceparent FROM new_deliveries WHERE id = body_id
    ), deliveries_inserted AS (
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day,
        body_bytes, event, payment_status, webhook_endpoint, endpoint_id, body_id)
      SELECT id, CASE WHEN is_active THEN created_at ELSE 'infinity' END, lane_id, payment_id, merchant_id, shop_id,
        created_at, body_day, octet_length(request_body), event, payment_status, webhook_endpoint, endpoint_id,
        nullif(body_id, id)
      FROM new_deliveries
    )`;

/** Same value as in `current_event_position()` and in `HORIZON` of events.queries.ts. */
const XID_BITS = 44;

/**
 * Position of this transaction's rows in the order of events, computed once per statement (docs/decisions/033-events.md).
 * If an epoch exists, the expression computes the result of `current_event_position()` itself, because a call costs several
 * times as much. Otherwise it calls the function.
 */
export const EVENT_POSITION = `(SELECT coalesce((SELECT epoch << ${XID_BITS} FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position()))`;

/**
 * A sharded counter: each connection counts a shop's payments in its own row, identified by the hour since 1970 and the
 * server process. No two connections write the same row, so counting never waits. The hour lets a job compact the rows of
 * past hours.
 */
const HOUR = 'extract(epoch FROM now())::bigint / 3600';
const SLOT_BITS = 22; // PID_MAX_LIMIT of Linux
export const CONNECTION_SLOT = `((${HOUR}) << ${SLOT_BITS}) + pg_backend_pid()`;
/** No transaction writes slots below this one, because none takes an hour. */
export const FIRST_OPEN_SLOT = `((${HOUR} - 1) << ${SLOT_BITS})`;

/** Returns a statement that counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`; `isOne`: of one row. */
export const countPaymentsFrom = (relation: string, isOne = false): string =>
  `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ${CONNECTION_SLOT}, ${isOne ? '1, num_nonnulls(webhook_endpoint)' : 'count(*), count(webhook_endpoint)'}
    FROM ${relation} ${isOne ? '' : 'GROUP BY shop_id'}
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`;
