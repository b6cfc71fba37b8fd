import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { EndpointRotations } from '../../../src/webhooks/endpoint/secrets/endpoint-rotation.service.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type DeliveryRow, type Engine, EngineHarness } from './engine-harness.js';

const WEBHOOK_ID = /^whd_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// only with one queue backend: it wakes workers, and does not affect what they send and record
describe('delivery', () => {
  let harness: EngineHarness;
  let receiver: Receiver;
  /** The worker for all tests without special settings. */
  let usual: Engine | undefined;

  beforeAll(async () => {
    harness = await EngineHarness.create('postgres');
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    // first, so that no worker waits for an answer
    await receiver.stop();
    await harness.clear(...(usual ? [usual] : []));
  });
  afterAll(() => harness.stop());

  /** Returns the only running worker, with these settings or the usual ones. */
  async function workerWith(env?: Record<string, string>): Promise<Engine> {
    if (env === undefined) return (usual ??= await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: '50,150,450' }));
    if (usual) {
      usual = undefined;
      await harness.clear();
    }
    return harness.startWorker(env);
  }

  /** Makes one delivery to the receiver, from a worker with these settings. */
  async function deliverOne(env?: Record<string, string>, path = '/hooks') {
    const worker = await workerWith(env);
    const shop = await harness.aShop(worker);
    const delivery = (await harness.deliveriesTo(worker, shop, `${receiver.url}${path}`))();
    await worker.deliver(delivery);
    return { worker, shop, delivery };
  }

  const untilIt = (expected: Partial<DeliveryRow>): Promise<DeliveryRow> =>
    eventually(async () => {
      const [row] = await harness.deliveries();
      expect(row).toMatchObject(expected);
      return row!;
    });

  /** Returns the log lines of a delivery. The worker may have logged others before. */
  const loggedOf = (deliveryId: number, line: string) =>
    harness.logs.filter((each) => each.msg === line && each['deliveryId'] === deliveryId);

  const signatureOf = (secret: string, body: Buffer) => createHmac('sha256', secret).update(body).digest('hex');

  it('posts the exact body with both signatures', async () => {
    const { shop, delivery } = await deliverOne(undefined, '/hooks?key=1');
    const row = await untilIt({ status: 'delivered', attempts: 1, last_status_code: 200, next_attempt_at: null });

    expect(receiver.requests).toHaveLength(1);
    const { body, method, url, headers } = receiver.requests[0]!;
    expect(`${method} ${url}`).toBe('POST /hooks?key=1');
    expect(body.toString()).toBe(delivery.requestBody);
    expect(headers['content-type']).toBe('application/json');
    expect(headers['user-agent']).toMatch(/^payment-orchestrator/);
    expect(headers['signature']).toBe(signatureOf(shop.secret, body));
    expect(headers['webhook-id']).toMatch(WEBHOOK_ID);
    expect(headers['webhook-shop-id']).toBe(String(shop.shopId));
    expect(headers['webhook-test']).toBeUndefined();
    const verified = new Webhook(shop.secret).verify(body, headers as Record<string, string>);
    expect(verified).toEqual(JSON.parse(delivery.requestBody));
    expect(await harness.attempts(row.id)).toMatchObject([{ number: 1, status_code: 200, error: null }]);
    expect(row.delivered_at).toBeInstanceOf(Date);
  });

  it('makes four attempts with the same bytes, on schedule, and then fails', async () => {
    receiver.respondWith(() => ({ status: 500, body: 'no\u0000t today ü' }));
    await deliverOne();
    const row = await untilIt({ status: 'failed', attempts: 4, last_status_code: 500, delivered_at: null });

    const bodies = new Set(receiver.requests.map(({ body }) => body.toString('hex')));
    const signatures = new Set(receiver.requests.map(({ headers }) => headers['signature']));
    const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
    expect([receiver.requests.length, bodies.size, signatures.size, ids.size]).toEqual([4, 1, 1, 1]);
    const gaps = receiver.requests
      .slice(1)
      .map(({ arrivedAt }, index) => arrivedAt - receiver.requests[index]!.arrivedAt);
    [50, 150, 450].forEach((delay, index) => expect(gaps[index]).toBeGreaterThanOrEqual(delay));
    const attempts = await harness.attempts(row.id);
    expect(attempts.map(({ number, status_code }) => [number, status_code])).toEqual([1, 2, 3, 4].map((n) => [n, 500]));
    expect(attempts[0]!.response_body).toBe('no\ufffdt today ü');
  });

  it('stores 4 KiB of an endless answer', async () => {
    receiver.respondWith({ misbehaviour: 'endless' });
    await deliverOne();
    const row = await untilIt({ status: 'delivered', attempts: 1 });
    expect((await harness.attempts(row.id))[0]!.response_body).toHaveLength(4_096);
  });

  it('ends at once when the receiver is gone (410)', async () => {
    receiver.respondWith(410);
    await deliverOne();
    await untilIt({ status: 'failed', attempts: 1, last_status_code: 410 });
    expect(receiver.requests).toHaveLength(1);
  });

  it('waits as long as a busy receiver requests (429, Retry-After)', async () => {
    receiver.respondWith((_, index) => (index === 0 ? { status: 429, headers: { 'retry-after': '1' } } : 200));
    await deliverOne();
    await untilIt({ status: 'delivered', attempts: 2 });
    const [first, second] = receiver.requests;
    expect(second!.arrivedAt - first!.arrivedAt).toBeGreaterThanOrEqual(990);
  });

  it('signs with both secrets while a rotated one overlaps', async () => {
    const { worker, shop } = await deliverOne();
    await untilIt({ status: 'delivered' });
    const rotated = await worker
      .get(EndpointRotations)
      .rotate({ kind: 'default', merchantId: shop.merchantId, id: shop.shopId }, { overlapSeconds: 3_600 });
    await worker.deliver((await harness.deliveriesTo(worker, shop, receiver.url))());
    await eventually(() => receiver.requests.length === 2);

    const { body, headers } = receiver.requests[1]!;
    expect(headers['signature']).toBe(signatureOf(rotated.secret, body));
    expect(String(headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const secret of [shop.secret, rotated.secret]) {
      expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();
    }
  });

  it('logs every attempt except a successful first one, with only the origin of the URL', async () => {
    receiver.respondWith((_, index) => (index === 0 ? 500 : 200));
    const { shop } = await deliverOne(undefined, '/hooks/top-secret?token=top-secret');
    const row = await untilIt({ status: 'delivered' });
    const attempts = () => loggedOf(row.id, 'webhook attempt');
    await eventually(() => attempts().some(({ status }) => status === 'delivered'));
    const [rejected, ...more] = attempts();
    expect(rejected).toMatchObject({
      level: 'info',
      deliveryId: row.id,
      paymentId: row.payment_id,
      shopId: shop.shopId,
      attempt: 1,
      status: 'pending',
      statusCode: 500,
      origin: receiver.url,
    });
    expect(more).toMatchObject([{ level: 'info', attempt: 2, status: 'delivered', statusCode: 200 }]);
    expect(JSON.stringify(harness.logs)).not.toMatch(/top-secret|whsec_/);
  });

  it('warns about a delivery that failed for good, with its ids', async () => {
    receiver.respondWith(410);
    const { shop } = await deliverOne();
    const row = await untilIt({ status: 'failed' });
    const warned = () => loggedOf(row.id, 'webhook delivery failed for good');
    await eventually(() => warned().length === 1);
    expect(warned()[0]).toMatchObject({
      level: 'warn',
      deliveryId: row.id,
      webhookId: expect.stringMatching(/^\w+/),
      paymentId: row.payment_id,
      shopId: shop.shopId,
      statusCode: 410,
      code: 'rejected',
    });
  });

  it('logs no successful first attempt', async () => {
    await deliverOne();
    const row = await untilIt({ status: 'delivered' });
    expect(loggedOf(row.id, 'webhook attempt')).toEqual([]);
  });

  it('finishes attempts in flight before the worker stops', async () => {
    receiver.respondWith({ delayMs: 500 });
    const { worker } = await deliverOne();
    await eventually(() => receiver.requests.length === 1);
    await worker.stop();
    usual = undefined;
    expect((await harness.deliveries())[0]).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  // each of the following tests has a worker with its own settings

  it('ends an attempt at an unresponsive receiver after the timeout', async () => {
    receiver.respondWith({ misbehaviour: 'hang' });
    await deliverOne({ WEBHOOK_TIMEOUT_MS: '300', WEBHOOK_RETRY_DELAYS_MS: '10' });
    const row = await untilIt({ status: 'failed', attempts: 2, last_status_code: null, last_error: 'timeout' });
    for (const attempt of await harness.attempts(row.id)) {
      expect(attempt).toMatchObject({ status_code: null, error: 'timeout', response_body: null });
      expect(attempt.duration_ms).toBeGreaterThanOrEqual(300);
    }
  });

  it('records a forbidden private address as the result of the attempt', async () => {
    await deliverOne({ WEBHOOK_ALLOWED_NETWORKS: '', WEBHOOK_RETRY_DELAYS_MS: '10' });
    await untilIt({ status: 'failed', attempts: 2, last_status_code: null, last_error: 'forbidden_address' });
    expect(receiver.connections()).toBe(0);
  });

  it('signs a retry with the current secret', async () => {
    receiver.respondWith((_, index) => (index === 0 ? 500 : 200));
    const { worker, shop } = await deliverOne({ WEBHOOK_RETRY_DELAYS_MS: '3600000' });
    await untilIt({ attempts: 1 });
    const rotated = await worker
      .get(EndpointRotations)
      .rotate({ kind: 'default', merchantId: shop.merchantId, id: shop.shopId }, { overlapSeconds: 0 });
    // an hour passes
    await harness.database.pool.query('UPDATE pending_deliveries SET due_at = now()');
    await untilIt({ status: 'delivered' });
    const [first, second] = receiver.requests.map(({ headers }) => headers['signature']);
    const { body } = receiver.requests[0]!;
    expect([first, second]).toEqual([signatureOf(shop.secret, body), signatureOf(rotated.secret, body)]);
  });
});
