import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient, type ApiResponse } from '../support/app/api-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/servers/receiver.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';

const PAYMENTS = 100;
const STANDING = 5;
/** Clients that pay at the same time. */
const CLIENTS = 6;
/** A process is killed each time that this many more payments are done. */
const PAYMENTS_PER_KILL = 20;
const SETTINGS = {
  // leases of a killed worker end ten seconds after the time-out of an attempt
  WEBHOOK_TIMEOUT_MS: '2000',
  WEBHOOK_RETRY_DELAYS_MS: '200,400,800',
  PROVIDER_TIMEOUT_MS: '3000',
};

interface Endpoint {
  /** Path at the receiver. */
  path: string;
  secret: string;
}

interface Change {
  payment_id: number;
  to_status: string;
}

interface Payload {
  payment: { id: number; status: string };
}

let database: TestDatabase;
let redis: TestRedis | undefined;
let receiver: Receiver;
let api: RunningService;
let worker: RunningService;
let endpoints: Endpoint[];
let changes: Change[];
/** Webhooks in the order of their arrival, without repeated ones, by endpoint. */
const firsts = new Map<string, ReceivedRequest[]>();

const start = (entry: 'api' | 'worker'): Promise<RunningService> =>
  startService({ entry, databaseUrl: database.url, ...(redis && { redisUrl: redis.url }), env: SETTINGS });

/** Calls the present API: its port changes with each start, tokens stay valid. */
const merchantAt = (token: string): Merchant => new Merchant(new ApiClient(api.url, token));

/** Repeats the request under one key until a living API answers it. */
const untilAnswered = (ask: (key: string) => Promise<ApiResponse>): Promise<ApiResponse> => {
  const key = randomUUID();
  return eventually(async () => {
    const answer = await ask(key);
    const isToRepeat = answer.status === 503 || answer.status === 409;
    return isToRepeat ? null : answer;
  });
};

/** Every third payment is refunded. */
async function pay(token: string, flow: string, index: number): Promise<void> {
  const body = { flow_name: flow, amount: 10, currency: 'EUR', webhook_endpoint: `${receiver.url}/own` };
  const { id } = dataOf<PaymentAnswer>(
    await untilAnswered((key) => merchantAt(token).api.post('/payments', body, { 'idempotency-key': key })),
  );
  if (index % 3 !== 0) return;
  const refund = await untilAnswered((key) =>
    merchantAt(token).api.post(`/payments/${id}/refunds`, { amount: 10 }, { 'idempotency-key': key }),
  );
  expect(refund.status).toBeLessThan(300);
}

async function killOne(kill: number): Promise<void> {
  if (kill % 2 === 0) {
    await worker.kill();
    worker = await start('worker');
  } else {
    await api.kill();
    api = await start('api');
  }
}

async function payAndKill(): Promise<void> {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  endpoints = [];
  [api, worker] = await Promise.all([start('api'), start('worker')]);
  const { token } = await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  const merchant = merchantAt(token!);
  const shop = await merchant.createShop('Berlin');
  const { name } = await merchant.createFlow('checkout', [shop.id]);
  endpoints.push({ path: '/own', secret: shop.webhook_secret });
  for (let index = 1; index <= STANDING; index += 1) {
    const url = `${receiver.url}/${index}`;
    const { secret } = dataOf<{ secret: string }>(await merchant.api.post('/webhooks/endpoints', { url }));
    endpoints.push({ path: `/${index}`, secret });
  }
  // the first endpoint fails often, the second one is slow
  receiver.respondWith(({ url }, index) => {
    if (url === '/1' && index % 4 === 0) return 500;
    return url === '/2' ? { delayMs: 30 } : 200;
  });

  let [started, ended] = [0, 0];
  let killing = Promise.resolve();
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (started < PAYMENTS) {
        await pay(token!, name, started++);
        ended += 1;
        const kill = ended / PAYMENTS_PER_KILL;
        if (Number.isInteger(kill)) killing = killing.then(() => killOne(kill));
      }
    }),
  );
  await killing;
  await eventually(
    async () => {
      const { rows } = await database.pool.query(
        `SELECT 1 FROM pending_deliveries UNION ALL
         SELECT 1 FROM provider_operations WHERE state IN ('open', 'pending', 'unknown')`,
      );
      expect(rows).toHaveLength(0);
    },
    { timeoutMs: 240_000 },
  );
  ({ rows: changes } = await database.pool.query<Change>(
    'SELECT payment_id, to_status FROM payment_status_changes WHERE from_status <> to_status ORDER BY id',
  ));
  for (const { path } of endpoints) {
    const byId = new Map<unknown, ReceivedRequest>();
    for (const request of receiver.requests.filter(({ url }) => url === path))
      if (!byId.has(request.headers['webhook-id'])) byId.set(request.headers['webhook-id'], request);
    firsts.set(path, [...byId.values()]);
  }
}

/** `<payment> <status>` of webhooks in the order of their arrival, grouped by payment. */
const grouped = (all: Change[]): string[] =>
  [...all]
    .sort((one, other) => one.payment_id - other.payment_id)
    .map(({ payment_id: id, to_status: status }) => `${id} ${status}`);
const reported = (request: ReceivedRequest): Change => {
  const { payment } = request.json<Payload>();
  return { payment_id: payment.id, to_status: payment.status };
};

describe.each(['postgres', 'redis'])('kill -9 of API and worker while they deliver, queue in %s', (backend) => {
  beforeAll(async () => {
    redis = backend === 'redis' ? await startRedis() : undefined;
    await payAndKill();
  }, 600_000);
  afterAll(async () => {
    await Promise.all([api?.kill(), worker?.kill()]);
    await redis?.stop();
    await receiver.stop();
    await database.drop();
  });

  it('changes every payment several times', () => {
    expect(new Set(changes.map(({ payment_id: id }) => id)).size).toBe(PAYMENTS);
    expect(changes.filter(({ to_status: status }) => status === 'refunded')).not.toEqual([]);
    expect(changes.length).toBeGreaterThan(2 * PAYMENTS);
  });

  it('repeats requests, so that endpoints must recognise them', () => {
    const distinct = [...firsts.values()].reduce((sum, { length }) => sum + length, 0);
    expect(receiver.requests.length).toBeGreaterThan(distinct);
  });

  it.each(['/own', '/1', '/2', '/3', '/4', '/5'])('sends each change once and in order to %s', (path) => {
    expect(grouped(firsts.get(path)!.map(reported))).toEqual(grouped(changes));
  });

  it('signs every request with the secret of its endpoint', () => {
    const secrets = new Map(endpoints.map(({ path, secret }) => [path, secret]));
    const wrong = receiver.requests.filter(({ url, body, headers }) => {
      const expected = createHmac('sha256', secrets.get(url)!).update(body).digest('hex');
      return headers.signature !== expected;
    });
    expect(wrong).toEqual([]);
    expect(new Set(secrets.values()).size).toBe(STANDING + 1);
  });

  it('sends the same bytes of a change to all endpoints, at every attempt', () => {
    const bodies = new Map<string, Set<string>>();
    for (const request of receiver.requests) {
      const key = grouped([reported(request)])[0]!;
      bodies.set(key, (bodies.get(key) ?? new Set()).add(request.body.toString('utf8')));
    }
    expect(bodies.size).toBe(changes.length);
    expect([...bodies].filter(([, { size }]) => size !== 1)).toEqual([]);
  });
});
