import { type DynamicModule, Module } from '@nestjs/common';
import { AuditWorkerModule } from '../audit/audit-retention.job.js';
import { FlowsWorkerModule } from '../flows/flows-worker.module.js';
import { InsightsWorkerModule } from '../insights/insights-worker.module.js';
import { PaymentsWorkerModule } from '../payments/payments-worker.module.js';
import type { Config } from '../platform/config/config.js';
import { CountersWorkerModule } from '../platform/counters/counters.job.js';
import { platformModules } from '../platform/platform-modules.js';
import { WebhooksWorkerModule } from '../webhooks/webhooks-worker.module.js';
import { COUNTERS } from './counters.js';

/** Enough for two claims, two records and a scan at once, which is all that a worker needs, regardless of its load. */
const poolSize = ({ databasePoolSize }: Config): number => Math.max(2, Math.ceil(databasePoolSize / 2));

/** The worker process: queue processors and timers; its only routes are health and metrics. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ...platformModules(config, databaseUrl, { poolSize: poolSize(config) }),
        AuditWorkerModule,
        CountersWorkerModule.keeping(COUNTERS),
        FlowsWorkerModule,
        InsightsWorkerModule,
        PaymentsWorkerModule,
        WebhooksWorkerModule,
      ],
    };
  }
}
