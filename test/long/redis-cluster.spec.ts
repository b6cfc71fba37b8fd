import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { QueueHarness, READY, WITHOUT_QUEUE } from '../support/app/queue-harness.js';
import { RedisCluster } from '../support/servers/redis-cluster.js';
import { documentedUser } from '../support/servers/redis-user.js';
import { temporaryFolder } from '../support/servers/servers.js';

describe('API and worker with a Redis Cluster', () => {
  const user = documentedUser();
  let redis: RedisCluster;
  let harness: QueueHarness;
  beforeAll(async () => {
    const args = ['--user', ...user.line.split(' ')];
    redis = await RedisCluster.start({ folder: await temporaryFolder(), replicas: 1, args });
    harness = await QueueHarness.start({ ...redis.env, ...user.env });
  });
  afterAll(async () => {
    await harness.destroy();
    await redis.stop();
  });

  const META = '{bull}:webhook-lanes:meta';

  it('deliver each webhook once, also while the queue moves to another master, and stop cleanly', async () => {
    // webhooks are delivered, with all keys of the queue in one slot
    await harness.bothAre(READY);
    await harness.pay(3);
    await harness.allDelivered();
    const slot = await redis.slotOf('{bull}');
    const master = await redis.masterOf(slot);
    expect(await master.call('EXISTS', META)).toBe(1);

    // payments and webhooks continue, each webhook once, while the queue's master is killed and the next one takes over
    const former = await redis.killMasterOf(slot);
    const next = await harness.payDuring(redis.failedOver(slot, former));
    await harness.bothAre(READY);
    await harness.pay(3);
    await harness.allDelivered();
    for (const seen of harness.readinessSeen.flat()) expect([READY, WITHOUT_QUEUE]).toContainEqual(seen);
    await harness.hasLoggedEachReturn();
    expect(await next.call('EXISTS', META)).toBe(1);

    // both stop cleanly, and no command was refused
    await harness.stopBoth();
    const running = redis.nodes.filter((node) => node.isRunning);
    expect((await Promise.all(running.map((node) => node.call('ACL', 'LOG')))).flat()).toEqual([]);
  }, 600_000);
});
