// imported, because the global `performance` is a getter that costs time at each use
import { performance } from 'node:perf_hooks';
import { Injectable, type OnApplicationShutdown, type DynamicModule, Global, Module } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { PermitStore, SyncLoop } from './sync-loop.js';
import { type Limit, SharedLimit } from './shared-limit.js';
import type { PoolConfig } from 'pg';
import { queueBackend, type QueueLocation } from '../queue/queue-backend.js';
import { PostgresPermitStore } from './postgres-permit-store.js';
import { RedisPermitStore } from './redis-permit-store.js';

/** Creates the rate limits that all API processes share. */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  private readonly syncLoop: SyncLoop;
  private readonly refusals: Counter<'limit'>;
  private readonly names = new Set<string>();

  constructor(
    private readonly store: PermitStore,
    metrics: Metrics,
  ) {
    this.syncLoop = new SyncLoop(store, () => performance.now());
    this.refusals = metrics.counter({
      name: 'rate_limit_refusals_total',
      help: 'Requests refused by a rate limit',
      labels: { limit: { words: 'name of a limit', values: () => this.names } },
    });
  }

  /** Call once per name and process. `undefined` for a limit of 0, which is switched off. */
  define(limit: Limit): SharedLimit | undefined {
    if (limit.perSecond === 0) return undefined;
    this.names.add(limit.name);
    this.refusals.inc({ limit: limit.name }, 0);
    return new SharedLimit(limit, this.syncLoop, (name) => this.refusals.inc({ limit: name }));
  }

  async onApplicationShutdown(): Promise<void> {
    this.syncLoop.close();
    await this.store.close();
  }
}

/** `RateLimits` for every module. Its store is where the queue is: in Redis, or without Redis in PostgreSQL. */
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

/** The store, with the connection settings of the queue's producers. */
export const permitStore = (location: QueueLocation): PermitStore =>
  location.redis
    ? new RedisPermitStore(location.redis)
    : new PostgresPermitStore(queueBackend(location).producer as PoolConfig);
