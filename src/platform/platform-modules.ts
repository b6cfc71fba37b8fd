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

/** The database settings in which API and worker differ. */
interface ProcessDatabase {
  /** Connections to PostgreSQL, without those of the queue and the rate limits. */
  poolSize?: number;
  /** Replica for a process with reads that no decision depends on. */
  replica?: ReplicaSettings;
}

/** The platform modules of both the API and the worker. */
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
  // LISTEN needs a session of its own
  QueueModule.forRoot({ redis: config.redis, databaseUrl: config.databaseDirectUrl ?? databaseUrl }),
  OutboundModule,
  HealthModule,
];

export const servingOptions = (config: Config): ServingOptions => ({
  isPooled: config.databaseDirectUrl !== undefined,
  maxLifetimeSeconds: config.databaseMaxLifetimeSeconds,
});

/** As many connections as to the primary: without a replica the same reads go to the primary. */
export const replicaSettings = (config: Config): ReplicaSettings | undefined =>
  config.databaseReplicaUrl === undefined
    ? undefined
    : {
        url: config.databaseReplicaUrl,
        maxLagMs: config.databaseReplicaMaxLagMs,
        poolSize: config.databasePoolSize,
        serving: servingOptions(config),
      };
