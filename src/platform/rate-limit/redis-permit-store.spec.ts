import { expect, it } from '@jest/globals';
import type { RedisSettings } from '../config/redis-settings.js';
import { RedisPermitStore } from './redis-permit-store.js';

/** Nothing listens there. */
const NODES = [{ host: '127.0.0.1', port: 1 }];
const CLUSTER: RedisSettings = {
  kind: 'cluster',
  nodes: NODES,
  username: undefined,
  password: undefined,
  tls: undefined,
};

it('RedisPermitStore gives the keys of a cluster one slot, so that one script may use them', async () => {
  const store = new RedisPermitStore(CLUSTER);
  let sent: unknown[] = [];
  const redis = Reflect.get(store, 'redis') as { spendPermits: unknown };
  redis.spendPermits = (...given: unknown[]) => Promise.resolve(((sent = given), [1_500, 0]));
  const spendings = ['client:one', 'client:two'].map((key) => ({ key, ms: 2 }));
  expect(await store.spend(spendings)).toEqual([1.5, 0]);
  expect(sent).toEqual([2, '{rate-limit}:2:client:one', '{rate-limit}:2:client:two', 2_000, 2_000]);
  await store.close();
});
