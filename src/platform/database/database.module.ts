import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { boundedDataSourceOptions } from './data-source-options.js';
import { Database } from './database.js';
import { DatabaseMetrics } from './database-metrics.js';
import { RowGauges } from './row-gauges.js';

/** The connection pool to PostgreSQL. Features register their entities with `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(databaseUrl: string, poolSize: number): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...boundedDataSourceOptions(databaseUrl, poolSize),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [Database, DatabaseMetrics, RowGauges],
      exports: [Database, RowGauges],
    };
  }
}
