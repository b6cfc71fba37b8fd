// The reference design: one BullMQ job per delivery. Its processor reads the row, posts with a timeout, and writes one
// UPDATE and one INSERT. If the receiver failed it throws, so that BullMQ's backoff runs it again. Headers and bytes
// are the product's. The queue is in Redis, or in the database through BullMQ's PostgreSQL backend.
import { createHmac } from 'node:crypto';
import { type Job, type Queue, Worker } from 'bullmq';
import pg from 'pg';
import { Agent, request } from 'undici';
import { serve } from '../support/remote.js';
import { backendOf, type DeliveryJob, jobOf, openQueue, QUEUE, type ReferenceOptions } from './reference-queue.js';

interface Row {
  attempts: number;
  webhook_endpoint: string;
  request_body: string;
}

const DELAYS_MS = [10_000, 100_000, 1_000_000];
const TIMEOUT_MS = 3_000;
const CONCURRENCY = 100;
const ADD_AT_ONCE = 500;

const READ = {
  name: 'read',
  text: `SELECT attempts, webhook_endpoint, request_body FROM plain_deliveries WHERE id = $1 AND status = 'pending'`,
};
const UPDATE = {
  name: 'update',
  text: `UPDATE plain_deliveries SET attempts = $2::int, attempts_in_run = $2::int, status = $3::text, last_status_code = $4,
      last_attempt_at = $5, delivered_at = CASE WHEN $3 = 'delivered' THEN now() END,
      next_attempt_at = CASE WHEN $3 = 'pending' THEN now() + interval '10 s' END
    WHERE id = $1`,
};
const INSERT = {
  name: 'insert',
  text: `INSERT INTO plain_attempts (delivery_id, number, started_at, duration_ms, status_code, error, response_body)
    VALUES ($1, $2, $3, $4, $5, $6, $7)`,
};

let options: ReferenceOptions;
let database: pg.Pool;
let queue: Queue<DeliveryJob>;
let worker: Worker<DeliveryJob> | undefined;
const agent = new Agent({ connections: CONCURRENCY });

async function start(given: ReferenceOptions): Promise<void> {
  options = given;
  database = new pg.Pool({ connectionString: options.databaseUrl, max: 20 });
  database.on('error', () => undefined);
  queue = openQueue(options);
  const { connection, factory } = backendOf(options);
  worker = new Worker<DeliveryJob>(
    QUEUE,
    deliver,
    {
      connection,
      concurrency: CONCURRENCY,
      settings: { backoffStrategy: (attemptsMade) => DELAYS_MS[attemptsMade - 1] ?? -1 },
    },
    factory,
  );
  worker.on('error', console.error);
  await Promise.all([queue.waitUntilReady(), worker.waitUntilReady()]);
}

/** Adds a job for each of `count` deliveries from `firstId` on; nothing runs until `resume`. */
async function enqueue(firstId: number, count: number): Promise<void> {
  await queue.pause();
  for (let at = 0; at < count; at += ADD_AT_ONCE) {
    const size = Math.min(ADD_AT_ONCE, count - at);
    await queue.addBulk(Array.from({ length: size }, (_, index) => jobOf(firstId + at + index)));
  }
}

const resume = (): Promise<void> => queue.resume();

async function deliver({ data: { deliveryId } }: Job<DeliveryJob>): Promise<void> {
  const { rows } = await database.query<Row>({ ...READ, values: [deliveryId] });
  const [row] = rows;
  if (!row) return;
  const startedAt = new Date();
  const { status, error, answer } = await post(deliveryId, row);
  const number = row.attempts + 1;
  const isDelivered = status !== null && status >= 200 && status < 300;
  const next = isDelivered ? 'delivered' : number > DELAYS_MS.length ? 'failed' : 'pending';
  await database.query({ ...UPDATE, values: [deliveryId, number, next, status, startedAt] });
  const durationMs = Date.now() - startedAt.getTime();
  await database.query({ ...INSERT, values: [deliveryId, number, startedAt, durationMs, status, error, answer] });
  if (!isDelivered) throw new Error(error ?? `status ${status}`);
}

async function post(
  deliveryId: number,
  row: Row,
): Promise<{ status: number | null; error: string | null; answer: string | null }> {
  const id = String(deliveryId);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(options.secret.slice('whsec_'.length), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestamp}.${row.request_body}`).digest('base64');
  try {
    const response = await request(row.webhook_endpoint, {
      method: 'POST',
      dispatcher: agent,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'bench',
        Signature: createHmac('sha256', options.secret).update(row.request_body).digest('hex'),
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${standard}`,
      },
      body: row.request_body,
    });
    return { status: response.statusCode, error: null, answer: await response.body.text() };
  } catch (error) {
    return { status: null, error: String(error), answer: null };
  }
}

async function stop(): Promise<void> {
  await worker?.close();
  await queue.close();
  await database.end();
}

const methods = { start, enqueue, resume };
export type JobPerDeliveryMethods = typeof methods;

serve(methods, stop);
