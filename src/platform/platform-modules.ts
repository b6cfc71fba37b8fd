import type { DynamicModule, Type } from '@nestjs/common';
import { ClockModule } from './clock/clock-steering.js';
import type { Config } from './config/config.js';
import { ConfigModule } from './config/config.module.js';
import { DatabaseModule } from './database/database.module.js';
import type { ServingOptions } from './database/data-source-options.js';
import type { ReplicaSettings } from './database/replica.js';
import { EncryptionModule } from './encryption/encryption.js';
import { HealthModule } from './health/operations-routes.js';
import { ObservabilityModule } from './observability/metrics.js';
import { OutboundModule } from './outbound/outbound.module.js';
import { QueueModule } from './queue/queue.module.js';

/** How a process stands on the platform where API and worker differ. */
interface ProcessDatabase {
  /** Connections to PostgreSQL, besides those of the queue and the limits. */
  poolSize?: number;
  /** Of a process that reads what decides nothing. */
  replica?: ReplicaSettings;
}

/** What the API and the worker stand on alike. */
export const platformModules = (
  config: Config,
  databaseUrl: string,
  { poolSize = config.databasePoolSize, replica }: ProcessDatabase = {},
): (DynamicModule | Type)[] => [
  ConfigModule.forRoot(config),
  EncryptionModule,
  DatabaseModule.forRoot(databaseUrl, poolSize, servingOptions(config), replica),
  ObservabilityModule,
  ClockModule,
  // it listens, which takes a session
  QueueModule.forRoot({ redis: config.redis, databaseUrl: config.databaseDirectUrl ?? databaseUrl }),
  OutboundModule,
  HealthModule,
];

export const servingOptions = (config: Config): ServingOptions => ({
  isPooled: config.databaseDirectUrl !== undefined,
  maxLifetimeSeconds: config.databaseMaxLifetimeSeconds,
});

/** As many connections as to the primary: what goes there without a replica goes here with one. */
export const replicaSettings = (config: Config): ReplicaSettings | undefined =>
  config.databaseReplicaUrl === undefined
    ? undefined
    : {
        url: config.databaseReplicaUrl,
        maxLagMs: config.databaseReplicaMaxLagMs,
        poolSize: config.databasePoolSize,
        serving: servingOptions(config),
      };
