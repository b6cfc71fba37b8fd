// What other features put into a statement of their own, so that what must commit together is one statement.

/** Days are those of UTC, by the clock of the database. */
export const UTC_DAY = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

/**
 * Three CTEs that insert deliveries, bodies beside them, from a relation with `merchant_id, shop_id, lane_id, payment_id,
 * event, payment_status, webhook_endpoint, request_body` and their `position`, in whose order the ids grow. Whoever locks
 * the payments first makes ids grow in the order of the changes. `traceparent`: SQL over a row `n` of the relation, for the
 * trace that the delivery belongs to. Whole milliseconds, rounded down: rounded up, a delivery would not be due yet when
 * its wake-up comes.
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

/** As in `current_event_position()` and `HORIZON` of events.queries.ts. */
const XID_BITS = 44;

/**
 * Where what this transaction writes lies in the order of events, for the position of a row: once per statement, whatever
 * the number of its rows (docs/decisions/033-events.md). The function is called where its epoch is yet to begin; what it
 * says otherwise is read off here, as calling it costs several times as much.
 */
export const EVENT_POSITION = `(SELECT coalesce((SELECT epoch << ${XID_BITS} FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time()) + pg_current_xact_id()::text::bigint,
        current_event_position()))`;

/**
 * The row that this connection counts a shop's payments on: its hour since 1970 and its server process. No two connections
 * write the same row, so counting waits for nobody. By the hour, so that the rows of one gone by can be put together.
 */
const HOUR = 'extract(epoch FROM now())::bigint / 3600';
const SLOT_BITS = 22; // PID_MAX_LIMIT of Linux
export const OWN_SLOT = `((${HOUR}) << ${SLOT_BITS}) + pg_backend_pid()`;
/** Nobody counts on slots below any more: no transaction takes an hour. */
export const FIRST_OPEN_SLOT = `((${HOUR} - 1) << ${SLOT_BITS})`;

/** Counts new payments for their shops, from a relation with `shop_id, webhook_endpoint`. */
export const countPaymentsFrom = (relation: string): string =>
  `INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
    SELECT shop_id, ${OWN_SLOT}, count(*), count(webhook_endpoint) FROM ${relation} GROUP BY shop_id
    ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
      payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks`;
