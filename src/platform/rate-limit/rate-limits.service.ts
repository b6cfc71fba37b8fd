import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../observability/metrics.js';
import { PermitStore } from './permit-store.js';
import { Settlement } from './settlement.js';
import { type Limit, SharedLimit } from './shared-limit.js';

/** Makes the limits that all API processes keep to together. */
@Injectable()
export class RateLimits implements OnApplicationShutdown {
  private readonly settlement: Settlement;
  private readonly refusals: Counter<'limit'>;

  constructor(
    private readonly store: PermitStore,
    metrics: Metrics,
  ) {
    this.settlement = new Settlement(store, () => performance.now());
    this.refusals = metrics.counter({
      name: 'rate_limit_refusals_total',
      help: 'Requests refused by a rate limit',
      labelNames: ['limit'],
    });
  }

  /** Once per name and process. `undefined` for a limit of 0: it is switched off. */
  define(limit: Limit): SharedLimit | undefined {
    if (limit.perSecond === 0) return undefined;
    return new SharedLimit(limit, this.settlement, (name) => this.refusals.inc({ limit: name }));
  }

  async onApplicationShutdown(): Promise<void> {
    this.settlement.close();
    await this.store.close();
  }
}
