import { Inject } from '@nestjs/common';
import type { BackendFactory, ConnectionOptions, IQueueBackend } from 'bullmq';
import type { RedisSettings } from '../config/redis-settings.js';
import { pause } from '../../shared/clock.js';
import { postgresBackend } from './postgres-backend.js';
import { redisBackend } from './redis-backend.js';

export interface QueueLocation {
  /** `undefined`: the queue is in PostgreSQL. */
  redis: RedisSettings | undefined;
  databaseUrl: string;
}

/** Where BullMQ stores its jobs, and how to connect to it. */
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

/** Redis if it is configured, otherwise PostgreSQL. */
export const queueBackend = ({ redis, databaseUrl }: QueueLocation): QueueBackend =>
  pauseAfterRefusal(redis === undefined ? postgresBackend(databaseUrl) : redisBackend(redis));

const AFTER_REFUSAL_MS = 500;

/**
 * Pauses after a refused request for a job. A worker asks again at once: BullMQ waits only when the connection is lost.
 * Without the pause, a Redis that cannot save, or a PostgreSQL that is read-only, would get thousands of requests a
 * second.
 */
const pauseAfterRefusal = (backend: QueueBackend): QueueBackend => ({
  ...backend,
  factory: (...args) => {
    const made = backend.factory(...args);
    const take = made.moveToActive.bind(made);
    made.moveToActive = (...job) =>
      take(...job).catch(async (error: unknown) => {
        await pause(AFTER_REFUSAL_MS);
        throw error;
      });
    return made;
  },
});
