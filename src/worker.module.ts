import { type DynamicModule, Module } from '@nestjs/common';
import { PaymentsWorkerModule } from './payments/payments-worker.module.js';
import type { Config } from './platform/config/config.js';
import { platformModules } from './platform/platform-modules.js';
import { WebhooksWorkerModule } from './webhooks/webhooks-worker.module.js';

/** The worker process: processors and timers; its only routes are health and metrics. */
@Module({})
export class WorkerModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: WorkerModule,
      imports: [...platformModules(config, databaseUrl), PaymentsWorkerModule, WebhooksWorkerModule],
    };
  }
}
