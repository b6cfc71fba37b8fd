import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { QueueHealth } from '../../../src/platform/queue/queue-health.service.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness } from './engine-harness.js';

describe('outages of Redis', () => {
  let harness: EngineHarness;
  let producer: Engine;
  let receiver: Receiver;
  let change: (fields?: Partial<NewDelivery>) => NewDelivery;

  beforeEach(async () => {
    [harness, receiver] = await Promise.all([EngineHarness.create('redis'), startReceiver()]);
    producer = await harness.startProducer();
    change = await harness.deliveriesTo(producer, await harness.aShop(producer), receiver.url);
  });
  afterEach(async () => {
    await harness.stop();
    await receiver.stop();
  });

  const allDelivered = (count: number) =>
    eventually(async () => {
      const rows = await harness.deliveries();
      expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(count);
    });
  const logged = (msg: string) => harness.logs.filter((line) => line.msg === msg);

  it('delay no commits, and let a worker start, continue and stop', async () => {
    const eachReturned = () =>
      eventually(() => expect(logged('queue is back')).toHaveLength(logged('queue lost, waiting for it').length));
    await harness.redis!.kill();
    const worker = await harness.startWorker();
    await producer.append(change());
    await harness.redis!.restart();
    await allDelivered(1);
    await eachReturned();

    const before = logged('queue lost, waiting for it').length;
    await harness.redis!.kill();
    // Redis stays down until this is done
    await producer.deliver(...Array.from({ length: 5 }, () => change()));
    const lost = /webhook_wakeups_lost_total [1-9]/;
    await eventually(async () => expect(await producer.get(Metrics).render()).toMatch(lost));
    await expect(producer.get(QueueHealth).ping()).rejects.toThrow();
    await eventually(() => logged('queue lost, waiting for it').length === before + 2); // once by each process
    await harness.redis!.restart();
    await allDelivered(6);
    await eventually(() => producer.get(QueueHealth).ping());
    await eachReturned();
    expect(logged('queue lost, waiting for it')).toHaveLength(before + 2);
    expect(logged('wake-ups lost; the reconciler will find their lanes')).toHaveLength(1);

    await harness.redis!.kill();
    await worker.stop();
  });
});

describe('outages of PostgreSQL', () => {
  let harness: EngineHarness;
  let receiver: Receiver;

  beforeEach(async () => {
    [harness, receiver] = await Promise.all([EngineHarness.create('postgres'), startReceiver()]);
  });
  afterEach(async () => {
    await harness.stop();
    await receiver.stop();
  });

  it('lose no deliveries, even if every connection is lost', async () => {
    // deliveries that were claimed by a lost connection are sent after their lease
    const schedule = Array<number>(9).fill(500).join();
    const worker = await harness.startWorker({ WEBHOOK_TIMEOUT_MS: '1000', WEBHOOK_RETRY_DELAYS_MS: schedule });
    const change = await harness.deliveriesTo(worker, await harness.aShop(worker), receiver.url);
    receiver.respondWith({ delayMs: 20 });
    for (let round = 0; round < 5; round++) {
      await worker.deliver(...Array.from({ length: 20 }, () => change()));
      await harness.database.pool.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      await eventually(() => worker.get(QueueHealth).ping());
    }
    await eventually(async () => {
      const rows = await harness.deliveries();
      expect(rows.filter(({ status }) => status === 'delivered')).toHaveLength(100);
    });
  });
});
