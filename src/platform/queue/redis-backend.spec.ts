import { expect, it } from '@jest/globals';
import type { RedisSettings } from '../config/redis-settings.js';
import { redisBackend } from './redis-backend.js';

/** Nothing listens there. */
const AT = { host: '127.0.0.1', port: 1 };
const SHARED = { username: undefined, password: undefined, tls: undefined };
const SERVER: RedisSettings = { kind: 'server', ...AT, db: 0, ...SHARED };
const CLUSTER: RedisSettings = { kind: 'cluster', nodes: [AT], ...SHARED };

it.each([
  ['server', SERVER, 'bull'],
  ['cluster', CLUSTER, '{bull}'],
] as const)('redisBackend stores jobs of a %s under keys that one script may use', async (_, settings, prefix) => {
  const { factory, producer } = redisBackend(settings);
  const options = { connection: producer };
  const made = factory('lanes', options, {});
  made.on('error', () => undefined);
  expect(options).toMatchObject({ prefix });
  await made.close(true);
});
