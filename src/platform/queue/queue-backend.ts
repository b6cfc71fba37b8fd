import { Inject } from '@nestjs/common';
import { type BackendFactory, type ConnectionOptions, createRedisBackend, type IQueueBackend } from 'bullmq';
import { postgresBackend } from './postgres-backend.js';

export interface QueueLocation {
  /** `undefined`: the queue lives in PostgreSQL. */
  redisUrl: string | undefined;
  databaseUrl: string;
}

/** Where BullMQ keeps its jobs, and how to connect there. */
export interface QueueBackend {
  kind: 'redis' | 'postgres';
  factory: BackendFactory<IQueueBackend>;
  /** For queues: calls fail within seconds while the backend is down, so that no request hangs on them. */
  producer: ConnectionOptions;
  /** For workers: calls wait until the backend is back. */
  consumer: ConnectionOptions;
}

export const QUEUE_BACKEND = Symbol('QueueBackend');

export const InjectQueueBackend = (): ParameterDecorator => Inject(QUEUE_BACKEND);

const KEEP_ALIVE_MS = 10_000;

/** Redis when there is one, PostgreSQL otherwise. */
export const queueBackend = ({ redisUrl, databaseUrl }: QueueLocation): QueueBackend =>
  redisUrl === undefined ? postgresBackend(databaseUrl) : redisBackend(redisUrl);

/**
 * ioredis waits up to 10 s when it reconnects to a Redis that is loading, and BullMQ's own retry delay grows to 20 s:
 * both are cut to at most a second. `socketTimeout` finds a connection that was cut without a word: an answer that is
 * overdue, longer than BullMQ ever blocks, ends it.
 */
function redisBackend(url: string): QueueBackend {
  const shared = {
    url,
    connectTimeout: 5_000,
    keepAlive: KEEP_ALIVE_MS,
    retryStrategy: (times: number) => Math.min(times * 100, 1_000),
    maxLoadingRetryTime: 500,
  };
  return {
    kind: 'redis',
    factory: createRedisBackend,
    producer: {
      ...shared,
      socketTimeout: 5_000,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
    },
    consumer: { ...shared, socketTimeout: 20_000, maxRetriesPerRequest: null },
  };
}
