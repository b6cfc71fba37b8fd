import { Inject } from '@nestjs/common';
import type { BackendFactory, ConnectionOptions, IQueueBackend } from 'bullmq';
import type { RedisSettings } from '../config/redis-settings.js';
import { postgresBackend } from './postgres-backend.js';
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

/** Redis when there is one, PostgreSQL otherwise. */
export const queueBackend = ({ redis, databaseUrl }: QueueLocation): QueueBackend =>
  redis === undefined ? postgresBackend(databaseUrl) : redisBackend(redis);
