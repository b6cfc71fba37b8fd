import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { QueueWorld, READY, WITHOUT_QUEUE } from '../support/app/queue-world.js';
import { eventually } from '../support/eventually.js';
import { startRedis, type TestRedis } from '../support/servers/redis.js';

describe('API and worker without their Redis', () => {
  let redis: TestRedis;
  let world: QueueWorld;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(() => world.destroy());
  afterAll(() => redis.stop());

  it('take payments and deliver their webhooks while it is away, and say so', async () => {
    world = await QueueWorld.start({ REDIS_URL: redis.url });
    await world.pay();
    await world.allDelivered();
    await world.bothAre(READY);

    await redis.kill();
    await world.bothAre(WITHOUT_QUEUE);
    await world.pay(5);
    await world.allDelivered();
    await world.bothAre(WITHOUT_QUEUE);
    for (const url of [world.api.url, world.worker.workerUrl]) {
      expect(await (await fetch(`${url}/metrics`)).text()).toMatch(/^queue_up 0$/m);
    }

    await redis.restart();
    await world.bothAre(READY);
    await world.pay();
    await world.allDelivered();
    await eventually(() => {
      // both have missed it, as their readiness said: one line of each
      expect([world.logged('queue lost, waiting for it'), world.logged('queue is back')]).toEqual([2, 2]);
    });
  });

  it('start without it, work, and find it once it is there', async () => {
    await redis.kill();
    world = await QueueWorld.start({ REDIS_URL: redis.url });
    await world.bothAre(WITHOUT_QUEUE);
    await world.pay(3);
    await world.allDelivered();
    await redis.restart();
    await world.bothAre(READY);
    await world.stopBoth();
  });

  // as they are with OOM and MISCONF: reads are answered
  it('say so while it refuses writes, until it takes a job again', async () => {
    world = await QueueWorld.start({ REDIS_URL: redis.url });
    const client = new Redis(redis.url);
    try {
      await client.config('SET', 'min-replicas-to-write', '1');
      await world.payDuring(world.bothAre(WITHOUT_QUEUE));
      await world.allDelivered();
    } finally {
      await client.config('SET', 'min-replicas-to-write', '0');
      client.disconnect();
    }
    await world.payDuring(world.bothAre(READY));
    await world.allDelivered();
  });
});
