// SQL that other features include in their statements, so that writes that must commit together are one statement.

/** The current day in UTC, by the clock of the database. */
export const UTC_DAY = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

/**
 * Returns three CTEs that insert deliveries and their bodies from a relation with `merchant_id, shop_id, lane_id,
 * payment_id, event, payment_status, webhook_endpoint, request_body` and `position`. Ids are assigned in the order of
 * `position`. If the caller locks the payments first, the ids of a payment are in the order of its changes.
 * `traceparent`: SQL expression over a row `n` of the relation, for the trace of the delivery. Times are rounded down to
 * milliseconds: rounded up, a delivery might not be due when its wake-up arrives.
 */
export const insertDeliveriesFrom = (relation: string, traceparent = 'NULL::text'): string =>
  `new_deliveries AS MATERIALIZED (
      SELECT nextval('webhook_deliveries_id_seq') AS id, ${UTC_DAY} AS body_day, n.merchant_id, n.shop_id, n.lane_id,
        n.payment_id, n.event, n.payment_status, n.webhook_endpoint, n.request_body, ${traceparent} AS traceparent,
        date_trunc('milliseconds', statement_timestamp()) AS created_at
      FROM (SELECT * FROM ${relation} r ORDER BY r.position) n
    ), bodies_inserted AS (
      INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
      SELECT body_day, id, request_body, traceparent FROM new_deliveries
    ), deliveries_inserted AS (
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day,
        body_bytes, event, payment_status, webhook_endpoint)
      SELECT id, created_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, octet_length(request_body),
        event, payment_status, webhook_endpoint FROM new_deliveries
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

/** Returns a statement that counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`. */
export const countPaymentsFrom = (relation: string): string =>
  `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ${CONNECTION_SLOT}, count(*), count(webhook_endpoint) FROM ${relation} GROUP BY shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`;
