import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Backend, BACKENDS, type Engine, EngineHarness } from './engine-harness.js';

let harness: EngineHarness;
let producer: Engine;
let receiver: Receiver;

function startedOn(backend: Backend): void {
  beforeAll(async () => {
    harness = await EngineHarness.create(backend);
    producer = await harness.startProducer();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(async () => {
    // first, so that no worker waits for an answer
    await receiver.stop();
    await harness.clear(producer);
  });
  afterAll(() => harness.stop());
}

/** Returns `each` deliveries of each of `shops` new shops to `url`. */
async function deliveriesOf(shops: number, each: number, url: string) {
  const all = [];
  for (let shop = 0; shop < shops; shop++) {
    const change = await harness.deliveriesTo(producer, await harness.aShop(producer), url);
    all.push(...Array.from({ length: each }, () => change()));
  }
  return all;
}

async function attemptsMade(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ count: number }>('SELECT count(*)::int FROM webhook_attempts');
  return rows[0]!.count;
}

describe('receivers that are slow, shared or dead', () => {
  startedOn('postgres');

  it('get one attempt per delivery while many deliveries wait for their connections', async () => {
    // 320 deliveries through 32 connections take 1.5 times the timeout, while a single answer is much faster
    receiver.respondWith({ delayMs: 300 });
    const deliveries = await deliveriesOf(20, 16, receiver.url);
    await harness.startWorker({ WEBHOOK_TIMEOUT_MS: '2000' });
    await producer.deliver(...deliveries);
    await eventually(() => expect(receiver.requests.length).toBeGreaterThanOrEqual(320));
    await eventually(async () => expect(await attemptsMade()).toBeGreaterThanOrEqual(320));
    expect([receiver.requests.length, await attemptsMade()]).toEqual([320, 320]);
    expect(receiver.maxInFlight()).toBeLessThanOrEqual(32);
  });

  it('get deliveries for a healthy path while another path of the address does not answer', async () => {
    receiver.respondWith(({ url }) => (url === '/dead' ? { misbehaviour: 'hang' } : 200));
    await harness.startWorker();
    await producer.deliver(...(await deliveriesOf(4, 40, `${receiver.url}/dead`)));
    await eventually(() => expect(receiver.maxInFlight()).toBeGreaterThanOrEqual(8));
    await producer.deliver(...(await deliveriesOf(1, 20, `${receiver.url}/healthy`)));
    const healthy = () => receiver.requests.filter(({ url }) => url === '/healthy').length;
    await eventually(() => expect(healthy()).toBe(20));
  });
});

describe.each(BACKENDS)('a stopping worker next to another one, queue in %s', (backend) => {
  startedOn(backend);

  it('passes claimed deliveries and new wake-ups to the other worker', async () => {
    receiver.respondWith({ delayMs: 20 });
    const stopping = await harness.startWorker();
    await harness.startWorker();
    const deliveries = await deliveriesOf(10, 40, receiver.url);
    await producer.deliver(...deliveries);
    await eventually(() => receiver.requests.length >= 40);
    const stopped = stopping.stop();
    await producer.deliver(...(await deliveriesOf(5, 4, receiver.url)));
    await stopped;
    await eventually(async () => expect(await attemptsMade()).toBe(420));
    expect(receiver.requests).toHaveLength(420);
  });
});
