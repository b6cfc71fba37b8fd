import type { TestDatabase } from '../../support/servers/database.js';

/**
 * Generates `count` payments, four per second at the same time, with alternating shops and without decisions. Returns the time
 * of the newest in ms: the present, because ids are in the order of their times.
 */
export async function generatePayments(
  { pool }: TestDatabase,
  flowId: number,
  shopIds: number[],
  count: number,
): Promise<number> {
  const newest = Math.floor(Date.now() / 1_000) * 1_000;
  await pool.query(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
       currency, status, created_at, updated_at, expires_at)
     SELECT 1, ($2::bigint[])[1 + n % $3::int], $1, 1, 'ps_' || n, 'sandbox', 1 + n % 100, 'EUR', 'completed', t, t, t
     FROM generate_series($4::int - 1, 0, -1) AS n,
       LATERAL (SELECT $5::timestamptz - interval '1 second' * (n / 4) AS t) moment`,
    [flowId, shopIds, shopIds.length, count, new Date(newest)],
  );
  return newest;
}
