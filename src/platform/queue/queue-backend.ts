import { Inject } from '@nestjs/common';
import { type BackendFactory, type ConnectionOptions, createPostgresBackend, type IQueueBackend } from 'bullmq';
import type { RedisSettings } from '../config/redis-settings.js';
import { redisBackend } from './redis-backend.js';

export interface QueueLocation {
  /** `undefined`: the queue lives in PostgreSQL. */
  redis: RedisSettings | undefined;
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

/** The schema of BullMQ's own tables: its default, which its migrations create. */
export const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;

/** Redis when there is one, PostgreSQL otherwise. */
export const queueBackend = ({ redis, databaseUrl }: QueueLocation): QueueBackend =>
  redis === undefined ? postgresBackend(databaseUrl) : redisBackend(redis);

/** Pools small enough for an API and several workers beside TypeORM's; a worker takes one connection more, to listen. */
function postgresBackend(connectionString: string): QueueBackend {
  const shared = {
    connectionString,
    schema: QUEUE_SCHEMA,
    migrate: false,
    application_name: 'payment-orchestrator-queue',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  };
  return {
    kind: 'postgres',
    // BullMQ types its queues for Redis; each factory gets the options that were made for it
    factory: createPostgresBackend as unknown as BackendFactory<IQueueBackend>,
    producer: { ...shared, max: 2, connectionTimeoutMillis: 2_000, query_timeout: 5_000 },
    consumer: { ...shared, max: 6, connectionTimeoutMillis: 10_000, query_timeout: 20_000 },
  };
}
