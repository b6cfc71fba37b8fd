import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { NewDelivery } from '../../src/webhooks/webhook-outbox.service.js';

const unique = (): string => randomBytes(6).toString('hex');

export async function aMerchant(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('INSERT INTO merchants (name) VALUES ($1) RETURNING id', [
    unique(),
  ]);
  return rows[0]!.id;
}

export interface PaymentFields {
  merchantId: number;
  shopId: number;
  webhookEndpoint: string;
  laneId: number;
  status: string;
}

/** A payment's row, as far as webhooks care. */
export async function aPayment(pool: Pool, fields: PaymentFields): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount, currency,
       status, webhook_endpoint, webhook_lane_id, created_at, updated_at, expires_at)
     VALUES ($1, $2, 1, 1, $3, 'sandbox', 10, 'EUR', $4, $5, $6, now(), now(), now() + interval '30 minutes') RETURNING id`,
    [fields.merchantId, fields.shopId, `ps_${unique()}`, fields.status, fields.webhookEndpoint, fields.laneId],
  );
  return rows[0]!.id;
}

let payments = 0;

/** A delivery to append; a payment of its own unless told otherwise. */
export function aDelivery(
  fields: Pick<NewDelivery, 'merchantId' | 'shopId' | 'laneId' | 'webhookEndpoint'> & Partial<NewDelivery>,
): NewDelivery {
  const paymentId = fields.paymentId ?? ++payments;
  return {
    paymentId,
    paymentStatus: 'completed',
    requestBody: JSON.stringify({
      event: 'payment.status_changed',
      payment: { id: paymentId, status: 'completed' },
      note: 'ü😀',
    }),
    ...fields,
  };
}
