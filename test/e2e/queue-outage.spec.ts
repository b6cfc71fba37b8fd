import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { QueueHarness, READY, WITHOUT_QUEUE } from '../support/app/queue-harness.js';
import { eventually } from '../support/eventually.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';

describe('API and worker without their Redis', () => {
  let redis: TestRedis;
  let harness: QueueHarness;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => harness.destroy());
  afterAll(() => redis.stop());

  it('take payments and deliver their webhooks during an outage, and report it', async () => {
    harness = await QueueHarness.start({ REDIS_URL: redis.url });
    await harness.pay();
    await harness.allDelivered();
    await harness.bothAre(READY);

    await redis.kill();
    await harness.bothAre(WITHOUT_QUEUE);
    await harness.pay(5);
    await harness.allDelivered();
    await harness.bothAre(WITHOUT_QUEUE);
    for (const url of [harness.api.url, harness.worker.workerUrl]) {
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^queue_up 0$/m);
    }

    await redis.restart();
    await harness.bothAre(READY);
    await harness.pay();
    await harness.allDelivered();
    await eventually(() => {
      // both have lost it, as their readiness said: each logs one line
      expect([harness.logged('queue lost, waiting for it'), harness.logged('queue is back')]).toEqual([2, 2]);
    });
  });

  it('start without it, work, and connect when it is available', async () => {
    await redis.kill();
    harness = await QueueHarness.start({ REDIS_URL: redis.url });
    await harness.bothAre(WITHOUT_QUEUE);
    await harness.pay(3);
    await harness.allDelivered();
    await redis.restart();
    await harness.bothAre(READY);
    await harness.stopBoth();
  });

  // as with OOM and MISCONF, reads are answered
  it('report an outage while it refuses writes, until it accepts a job again', async () => {
    harness = await QueueHarness.start({ REDIS_URL: redis.url });
    const client = new Redis(redis.url);
    try {
      await client.config('SET', 'min-replicas-to-write', '1');
      await harness.payDuring(harness.bothAre(WITHOUT_QUEUE));
      await harness.allDelivered();
    } finally {
      await client.config('SET', 'min-replicas-to-write', '0');
      client.disconnect();
    }
    await harness.payDuring(harness.bothAre(READY));
    await harness.allDelivered();
  });
});
