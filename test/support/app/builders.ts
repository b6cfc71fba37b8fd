import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import type { NewDelivery } from './append-deliveries.js';

const unique = (): string => randomBytes(6).toString('hex');

export async function aMerchant(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>('INSERT INTO merchants (name) VALUES ($1) RETURNING id', [
    unique(),
  ]);
  return rows[0]!.id;
}

let payments = 0;

/** A delivery to append; by default of a new payment. */
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
