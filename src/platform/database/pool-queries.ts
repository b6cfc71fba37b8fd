import { Logger } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { parameterOf } from './parameters.js';

/** A named SQL text. It is prepared under its name, once per connection. */
export interface Statement {
  name: string;
  text: string;
}

export interface Queryable {
  /** Runs a prepared statement and returns its rows; `bigint` arrives as number, `numeric` as text, times as `Date`. */
  query<Row>(statement: Statement, values?: unknown[]): Promise<Row[]>;
}

/** A transaction in progress: all statements that run through it commit or roll back together. */
export interface Transaction extends Queryable {
  readonly inTransaction: true;
  /**
   * Calls `then` after the commit, and never without one. An error in `then` is logged, because the commit cannot be
   * undone.
   */
  onCommit(then: () => void): void;
}

const run = async <Row>(on: Pool | PoolClient, statement: Statement, values: unknown[]): Promise<Row[]> => {
  const parameters = values.map(parameterOf);
  const result = (await on.query({ values: parameters, ...statement })) as QueryResult & { rows: Row[] };
  return result.rows;
};

/** Prepared statements and transactions on the connections of a pool. */
export class PoolQueries implements Queryable {
  private readonly logger = new Logger('Database');

  constructor(readonly pool: Pool) {}

  query<Row>(statement: Statement, values: unknown[] = []): Promise<Row[]> {
    return run<Row>(this.pool, statement, values);
  }

  /** Commits when `work` resolves, rolls back when it throws. A broken connection is dropped from the pool. */
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within('BEGIN', work);
  }

  /** Like {@link transaction}, but read-only, and all statements see the database as of the first one. */
  readOnly<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.within('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work);
  }

  private async within<T>(begin: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const whenCommitted: (() => void)[] = [];
    let broken: Error | undefined;
    let result: T;
    try {
      await client.query(begin);
      result = await work({
        inTransaction: true,
        query: <Row>(statement: Statement, values: unknown[] = []) => run<Row>(client, statement, values),
        onCommit: (then) => void whenCommitted.push(then),
      });
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch((rollbackError: Error) => (broken = rollbackError));
      throw error;
    } finally {
      client.release(broken);
    }
    for (const then of whenCommitted) this.callAfterCommit(then);
    return result;
  }

  private callAfterCommit(then: () => void): void {
    try {
      then();
    } catch (error) {
      this.logger.error({ msg: 'a step after a commit failed', err: error });
    }
  }
}
