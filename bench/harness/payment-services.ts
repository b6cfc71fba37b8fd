import { setTimeout as delay } from 'node:timers/promises';
import type { JobPerDeliveryMethods } from '../baselines/job-per-delivery.js';
import type { ReferenceApiMethods } from '../baselines/reference-api.js';
import type { Target } from '../processes/load-generator.js';
import { callApi, createFlow, jsonHeaders } from '../support/api-fixtures.js';
import type { Context } from './context.js';
import type { BenchDatabase } from '../support/database.js';
import { accessToken, type ProductOptions } from '../support/product.js';
import { nodeFlags } from '../support/programs.js';
import { Remote } from '../support/remote.js';
import { hasUntried, WEBHOOK_SECRET } from '../support/seed.js';

export type QueueKind = 'redis' | 'postgres';

/** API and worker over their own database: takes payments and sends their webhooks. */
export interface PaymentService {
  database: BenchDatabase;
  /** URL of the queue; absent: the queue is in PostgreSQL. */
  redisUrl: string | undefined;
  /** API and worker. */
  pids: number[];
  /** `POST /payments`, without the bodies. */
  target: Omit<Target, 'bodies'>;
  stop(): Promise<unknown>;
}

const DELIVERY_TIMEOUT_MS = 10_000;

/** Waits until every delivery was tried. After the time limit the remaining ones count as never arrived. */
export async function allDelivered(
  { database }: Pick<PaymentService, 'database'>,
  endpointPrefix = '',
  timeoutMs = DELIVERY_TIMEOUT_MS,
): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; Date.now() < deadline; await delay(50)) {
    if (!(await hasUntried(database, 0, endpointPrefix))) return;
  }
}

const CONNECTIONS = 64;
const SHOPS = 3;
const STANDING_PATH = '/standing';

/** Only the product's API, with a flow. `standingAt`: the origin of a standing endpoint for each shop. */
export async function startProductApi(
  context: Context,
  options: ProductOptions,
  standingAt?: string,
): Promise<Pick<PaymentService, 'target' | 'stop'> & { pid: number }> {
  const api = await context.product.start('api', options);
  const token = await accessToken(api.url);
  const shopIds = await createFlow(api.url, token, SHOPS);
  for (const id of standingAt === undefined ? [] : shopIds)
    await callApi(api.url, token, 'POST', '/webhooks/endpoints', { url: standingAt + STANDING_PATH, shop_ids: [id] });
  return { pid: api.pid, target: paymentsAt(api.url, jsonHeaders(token)), stop: () => api.stop() };
}

/** `env`: additional settings of both processes. `standingAt`: as in {@link startProductApi}. */
export async function startProductService(
  context: Context,
  kind: QueueKind,
  env: Record<string, string> = {},
  standingAt?: string,
): Promise<PaymentService> {
  const database = await context.database();
  const options = { databaseUrl: database.url, redisUrl: kind === 'redis' ? context.redisUrl() : undefined, env };
  const api = await startProductApi(context, options, standingAt);
  const worker = await context.product.start('worker', options);
  return {
    database,
    redisUrl: options.redisUrl,
    pids: [api.pid, worker.pid],
    target: api.target,
    stop: async () => {
      await api.stop();
      await worker.stop();
    },
  };
}

/** The reference design: bench/baselines/reference-api.ts and bench/baselines/job-per-delivery.ts. */
export async function startReferenceService(context: Context, kind: QueueKind): Promise<PaymentService> {
  const database = await context.database('baseline');
  const redisUrl = kind === 'redis' ? context.redisUrl() : undefined;
  const options = { databaseUrl: database.url, redisUrl, secret: WEBHOOK_SECRET };
  const api = await Remote.start<ReferenceApiMethods>(context.supervisor, 'baselines/reference-api');
  const worker = await Remote.start<JobPerDeliveryMethods>(
    context.supervisor,
    'baselines/job-per-delivery',
    nodeFlags(context.args.dist, 'worker'),
  );
  const port = await api.call('start', options);
  await worker.call('start', options);
  return {
    database,
    redisUrl,
    pids: [api.pid, worker.pid],
    target: paymentsAt(`http://127.0.0.1:${port}`, { 'content-type': 'application/json' }),
    stop: async () => {
      await api.stop();
      await worker.stop();
    },
  };
}

const paymentsAt = (origin: string, headers: Record<string, string>): Omit<Target, 'bodies'> => ({
  origin,
  method: 'POST',
  path: '/payments',
  headers,
  connections: CONNECTIONS,
});
