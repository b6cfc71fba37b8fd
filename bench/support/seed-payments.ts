// A merchant's past, written by SQL: payments with their history, deliveries and attempts.
import { insertDeliveriesFrom } from '../../src/webhooks/outbox/outbox-sql.js';
import type { BenchDatabase } from './database.js';
import { SAMPLE_PAYMENT_ID, webhookBody } from './webhook-sample.js';

const AT_ONCE = 50_000;
const HOT_TABLES =
  'payments, payment_status_changes, pending_deliveries, webhook_deliveries, webhook_attempts, webhook_shop_counters, webhook_lanes';

export interface Past {
  merchantId: number;
  flowId: number;
  shopIds: number[];
  laneIds: number[];
}

/**
 * `count` completed payments dealt out to the shops of the only flow. Every second one has a webhook endpoint, and so two
 * deliveries: delivered at the first attempt, but for one in a hundred that waits for its retry.
 */
export async function seedPast(database: BenchDatabase, count: number): Promise<Past> {
  const past = await lanesOfShops(database);
  await database.run('SET synchronous_commit = off');
  for (let from = 0; from < count; from += AT_ONCE) {
    await seedPayments(database, past, from, Math.min(AT_ONCE, count - from));
  }
  await database.run(
    `INSERT INTO webhook_shop_counters (shop_id, slot, payments, payments_with_webhooks)
     SELECT shop_id, 0, count(*), count(webhook_endpoint) FROM payments GROUP BY shop_id`,
    `VACUUM (ANALYZE) ${HOT_TABLES}`,
    'SET synchronous_commit = on',
    'CHECKPOINT',
  );
  return past;
}

async function lanesOfShops(database: BenchDatabase): Promise<Past> {
  const shops = await database.query<{ id: number; merchant_id: number }>(
    'SELECT id, merchant_id FROM shops ORDER BY id',
  );
  const shopIds = shops.map(({ id }) => id);
  const lanes = await database.query<{ id: number }>(
    `INSERT INTO webhook_lanes (shop_id, origin) SELECT s, 'http://127.0.0.1:9' FROM unnest($1::bigint[]) s RETURNING id`,
    [shopIds],
  );
  const [flow] = await database.query<{ id: number }>('SELECT id FROM flows');
  return { merchantId: shops[0]!.merchant_id, flowId: flow!.id, shopIds, laneIds: lanes.map(({ id }) => id) };
}

async function seedPayments(database: BenchDatabase, past: Past, from: number, count: number): Promise<void> {
  const { merchantId, flowId, shopIds, laneIds } = past;
  await database.query(
    `WITH paid AS (
      INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, provider_transaction_id,
        payment_provider, amount, currency, country, status, webhook_endpoint, webhook_lane_id, metadata, created_at,
        updated_at, expires_at)
      SELECT $1, ($3::bigint[])[1 + n % $5], $2, 1, 'ps_' || n, 'sbx_' || n, 'sandbox', 49.9, 'EUR', 'DE', 'completed',
        CASE WHEN n % 2 = 0 THEN 'http://127.0.0.1:9/hooks' END, CASE WHEN n % 2 = 0 THEN ($4::bigint[])[1 + n % $5] END,
        '{"order_id":"A-1001"}', now() - interval '1 day', now() - interval '1 day', now() - interval '23 hours'
      FROM generate_series($6::int, $6::int + $7::int - 1) AS n
      RETURNING id, shop_id, webhook_lane_id, webhook_endpoint),
    steps AS (
      SELECT p.*, s.* FROM paid p
      CROSS JOIN (VALUES ('pending', 'processing'), ('processing', 'completed')) AS s (from_status, to_status)),
    changes AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at)
      SELECT id, from_status, to_status, 'provider_answer', now() - interval '1 day' FROM steps),
    sent AS MATERIALIZED (
      SELECT nextval('webhook_deliveries_id_seq') AS delivery_id, now()::date AS day,
        replace($8, '${SAMPLE_PAYMENT_ID}', id::text) AS body, id % 100 = 0 AS waits, s.*
      FROM steps s WHERE webhook_endpoint IS NOT NULL),
    bodies AS (INSERT INTO webhook_bodies SELECT day, delivery_id, body FROM sent),
    waiting AS (
      INSERT INTO pending_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status,
        webhook_endpoint, body_day, body_bytes, attempts, attempts_in_run, due_at, last_status_code, created_at,
        last_attempt_at)
      SELECT delivery_id, $1, shop_id, webhook_lane_id, id, 'payment.status_changed', to_status, webhook_endpoint, day,
        octet_length(body), 1, 1, now() + interval '1 hour', 500, now(), now()
      FROM sent WHERE waits),
    delivered AS (
      INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, status, attempts, attempts_in_run, next_attempt_at, claimed_until, last_status_code,
        last_attempt_at, delivered_at)
      SELECT delivery_id, $1, shop_id, webhook_lane_id, id, 'payment.status_changed', to_status, webhook_endpoint, day,
        octet_length(body), 'delivered', 1, 1, NULL, NULL, 200, now(), now()
      FROM sent WHERE NOT waits)
    INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, status_code)
    SELECT delivery_id, 1, now(), 5, CASE WHEN waits THEN 500 ELSE 200 END FROM sent`,
    [merchantId, flowId, shopIds, laneIds, shopIds.length, from, count, webhookBody()],
  );
}

/** `count` completed payments of the last day with their decisions, dealt out to the shops of the only flow; no webhooks. */
export async function seedDecidedPayments(database: BenchDatabase, count: number): Promise<Past> {
  const past = await lanesOfShops(database);
  const { merchantId, flowId, shopIds } = past;
  await database.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, provider_transaction_id,
        payment_provider, amount, currency, country, status, metadata, created_at, updated_at, expires_at, decision)
      SELECT $1, s.id, $2, 1, 'ps_' || n, 'sbx_' || n, 'sandbox', 1 + n % 500, 'EUR', 'DE', 'completed',
        json_build_object('order_id', 'A-' || n, 'tier', CASE WHEN n % 10 = 0 THEN 'gold' ELSE 'none' END),
        now() - interval '1 day' * (1 - n / $4::float8), now(), now(),
        json_build_object('flow_version', 1, 'strategy', 'round_robin', 'customer_id', 1 + n % 5000, 'shops', $3::bigint[],
          'failed', '{}'::json, 'picked', s.id, 'fallbacks', ($3::bigint[])[2:10], 'reasoning',
          json_build_object('by', 'round_robin', 'counter', n, 'position', n % $5, 'of', $5))
      FROM generate_series(0, $4::int - 1) AS n, LATERAL (SELECT ($3::bigint[])[1 + n % $5] AS id) s`,
    [merchantId, flowId, shopIds, count, shopIds.length],
  );
  await database.run('VACUUM (ANALYZE) payments', 'CHECKPOINT');
  return past;
}

/** `perLane` deliveries of each lane are due from now on. */
export async function seedDue(
  database: BenchDatabase,
  { merchantId, shopIds, laneIds }: Past,
  perLane: number,
): Promise<void> {
  await database.query(
    `WITH ${insertDeliveriesFrom(`(SELECT $1::bigint AS merchant_id, ($2::bigint[])[i] AS shop_id,
       ($3::bigint[])[i] AS lane_id, 1000000000 + i * $4 + n AS payment_id, 'payment.status_changed' AS event,
       'completed' AS payment_status, 'http://127.0.0.1:9/hooks' AS webhook_endpoint, $5::text AS request_body,
       n AS position
     FROM generate_series(1, cardinality($2::bigint[])) AS i, generate_series(1, $4::int) AS n)`)} SELECT`,
    [merchantId, shopIds, laneIds, perLane, webhookBody()],
  );
}
