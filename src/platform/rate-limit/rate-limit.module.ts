import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { RedisOptions } from 'ioredis';
import type { PoolConfig } from 'pg';
import { queueBackend, type QueueLocation } from '../queue/queue-backend.js';
import { PermitStore } from './permit-store.js';
import { PostgresPermitStore } from './postgres-permit-store.js';
import { RateLimits } from './rate-limits.service.js';
import { RedisPermitStore } from './redis-permit-store.js';

/** `RateLimits` for every module, with its store where the queue is: in Redis, or without one in PostgreSQL. */
@Global()
@Module({})
export class RateLimitModule {
  static forRoot(location: QueueLocation): DynamicModule {
    return {
      module: RateLimitModule,
      providers: [{ provide: PermitStore, useFactory: () => permitStore(location) }, RateLimits],
      exports: [RateLimits],
    };
  }
}

/** Connects as the producers of the queue do. */
export function permitStore(location: QueueLocation): PermitStore {
  const { kind, producer } = queueBackend(location);
  return kind === 'redis'
    ? new RedisPermitStore(producer as RedisOptions & { url: string })
    : new PostgresPermitStore(producer as PoolConfig);
}
