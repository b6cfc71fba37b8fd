// Creates deliveries for the worker of the reference design (job-per-delivery.ts): a plain Fastify route with the
// product's two transactions per payment. It adds the jobs after the commit and answers when the queue has them.
import type { AddressInfo } from 'node:net';
import type { Queue } from 'bullmq';
import fastify from 'fastify';
import pg from 'pg';
import { serve } from '../support/remote.js';
import { webhookBody } from '../support/webhook-sample.js';
import { type DeliveryJob, jobOf, openQueue, type ReferenceOptions } from './reference-queue.js';

interface PaymentRequest {
  amount: number;
  currency: string;
  webhook_endpoint: string;
}

const INSERT_PAYMENT = {
  name: 'insert_payment',
  text: `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
      currency, webhook_endpoint, webhook_lane_id, created_at, updated_at, expires_at)
    VALUES (1, 1, 1, 1, gen_random_uuid()::text, 'sandbox', $1, $2, $3, 1, now(), now(), now() + interval '30 min')
    RETURNING id`,
};
const COMPLETE_PAYMENT = {
  name: 'complete_payment',
  text: `UPDATE payments SET status = 'completed', updated_at = now() WHERE id = $1`,
};
const INSERT_CHANGE = {
  name: 'insert_change',
  text: `INSERT INTO payment_status_changes (payment_id, from_status, to_status, cause, at)
    VALUES ($1, $2, $3, 'provider_answer', now())`,
};
const INSERT_DELIVERY = {
  name: 'insert_delivery',
  text: `INSERT INTO plain_deliveries (merchant_id, shop_id, lane_id, payment_id, payment_status, webhook_endpoint,
      request_body)
    VALUES (1, 1, 1, $1, $2, $3, $4) RETURNING id`,
};

let database: pg.Pool;
let queue: Queue<DeliveryJob>;
const app = fastify();
app.post<{ Body: PaymentRequest }>('/payments', async ({ body }, reply) => {
  const paymentId = await insertPayment(body);
  const deliveryIds = await completePayment(paymentId, body);
  await queue.addBulk(deliveryIds.map(jobOf));
  return reply.code(201).send({ id: paymentId });
});

/** Returns the port. */
async function start(options: ReferenceOptions): Promise<number> {
  database = new pg.Pool({ connectionString: options.databaseUrl, max: 10 });
  database.on('error', () => undefined);
  queue = openQueue(options);
  await queue.waitUntilReady();
  await app.listen({ port: 0, host: '127.0.0.1' });
  return (app.server.address() as AddressInfo).port;
}

const insertPayment = (body: PaymentRequest): Promise<number> =>
  inTransaction(async (client) => {
    const values = [body.amount, body.currency, body.webhook_endpoint];
    const { rows } = await client.query<{ id: string }>({ ...INSERT_PAYMENT, values });
    return Number(rows[0]!.id);
  });

const completePayment = (id: number, body: PaymentRequest): Promise<number[]> =>
  inTransaction(async (client) => {
    await client.query({ ...COMPLETE_PAYMENT, values: [id] });
    const ids: number[] = [];
    for (const [from, to] of [
      ['pending', 'processing'],
      ['processing', 'completed'],
    ] as const) {
      await client.query({ ...INSERT_CHANGE, values: [id, from, to] });
      const values = [id, to, body.webhook_endpoint, webhookBody(id, to, new Date())];
      const { rows } = await client.query<{ id: string }>({ ...INSERT_DELIVERY, values });
      ids.push(Number(rows[0]!.id));
    }
    return ids;
  });

async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function stop(): Promise<void> {
  await app.close();
  await queue.close();
  await database.end();
}

const methods = { start };
export type ReferenceApiMethods = typeof methods;

serve(methods, stop);
