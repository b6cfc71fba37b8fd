import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { ApiClient } from '../support/app/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import { dataOf, Merchant, type ShopAnswer } from '../support/app/merchant.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { Story } from '../support/story.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';

/** No attempt may time out on a busy machine. */
const SETTINGS = { WEBHOOK_RETRY_DELAYS_MS: '20,40,80', WEBHOOK_TIMEOUT_MS: '30000', PROVIDER_TIMEOUT_MS: '3000' };

interface Payload {
  event: string;
  payment: { id: number; status: string };
}

interface Delivery {
  id: number;
  status: string;
  attempt_count: number;
}

// one process, its queue in PostgreSQL: start.spec.ts; schedule, signatures, time-outs and an emptied queue:
// test/integration/webhooks; death of processes: test/long
describe('API and worker as two processes, their queue in Redis', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let receiver: Receiver;
  let api: RunningService;
  let worker: RunningService;
  let merchant: Merchant;
  let shop: ShopAnswer;

  beforeAll(async () => {
    [database, receiver, redis] = await Promise.all([createTestDatabase(), startReceiver(), startRedis()]);
    const start = (entry: 'api' | 'worker') =>
      startService({ entry, databaseUrl: database.url, redisUrl: redis.url, env: SETTINGS });
    [api, worker] = await Promise.all([start('api'), start('worker')]);
    merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    shop = await merchant.createShop('shop');
    await merchant.createFlow('checkout', [shop.id]);
  });
  afterAll(async () => {
    await Promise.all([api?.kill(), worker?.kill()]);
    await receiver.stop();
    await redis.stop();
    await database.drop();
  });
  const story = new Story();

  const pay = (token = 'tok_success', fields: object = {}) =>
    merchant.pay('checkout', {
      payment_method: { token },
      webhook_endpoint: `${receiver.url}/hook`,
      ...fields,
    });
  const ended = (paymentId: number, status: string) =>
    eventually(async () => {
      const path = `/webhooks/shop/${shop.id}/deliveries?payment_id=${paymentId}`;
      const found = dataOf<Delivery[]>(await merchant.api.get(path));
      expect(found.map((each) => each.status)).toEqual(found.map(() => status));
      expect(found).not.toEqual([]);
      return found;
    });

  story.step('sends each status change once, in order, with a signature over the raw bytes', async () => {
    const { id } = await pay('tok_success', { customer: { email: 'ada@example.com' }, metadata: { b: 'ü', a: 1 } });
    await ended(id, 'delivered');
    const statuses = receiver.requests.map((request) => request.json<Payload>().payment.status);
    expect(statuses).toEqual(['processing', 'completed']);
    const library = new Webhook(shop.webhook_secret);
    for (const { body, headers } of receiver.requests) {
      expect(headers['content-type']).toBe('application/json');
      expect(headers['signature']).toBe(createHmac('sha256', shop.webhook_secret).update(body).digest('hex'));
      const verified = library.verify(body, headers as Record<string, string>) as Payload;
      expect(verified.event).toBe('payment.status_changed');
    }
  });

  story.step('tries four times, then gives up, and starts again on request', async () => {
    receiver.requests.length = 0;
    receiver.respondWith(500);
    const { id } = await pay('tok_pending');
    const [failed] = await ended(id, 'failed');
    expect([failed!.attempt_count, receiver.requests.length]).toEqual([4, 4]);
    receiver.respondWith(200);
    expect((await merchant.api.post(`/webhooks/deliveries/${failed!.id}/retry`)).status).toBe(202);
    expect(await ended(id, 'delivered')).toMatchObject([{ attempt_count: 5 }]);
    expect(new Set(receiver.requests.map(({ body }) => body.toString('hex'))).size).toBe(1);
  });

  story.step('finishes deliveries and charges on SIGTERM and exits with 0', async () => {
    receiver.requests.length = 0;
    receiver.respondWith({ delayMs: 300 });
    const { id } = await pay('tok_pending');
    await eventually(() => receiver.requests.length === 1);
    const charging = pay('tok_timeout'); // the provider answers late
    const isCharging = `SELECT FROM payments WHERE id <> $1 AND shop_id = $2 AND status = 'pending'`;
    await eventually(async () => (await database.pool.query(isCharging, [id, shop.id])).rowCount === 1);
    const exits = Promise.all([api.stop(), worker.stop()]);
    expect([(await charging).status, await exits]).toEqual(['pending', [0, 0]]);
    const { rows } = await database.pool.query<Delivery>('SELECT * FROM all_deliveries WHERE payment_id = $1', [id]);
    expect(rows).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('sends, retries and stops', () => story.run());
});
