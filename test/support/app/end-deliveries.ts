import type { Pool } from 'pg';

interface Ending {
  status: string;
  attempts?: number;
  lastError?: string | null;
  createdAt?: Date;
}

/** Ends pending deliveries for which `condition` holds, without a worker. Returns their ids. */
export async function endDeliveries(
  pool: Pool,
  condition: string,
  values: unknown[],
  { status, attempts = 4, lastError = null, createdAt }: Ending,
): Promise<number[]> {
  const [state, made, error, created] = [1, 2, 3, 4].map((position) => `$${values.length + position}`);
  const { rows } = await pool.query<{ id: number }>(
    `WITH gone AS (DELETE FROM pending_deliveries WHERE ${condition} RETURNING *)
    INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
      body_day, body_bytes, endpoint_id, body_id, status, attempts, attempts_in_run, next_attempt_at, last_error, created_at,
      last_attempt_at)
    SELECT id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint, body_day, body_bytes,
      endpoint_id, body_id,
      ${state}, ${made}::int, ${made}::int, NULL, ${error}, coalesce(${created}, created_at), coalesce(${created}, now())
    FROM gone RETURNING id`,
    [...values, status, attempts, lastError, createdAt ?? null],
  );
  return rows.map(({ id }) => id).sort((one, other) => one - other);
}

/** Marks an attempt of a pending delivery as in flight, for a minute. */
export async function holdDelivery(pool: Pool, id: number): Promise<void> {
  await pool.query(`UPDATE pending_deliveries SET claimed_until = now() + interval '1 minute' WHERE id = $1`, [id]);
}
