import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueueWorld, READY, WITHOUT_QUEUE } from '../support/app/queue-world.js';
import { RedisSentinels } from '../support/servers/redis-sentinel.js';
import { temporaryFolder } from '../support/servers/servers.js';

describe('API and worker with a Redis behind Sentinel', () => {
  let redis: RedisSentinels;
  let world: QueueWorld;
  beforeAll(async () => {
    redis = await RedisSentinels.start({ folder: await temporaryFolder(), replicas: 2 });
    world = await QueueWorld.start(redis.env);
  });
  afterAll(async () => {
    await world.destroy();
    await redis.stop();
  });

  it('find each master, deliver each webhook once whatever becomes of them, and stop in good order', async () => {
    // find the master with the passwords of sentinels and servers, and deliver
    await world.bothAre(READY);
    await world.pay(3);
    await world.allDelivered();
    expect(await (await redis.master()).call('EXISTS', 'bull:webhook-lanes:meta')).toBe(1);

    // take payments and deliver each webhook once while the master is killed, and go over to the next
    const former = await redis.killMaster();
    const next = await world.payDuring(redis.failedOver(former));
    await world.bothAre(READY);
    await world.pay(3);
    await world.allDelivered();
    for (const seen of world.readinessSeen.flat()) expect([READY, WITHOUT_QUEUE]).toContainEqual(seen);
    await world.hasToldOfEachLoss();
    expect(await next.call('EXISTS', 'bull:webhook-lanes:meta')).toBe(1);

    // leave a master that becomes a replica by hand, without a restart
    const promoted = await redis.master();
    await redis.failOverByHand();
    await world.payDuring(redis.failedOver(promoted));
    await world.bothAre(READY);
    await world.pay(3);
    await world.allDelivered();

    // deliver while neither master nor sentinels answer, and stop in good order
    await redis.stop();
    await world.bothAre(WITHOUT_QUEUE);
    await world.pay(3);
    await world.allDelivered();
    await world.stopBoth();
  }, 600_000);
});
