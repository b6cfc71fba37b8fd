// A merchant's past payments, inserted with SQL.
import { laneOrigin } from '../../src/webhooks/outbox/endpoint-policy.service.js';
import type { BenchDatabase } from './database.js';

const ENDPOINT = 'http://127.0.0.1:9/hooks';

/** The merchant of the first shop, with its flow, its shops and a lane for each. */
export interface Past {
  merchantId: number;
  flowId: number;
  shopIds: number[];
  laneIds: number[];
}

/**
 * Inserts `count` completed payments of the last day with their decisions, spread evenly over the shops of the only
 * flow, without webhooks.
 */
export async function seedDecidedPayments(database: BenchDatabase, count: number): Promise<Past> {
  const past = await lanesOfShops(database);
  const { merchantId, flowId, shopIds } = past;
  await database.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, provider_transaction_id,
        payment_provider, amount, currency, country, status, metadata, created_at, updated_at, expires_at, decision,
        amount_authorized, amount_captured)
      SELECT $1, s.id, $2, 1, 'ps_' || n, 'sbx_' || n, 'sandbox', 1 + n % 500, 'EUR', 'DE', 'completed',
        json_build_object('order_id', 'A-' || n, 'tier', CASE WHEN n % 10 = 0 THEN 'gold' ELSE 'none' END),
        now() - interval '1 day' * (1 - n / $4::float8), now(), now(),
        json_build_object('flow_version', 1, 'strategy', 'round_robin', 'customer_id', 1 + n % 5000, 'shops', $3::bigint[],
          'failed', '{}'::json, 'picked', s.id,
          'probability', 1.0 / $5::int, 'fallbacks', ($3::bigint[])[2:10], 'reasoning',
          json_build_object('by', 'round_robin', 'counter', n, 'position', n % $5, 'of', $5)),
        1 + n % 500, 1 + n % 500
      FROM generate_series(0, $4::int - 1) AS n, LATERAL (SELECT ($3::bigint[])[1 + n % $5] AS id) s`,
    [merchantId, flowId, shopIds, count, shopIds.length],
  );
  await database.run('VACUUM (ANALYZE) payments', 'CHECKPOINT');
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
