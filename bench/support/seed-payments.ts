// A merchant's past, written by SQL: payments with their history, deliveries and attempts.
import { laneOrigin } from '../../src/webhooks/outbox/endpoint-policy.service.js';
import type { BenchDatabase } from './database.js';
import { appendDeliveries, lastDeliveryId, seedDeliveries } from './seed.js';

const AT_ONCE = 50_000;
const ENDPOINT = 'http://127.0.0.1:9/hooks';
/** Of the deliveries: those that wait for a retry. */
const WAITING_SHARE = 0.01;

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
    'VACUUM (ANALYZE)',
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
    `INSERT INTO webhook_lanes (shop_id, origin) SELECT s, $2 FROM unnest($1::bigint[]) s RETURNING id`,
    [shopIds, laneOrigin(ENDPOINT)],
  );
  const [flow] = await database.query<{ id: number }>('SELECT id FROM flows');
  return { merchantId: shops[0]!.merchant_id, flowId: flow!.id, shopIds, laneIds: lanes.map(({ id }) => id) };
}

async function seedPayments(database: BenchDatabase, past: Past, from: number, count: number): Promise<void> {
  const { merchantId, flowId, shopIds, laneIds } = past;
  const owed = await database.query<OwedRow>(
    `WITH paid AS (
      INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, provider_transaction_id,
        payment_provider, amount, currency, country, status, webhook_endpoint, webhook_lane_id, metadata, created_at,
        updated_at, expires_at)
      SELECT $1, ($3::bigint[])[1 + n % $5], $2, 1, 'ps_' || n, 'sbx_' || n, 'sandbox', 49.9, 'EUR', 'DE', 'completed',
        CASE WHEN n % 2 = 0 THEN '${ENDPOINT}' END, CASE WHEN n % 2 = 0 THEN ($4::bigint[])[1 + n % $5] END,
        '{"order_id":"A-1001"}', now() - interval '1 day', now() - interval '1 day', now() - interval '23 hours'
      FROM generate_series($6::int, $6::int + $7::int - 1) AS n
      RETURNING id, shop_id, webhook_lane_id, webhook_endpoint),
    steps AS (
      SELECT p.*, s.* FROM paid p
      CROSS JOIN (VALUES ('pending', 'processing'), ('processing', 'completed')) AS s (from_status, to_status)),
    changes AS (
      INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at)
      SELECT id, from_status, to_status, 'provider_answer', now() - interval '1 day' FROM steps)
    SELECT shop_id, webhook_lane_id AS lane_id, id AS payment_id, to_status AS status, webhook_endpoint AS endpoint
    FROM steps WHERE webhook_endpoint IS NOT NULL ORDER BY id, from_status = 'processing'`,
    [merchantId, flowId, shopIds, laneIds, shopIds.length, from, count],
  );
  await seedSent(database, merchantId, owed);
}

interface OwedRow {
  shop_id: number;
  lane_id: number;
  payment_id: number;
  status: string;
  endpoint: string;
}

async function seedSent(database: BenchDatabase, merchantId: number, owed: OwedRow[]): Promise<void> {
  const { end, putOff } = database.deliveries;
  const last = await lastDeliveryId(database);
  await appendDeliveries(
    database,
    owed.map((row) => ({
      merchantId,
      shopId: row.shop_id,
      laneId: row.lane_id,
      paymentId: row.payment_id,
      paymentStatus: row.status,
      webhookEndpoint: row.endpoint,
    })),
  );
  const sent = (await lastDeliveryId(database)) - Math.ceil(owed.length * WAITING_SHARE);
  await database.query(end, [last, sent]);
  await database.query(putOff, [sent]);
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
          'failed', '{}'::json, 'picked', s.id,
          'probability', 1.0 / $5::int, 'fallbacks', ($3::bigint[])[2:10], 'reasoning',
          json_build_object('by', 'round_robin', 'counter', n, 'position', n % $5, 'of', $5))
      FROM generate_series(0, $4::int - 1) AS n, LATERAL (SELECT ($3::bigint[])[1 + n % $5] AS id) s`,
    [merchantId, flowId, shopIds, count, shopIds.length],
  );
  await database.run('VACUUM (ANALYZE) payments', 'CHECKPOINT');
  return past;
}

/** `perLane` deliveries of each lane are due from now on. */
export async function seedDue(database: BenchDatabase, past: Past, perLane: number): Promise<void> {
  const endpoints = past.laneIds.map(() => ENDPOINT);
  await seedDeliveries(database, { ...past, endpoints }, past.laneIds.length * perLane, 'now');
}
