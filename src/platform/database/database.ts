import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { watchConnections } from './connection-watchdog.js';
import { PoolQueries } from './pool-queries.js';

export type { Queryable, Statement, Transaction } from './pool-queries.js';

/** Longer than `statement_timeout` (`session-settings.ts`), so that the server ends a slow statement first. */
export const READ_TIMEOUT_MS = 12_000;

/**
 * The hot path's access to PostgreSQL: prepared statements on TypeORM's own connection pool, which takes a third less
 * time per statement than a query runner. Everything else uses entities and repositories.
 */
@Injectable()
export class Database extends PoolQueries {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(poolOf(dataSource));
    watchConnections(this.pool, READ_TIMEOUT_MS);
  }
}

/** The pool inside TypeORM's PostgreSQL driver. */
const poolOf = (dataSource: DataSource): Pool => (dataSource.driver as unknown as { master: Pool }).master;
