import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ApiClient } from '../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { Merchant, type ShopAnswer } from '../support/app/merchant.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../support/servers/receiver.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';

/**
 * Delays that are short enough for a test. The spec of retry-schedule.ts asserts the defaults of 10, 100 and 1000 s.
 * The attempts are counted, and a busy machine must cut none off.
 */
const SCALED = { WEBHOOK_RETRY_DELAYS_MS: '200,400,800', WEBHOOK_TIMEOUT_MS: '30000', PROVIDER_TIMEOUT_MS: '3000' };
/**
 * The timeout of a worker whose receivers do not answer, and of a worker that is killed. Its leases expire two seconds
 * later.
 */
const CUT_OFF_MS = 2_000;

interface Payload {
  event: string;
  payment: { id: number; status: string };
}

interface Delivery {
  id: number;
  status: string;
  attempt_count: number;
  last_status_code: number | null;
  last_error: string | null;
}

describe.each(['postgres', 'redis'] as const)('API and worker as two processes, queue in %s', (backend) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let receiver: Receiver;
  let api: RunningService | undefined;
  /** Each test leaves its worker, and the timeout of that worker, to the next test. */
  let worker: RunningService | undefined;
  let timeoutMs: number | undefined;
  let merchant: Merchant;
  let shop: ShopAnswer;
  let flow: string;
  let tests = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = backend === 'redis' ? await startRedis() : undefined;
  });
  afterAll(async () => {
    await Promise.all([api?.kill(), worker?.kill()]);
    await redis?.stop();
    await database.drop();
  });
  beforeEach(async () => {
    if (!api) {
      api = await start('api');
      merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    }
    receiver = await startReceiver();
    flow = `checkout ${++tests}`;
    shop = await merchant.createShop(flow);
    await merchant.createFlow(flow, [shop.id]);
  });
  afterEach(() => receiver.stop());

  const start = (entry: 'api' | 'worker', env = {}): Promise<RunningService> =>
    startService({
      entry,
      databaseUrl: database.url,
      ...(redis && { redisUrl: redis.url }),
      env: { ...SCALED, ...env },
    });

  const startWorker = async (givesUpAfterMs?: number): Promise<void> => {
    if (worker && timeoutMs === givesUpAfterMs) return;
    await worker?.kill();
    timeoutMs = givesUpAfterMs;
    worker = await start('worker', timeoutMs === undefined ? {} : { WEBHOOK_TIMEOUT_MS: String(timeoutMs) });
  };

  const pay = (fields: Record<string, unknown> = {}) =>
    merchant.pay(flow, { webhook_endpoint: `${receiver.url}/hook`, ...fields });
  const deliveries = async () =>
    (await merchant.api.get<{ data: Delivery[] }>(`/webhooks/shop/${shop.id}/deliveries?limit=100`)).body.data;
  /** Waits for the table before it asks the API: reading the table takes less CPU time from the workers. */
  const settled = async (count: number, status: string) => {
    const wanted = Array<string>(count).fill(status);
    await eventually(async () => {
      const { rows } = await database.pool.query<Delivery>('SELECT status FROM all_deliveries WHERE shop_id = $1', [
        shop.id,
      ]);
      expect(rows.map((row) => row.status)).toEqual(wanted);
    });
    const found = await deliveries();
    expect(found.map((delivery) => delivery.status)).toEqual(wanted);
    return found;
  };
  const statuses = () => receiver.requests.map((request) => request.json<Payload>().payment.status);

  // the leases of the killed worker expire soon
  describe('a worker that is replaced', () => {
    beforeEach(() => startWorker(CUT_OFF_MS));

    it('cuts off receivers that hang and receivers that send their body slowly', async () => {
      const trickling = await startReceiver();
      const replies = [
        [receiver, 'hang'],
        [trickling, 'slow-body'],
      ] as const;
      for (const [each, misbehaviour] of replies) {
        each.respondWith((_, index) => (index === 0 ? { misbehaviour } : 200));
        await pay({ payment_method: { token: 'tok_pending' }, webhook_endpoint: `${each.url}/hook` });
      }
      for (const { id } of await settled(2, 'delivered')) {
        const { body } = await merchant.api.get<{
          data: { attempts: { error: string | null; duration_ms: number }[] };
        }>(`/webhooks/deliveries/${id}`);
        // on a busy machine a later answer may be too late as well
        const errors = body.data.attempts.map((attempt) => attempt.error);
        expect([errors[0], errors.at(-1)]).toEqual(['timeout', null]);
        expect(body.data.attempts[0]!.duration_ms).toBeGreaterThanOrEqual(CUT_OFF_MS);
      }
      await trickling.stop();
    });

    it('loses nothing when the worker is killed during deliveries', async () => {
      receiver.respondWith({ delayMs: 400 });
      const payments = await Promise.all(Array.from({ length: 15 }, () => pay()));
      await eventually(() => receiver.requests.length > 3);
      await worker!.kill();
      receiver.respondWith(200);
      await startWorker();
      await settled(30, 'delivered');
      const received = receiver.requests.map((request) => request.json<Payload>().payment);
      for (const payment of payments) {
        const seen = new Set(received.filter(({ id }) => id === payment.id).map(({ status }) => status));
        expect([...seen]).toEqual(['processing', 'completed']);
      }
    });
  });

  describe('a worker that keeps running', () => {
    beforeEach(() => startWorker());

    it('sends each status change once, in order, with a signature over the raw bytes', async () => {
      await pay({ customer: { email: 'ada@example.com' }, metadata: { b: 'ü', a: 1 } });
      await settled(2, 'delivered');
      expect(statuses()).toEqual(['processing', 'completed']);
      const library = new Webhook(shop.webhook_secret);
      for (const { body, headers } of receiver.requests) {
        expect(headers['content-type']).toBe('application/json');
        expect(headers['signature']).toBe(createHmac('sha256', shop.webhook_secret).update(body).digest('hex'));
        const verified = library.verify(body, headers as Record<string, string>) as Payload;
        expect(verified.event).toBe('payment.status_changed');
      }
    });

    it('tries four times with the same bytes, then gives up, and starts again on request', async () => {
      receiver.respondWith(500);
      await pay({ payment_method: { token: 'tok_pending' } });
      const [failed] = await settled(1, 'failed');
      expect(failed).toMatchObject({ attempt_count: 4, last_status_code: 500 });
      expect(receiver.requests).toHaveLength(4);
      const unique = (of: (request: ReceivedRequest) => string) => new Set(receiver.requests.map(of)).size;
      expect(unique(({ body }) => body.toString('hex'))).toBe(1);
      expect(unique(({ headers }) => String(headers['webhook-id']))).toBe(1);
      expect(unique(({ headers }) => String(headers['signature']))).toBe(1);
      const gaps = receiver.requests
        .slice(1)
        .map((request, index) => request.arrivedAt - receiver.requests[index]!.arrivedAt);
      for (const [index, delayMs] of [200, 400, 800].entries()) expect(gaps[index]).toBeGreaterThanOrEqual(delayMs);

      receiver.respondWith(200);
      expect((await merchant.api.post(`/webhooks/deliveries/${failed!.id}/retry`)).status).toBe(202);
      expect((await settled(1, 'delivered'))[0]!.attempt_count).toBe(5);
      expect(unique(({ body }) => body.toString('hex'))).toBe(1);
    });

    it('reads 64 KiB of an endless answer and uses its status', async () => {
      receiver.respondWith({ misbehaviour: 'endless' });
      await pay({ payment_method: { token: 'tok_pending' } });
      await settled(1, 'delivered');
    });

    it('loses nothing when the queue is emptied while deliveries are pending', async () => {
      receiver.respondWith({ delayMs: 400 });
      for (let count = 0; count < 5; count++) await pay();
      await eventually(() => receiver.requests.length > 0);
      if (redis) await redis.flush();
      else await database.pool.query('TRUNCATE bullmq.job, bullmq.dedup CASCADE');
      receiver.respondWith(200);
      await settled(10, 'delivered');
    });

    it('finishes its deliveries on SIGTERM and exits with 0', async () => {
      receiver.respondWith({ delayMs: 300 });
      await pay({ payment_method: { token: 'tok_pending' } });
      await eventually(() => receiver.requests.length === 1);
      expect(await worker!.stop()).toBe(0);
      worker = undefined;
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject({ status: 'delivered', attempt_count: 1 });
      const payment = pay({ payment_method: { token: 'tok_timeout' } }); // the provider answers late
      const isCharging = `SELECT FROM payments WHERE shop_id = $1 AND status = 'pending'`;
      await eventually(async () => (await database.pool.query(isCharging, [shop.id])).rowCount === 1);
      const [exitCode, answered] = await Promise.all([api!.stop(), payment]);
      api = undefined;
      expect([exitCode, answered.status]).toEqual([0, 'pending']);
    });
  });
});
