import { type DynamicModule, Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Database } from './database.js';
import { dataSourceOptions } from './data-source-options.js';

/**
 * No statement of ours takes a second, and no transaction waits for anything but its next statement. So that a request
 * fails in time and a lock is let go when the network swallows what either side says: the server gives up first, and
 * when it does not answer at all, we do.
 */
const BOUNDS = { statement_timeout: 10_000, query_timeout: 12_000, idle_in_transaction_session_timeout: 15_000 };

/** The connection pool to PostgreSQL. Features register their entities with `TypeOrmModule.forFeature`. */
@Global()
@Module({})
export class DatabaseModule {
  static forRoot(databaseUrl: string, poolSize: number): DynamicModule {
    const options = dataSourceOptions(databaseUrl, poolSize);
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...options,
          extra: { ...(options.extra as object), ...BOUNDS },
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [Database],
      exports: [Database],
    };
  }
}
