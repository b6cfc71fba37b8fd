import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { BACKENDS, type Engine, EngineHarness, type TestShop } from './engine-harness.js';

describe.each(BACKENDS)('a worker, queue in %s', (backend) => {
  let harness: EngineHarness;
  let worker: Engine;
  let shop: TestShop;
  let receiver: Receiver;

  beforeAll(async () => {
    harness = await EngineHarness.create(backend);
    worker = await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: '60000' });
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    shop = await harness.aShop(worker);
  });
  afterEach(async () => {
    // first, so that no worker waits for an answer
    await receiver.stop();
    await harness.clear(worker);
  });
  afterAll(() => harness.stop());

  const arrived = (): { id: number; status: string }[] =>
    receiver.requests.map((request) => request.json<{ payment: { id: number; status: string } }>().payment);

  it('delays the first attempt of a later change until that of the earlier one has ended', async () => {
    receiver.respondWith((_, index) => ({ delayMs: index === 0 ? 400 : 0 }));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    await worker.deliver(
      ...['processing', 'completed', 'refunded'].map((status) =>
        change({ paymentId: 1, requestBody: JSON.stringify({ payment: { id: 1, status } }) }),
      ),
    );
    await eventually(() => receiver.requests.length === 3);
    expect(arrived().map(({ status }) => status)).toEqual(['processing', 'completed', 'refunded']);
    expect(receiver.maxInFlight()).toBe(1);
    expect(receiver.requests[1]!.arrivedAt - receiver.requests[0]!.arrivedAt).toBeGreaterThanOrEqual(390);
  });

  it('sends a later change while a failed one waits for its retry', async () => {
    receiver.respondWith((_, index) => (index === 0 ? 500 : 200));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    await worker.deliver(change({ paymentId: 1 }), change({ paymentId: 1 }));
    await eventually(async () => {
      const rows = await harness.deliveries();
      expect(rows.map(({ status, attempts }) => [status, attempts])).toEqual([
        ['pending', 1],
        ['delivered', 1],
      ]);
    });
  });

  it('delays no other payments', async () => {
    receiver.respondWith((request) => (request.body.includes('"id":1,') ? { misbehaviour: 'hang' } : 200));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    await worker.deliver(change({ paymentId: 1 }), change({ paymentId: 1 }), change({ paymentId: 2 }));
    await eventually(() => arrived().some(({ id }) => id === 2));
    expect(arrived().filter(({ id }) => id === 1)).toHaveLength(1);
  });

  it('keeps the order of 80 payments under load, next to another worker', async () => {
    await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: '60000' });
    receiver.respondWith(() => ({ delayMs: Math.random() * 10 }));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    const changes = (paymentId: number) =>
      ['processing', 'completed'].map((status) =>
        change({ paymentId, requestBody: JSON.stringify({ payment: { id: paymentId, status } }) }),
      );
    for (let paymentId = 1; paymentId <= 80; paymentId++) await worker.deliver(...changes(paymentId));
    await eventually(() => receiver.requests.length >= 160);
    const seen = new Map<number, string[]>();
    for (const { id, status } of arrived()) seen.set(id, [...(seen.get(id) ?? []), status]);
    for (const statuses of seen.values()) expect(statuses).toEqual(['processing', 'completed']);
  });

  it('sends a new payment while another attempt of the lane is slow', async () => {
    receiver.respondWith((_, index) => (index === 0 ? { misbehaviour: 'hang' } : 200));
    const change = await harness.deliveriesTo(worker, shop, receiver.url);
    await worker.deliver(change());
    await eventually(() => receiver.requests.length === 1);
    await worker.deliver(change());
    await eventually(() => receiver.requests.length === 2);
    expect(await harness.deliveries()).toMatchObject([{ attempts: 0 }, {}]);
  });
});
