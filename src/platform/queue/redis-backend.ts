import {
  type BackendFactory,
  type ConnectionOptions,
  createIORedisClient,
  createRedisBackend,
  type IQueueBackend,
  RedisConnection,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { RedisSettings } from '../config/redis-settings.js';
import { connectRedis, keyPrefix, type Patience, type RedisClient } from '../redis/connect-redis.js';

/** BullMQ's default. */
const PREFIX = 'bull';

/** Connection options that BullMQ passes on to our client factory. */
interface OurOptions {
  ourRedis: { settings: RedisSettings; patience: Patience };
}

/** A backend that stores BullMQ's jobs in Redis, on connections that we create. */
export function redisBackend(settings: RedisSettings) {
  RedisConnection.clientFactory = (options) => createIORedisClient(clientOf(options as RedisOptions));
  const connection = (patience: Patience): ConnectionOptions & OurOptions => ({ ourRedis: { settings, patience } });
  const prefix = keyPrefix(settings, PREFIX);
  const factory: BackendFactory<IQueueBackend> = (name, options, extra) =>
    // not a copy: a worker adds to its options later
    createRedisBackend(name, Object.assign(options, { prefix }), extra);
  return { kind: 'redis' as const, factory, producer: connection('fail'), consumer: connection('wait') };
}

/** BullMQ has one client factory for the whole process; options without ours are for ioredis. */
function clientOf({ ourRedis, url, ...options }: RedisOptions & Partial<OurOptions> & { url?: string }): RedisClient {
  if (!ourRedis) return url === undefined ? new Redis(options) : new Redis(url, options);
  const { connectionName } = options;
  const { settings, patience } = ourRedis;
  return connectRedis(settings, { patience, ...(connectionName !== undefined && { connectionName }) });
}
