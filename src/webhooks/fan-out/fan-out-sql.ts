import { everyRow } from '../../platform/database/session-settings.js';
import { isoTime } from '../../platform/database/iso-time.js';

// SQL that features include in their statements, so that an event and its deliveries commit with their cause.

/** The current day in UTC, by the clock of the database. */
export const UTC_DAY = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

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

/** Same value as `idOf` of event-log.service.ts. Written out: a function's call costs more than the rest of a body. */
export const eventIdOf = (id: string): string =>
  `'evt_' || left(encode(sha256(convert_to((SELECT installation FROM event_log WHERE ${everyRow('event_log')}) || ':' || ${id}, 'UTF8')), 'hex'), 32)`;

const CHANGE = `r.position, r.merchant_id, r.shop_id, r.payment_id, r.event, r.payment_status, r.request_body, r.traceparent`;

/** Deliveries to the addresses of payments. */
const toAddresses = (relation: string): string =>
  `SELECT 0::bigint AS endpoint_id, r.lane_id, r.webhook_endpoint, true AS is_active, ${CHANGE}
      FROM ${relation} r WHERE r.webhook_endpoint IS NOT NULL`;

/** Deliveries to the standing endpoints that chose the event and the shop. */
const toEndpoints = (relation: string, further = ''): string =>
  `SELECT e.id AS endpoint_id, e.lane_id, e.url AS webhook_endpoint, e.status = 'active' AS is_active, ${CHANGE}
      FROM ${relation} r JOIN webhook_endpoints e ON e.merchant_id = r.merchant_id AND e.status <> 'deleted'
        AND r.event = ANY (e.event_types) AND (e.shop_ids IS NULL OR r.shop_id = ANY (e.shop_ids))${further}`;

const insertDeliveries = (targets: string): string =>
  `targets AS (
      ${targets}
    ), new_deliveries AS MATERIALIZED (
      SELECT n.*, min(n.id) OVER (PARTITION BY n.position) AS body_id, ${UTC_DAY} AS body_day,
        date_trunc('milliseconds', statement_timestamp()) AS created_at
      FROM (
        SELECT t.*, nextval('webhook_deliveries_id_seq') AS id
        FROM (SELECT * FROM targets ORDER BY position, endpoint_id) t
      ) n
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
  insertDeliveries(`${toAddresses(relation)}
      UNION ALL
      ${toEndpoints(relation)}`);

/** The body of the webhook of an event `r`. */
const BODY = `'{"event":' || to_json(r.type) || ',"timestamp":"' || ${isoTime('r.created_at')} || '","id":"' || ${eventIdOf('r.id')}
          || '","shop_id":' || coalesce(r.shop_id::text, 'null') || ',"payment_id":' || coalesce(r.payment_id::text, 'null')
          || ',"data":' || r.data || '}'`;

/**
 * The failure of an endpoint is not sent to itself, and the failed delivery of a `delivery.failed` is not sent: two broken
 * endpoints would report each other's failures for ever. Only data of these types is read, because PostgreSQL cannot read
 * every text that a provider may send.
 */
const REPORTS_NO_REPORT = `
        AND CASE WHEN r.event = 'delivery.failed' OR r.event LIKE 'endpoint.%' THEN
          (r.data ->> 'event') IS DISTINCT FROM 'delivery.failed' AND (r.data ->> 'endpoint_id') IS DISTINCT FROM e.id::text
          ELSE true END`;

/**
 * Returns CTEs that insert events, and their deliveries to standing endpoints. `select` has the position, the merchant, the
 * `subject`, type and data (JSON) of each. `new_events` has the events. A statement inserts all its events together.
 */
export const insertEvents = (subject: ('shop_id' | 'payment_id')[], select: string): string =>
  `new_events AS (
      INSERT INTO webhook_events (${['event_position', 'merchant_id', ...subject, 'type', 'data'].join(', ')}, is_fanned_out)
      SELECT *, true FROM (
        ${select}
      ) event
      RETURNING id, merchant_id, shop_id, payment_id, type, data, created_at
    ), changes_of_events AS NOT MATERIALIZED (
      SELECT r.id AS position, r.merchant_id, r.shop_id, r.payment_id, r.type AS event, NULL AS payment_status,
        ${BODY} AS request_body, NULL AS traceparent, r.data
      FROM new_events r
    ), ${insertDeliveries(toEndpoints('changes_of_events', REPORTS_NO_REPORT))}`;
