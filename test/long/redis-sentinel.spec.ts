import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueueHarness, READY, WITHOUT_QUEUE } from '../support/app/queue-harness.js';
import { RedisSentinels } from '../support/servers/redis-sentinel.js';
import { temporaryFolder } from '../support/servers/servers.js';

describe('API and worker with a Redis behind Sentinel', () => {
  let redis: RedisSentinels;
  let harness: QueueHarness;
  beforeAll(async () => {
    redis = await RedisSentinels.start({ folder: await temporaryFolder(), replicas: 2 });
    harness = await QueueHarness.start(redis.env);
  });
  afterAll(async () => {
    await harness.destroy();
    await redis.stop();
  });

  it('find each master, deliver each webhook once despite failovers and outages, and stop cleanly', async () => {
    // processes find the master with the passwords of sentinels and servers, and deliver
    await harness.bothAre(READY);
    await harness.pay(3);
    await harness.allDelivered();
    expect(await (await redis.master()).call('EXISTS', 'bull:webhook-lanes:meta')).toBe(1);

    // payments and webhooks continue, each webhook once, while the master is killed and the next one takes over
    const former = await redis.killMaster();
    const next = await harness.payDuring(redis.failedOver(former));
    await harness.bothAre(READY);
    await harness.pay(3);
    await harness.allDelivered();
    for (const seen of harness.readinessSeen.flat()) expect([READY, WITHOUT_QUEUE]).toContainEqual(seen);
    await harness.hasLoggedEachReturn();
    expect(await next.call('EXISTS', 'bull:webhook-lanes:meta')).toBe(1);

    // processes leave a master that is demoted to a replica by hand, without a restart
    const promoted = await redis.master();
    await redis.failOverByHand();
    await harness.payDuring(redis.failedOver(promoted));
    await harness.bothAre(READY);
    await harness.pay(3);
    await harness.allDelivered();

    // webhooks are delivered while neither master nor sentinels answer, and both processes stop cleanly
    await redis.stop();
    await harness.bothAre(WITHOUT_QUEUE);
    await harness.pay(3);
    await harness.allDelivered();
    await harness.stopBoth();
  }, 600_000);
});
