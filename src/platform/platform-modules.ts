import type { DynamicModule, Type } from '@nestjs/common';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import { EncryptionModule } from './encryption/encryption.js';
import { HealthModule } from './health/operations-routes.js';
import { ObservabilityModule } from './observability/metrics.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { QueueModule } from './queue/queue.module.js';

/** What the API and the worker stand on alike. */
export const platformModules = (config: Config, databaseUrl: string): (DynamicModule | Type)[] => [
  ConfigModule.forRoot(config),
  EncryptionModule,
  DatabaseModule.forRoot(databaseUrl, config.databasePoolSize),
  ObservabilityModule,
  QueueModule.forRoot({ redis: config.redis, databaseUrl }),
  OutboundModule,
  HealthModule,
];
