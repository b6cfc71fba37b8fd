import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { boundedDataSourceOptions, type ServingOptions } from './data-source-options.js';
import { Database } from './database.js';
import { DatabaseMetrics } from './database-metrics.js';
import { REPLICA, ReplicaReads } from './replica-reads.js';
import type { ReplicaSettings } from './replica.js';
import { DatabaseGauges } from './database-gauges.js';

/** The connection pool to PostgreSQL. Features register their entities with `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(
    databaseUrl: string,
    poolSize: number,
    serving?: ServingOptions,
    replica?: ReplicaSettings,
  ): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...boundedDataSourceOptions(databaseUrl, poolSize, serving),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [
        Database,
        DatabaseMetrics,
        DatabaseGauges,
        ReplicaReads,
        ...(replica ? [{ provide: REPLICA, useValue: replica }] : []),
      ],
      exports: [Database, ReplicaReads, DatabaseGauges],
    };
  }
}
