import type { QueryRunner } from 'typeorm';
import { createOnline } from './online.js';
import { Step } from './step.js';

/**
 * Statements that insert events also insert their deliveries (`insertEvents`), and mark them. The trigger delivers the events
 * of processes of the version before, which are not marked; of one statement all events are, or none.
 */
export class FannedOutEvents1764010900025 extends Step {
  readonly name = 'FannedOutEvents1764010900025';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createOnline(queryRunner, PUSH_EVENTS);
  }
}

/** Formats a time like JavaScript. */
const iso = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The exclusions are those of `insertEvents`. Changes of a payment's status are not in `webhook_events`. */
const PUSH_EVENTS = `CREATE FUNCTION push_webhook_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF NOT EXISTS (SELECT FROM added WHERE NOT is_fanned_out) THEN RETURN NULL; END IF;
    WITH targets AS MATERIALIZED (
      SELECT a.*, e.id AS endpoint_id, e.lane_id, e.url, e.status AS endpoint_status
      FROM added a CROSS JOIN LATERAL (
        SELECT e.* FROM webhook_endpoints e
        WHERE e.merchant_id = a.merchant_id AND e.status <> 'deleted' AND a.type = ANY (e.event_types)
          AND (e.shop_ids IS NULL OR a.shop_id = ANY (e.shop_ids)) OFFSET 0) e
      WHERE CASE WHEN a.type = 'delivery.failed' OR a.type LIKE 'endpoint.%' THEN
        (a.data ->> 'event') IS DISTINCT FROM 'delivery.failed' AND (a.data ->> 'endpoint_id') IS DISTINCT FROM e.id::text
        ELSE true END
    ), numbered AS MATERIALIZED (
      SELECT n.*, nextval('webhook_deliveries_id_seq') AS delivery_id
      FROM (SELECT * FROM targets ORDER BY id, endpoint_id) n
    ), rendered AS MATERIALIZED (
      SELECT n.*, min(n.delivery_id) OVER (PARTITION BY n.id) AS body_id,
        '{"event":' || to_json(n.type) || ',"timestamp":' || to_json(${iso('n.created_at')})
          || ',"id":"evt_' || left(encode(sha256(convert_to(l.installation || ':' || n.id, 'UTF8')), 'hex'), 32)
          || '","shop_id":' || coalesce(n.shop_id::text, 'null') || ',"payment_id":' || coalesce(n.payment_id::text, 'null')
          || ',"data":' || n.data || '}' AS body
      FROM numbered n CROSS JOIN event_log l
    ), bodies AS (
      INSERT INTO webhook_bodies (day, delivery_id, body)
      SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date, delivery_id, body FROM rendered WHERE delivery_id = body_id
    )
    INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
      event, webhook_endpoint, endpoint_id, body_id)
    SELECT delivery_id,
      CASE WHEN endpoint_status = 'active' THEN date_trunc('milliseconds', statement_timestamp()) ELSE 'infinity' END,
      lane_id, payment_id, merchant_id, shop_id, date_trunc('milliseconds', statement_timestamp()),
      (statement_timestamp() AT TIME ZONE 'UTC')::date, octet_length(body), type, url, endpoint_id,
      nullif(body_id, delivery_id)
    FROM rendered;
    RETURN NULL;
  END $$`;
