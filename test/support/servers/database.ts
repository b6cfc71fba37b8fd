import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Queryable, Statement, Transaction } from '../../../src/platform/database/database.js';
import { testServers } from './servers.js';

/** Has the shape of `Database`, so that it can replace it: `database as unknown as Database`, or structurally. */
interface TestQueryable extends Queryable {
  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
}

export interface TestDatabase {
  url: string;
  pool: pg.Pool;
  database: TestQueryable;
  /** Every row of every table (schemas public and bullmq), as stable text: equal texts mean equal contents. */
  dump(): Promise<string>;
  /** Closes the pool and drops the database, even if others are still connected. */
  drop(): Promise<void>;
}

/** Reads `bigint` and `bigint[]` like `integer` and `integer[]`, as the service does. */
const READ_AS = new Map([
  [20, 23],
  [1016, 1007],
]);

/** A new migrated database for the test file, cloned from the template in about 30 ms. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return openDatabase(testServers().templateDatabase);
}

/** A copy of the database, to which no client may be connected. */
export function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return openDatabase(new URL(url).pathname.slice(1));
}

/** A database without any table. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return openDatabase('template0');
}

async function openDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  // copies files instead of writing the log: half the work here, and dropping the database is cheaper, too
  await administrate(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  const url = new URL(testServers().databaseUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 10, types: { getTypeParser } });
  // a test may kill connections or drop the database; that is no failure of the test
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return {
    url: url.href,
    pool,
    database: queryable(pool),
    dump: () => dump(pool),
    drop: async () => {
      // a connection that the test has not released must not delay the drop
      await Promise.race([pool.end(), delay(2_000, undefined, { ref: false })]);
      await administrate(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** bigint as number, like the service's own connections; all other types as pg does. */
const getTypeParser = ((oid: number, format?: 'text'): unknown =>
  pg.types.getTypeParser(READ_AS.get(oid) ?? oid, format)) as typeof pg.types.getTypeParser;

async function administrate(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: testServers().databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function queryable(pool: pg.Pool): TestQueryable {
  const run = async <Row>(on: pg.Pool | pg.PoolClient, statement: Statement, values: unknown[]): Promise<Row[]> =>
    (await on.query<Row & pg.QueryResultRow>({ ...statement, values })).rows;
  return {
    pool,
    query: <Row>(statement: Statement, values: unknown[] = []) => run<Row>(pool, statement, values),
    async transaction<T>(work: (transaction: Transaction) => Promise<T>) {
      const client = await pool.connect();
      const whenCommitted: (() => void)[] = [];
      try {
        await client.query('BEGIN');
        const result = await work({
          inTransaction: true,
          query: <Row>(statement: Statement, values: unknown[] = []) => run<Row>(client, statement, values),
          onCommit: (then) => void whenCommitted.push(then),
        });
        await client.query('COMMIT');
        for (const then of whenCommitted) then();
        return result;
      } catch (error) {
        await client.query('ROLLBACK');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}

/** Includes sequences: a nextval without a row is a change. Excludes unlogged tables: a crash empties them. */
async function dump(pool: pg.Pool): Promise<string> {
  const { rows: relations } = await pool.query<{ name: string; kind: string }>(
    `SELECT c.oid::regclass::text AS name, c.relkind::text AS kind FROM pg_class c
     WHERE c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname IN ('public', 'bullmq'))
       AND c.relkind IN ('r', 'S') AND c.relpersistence <> 'u' ORDER BY 1`,
  );
  const parts: string[] = [];
  for (const { name, kind } of relations) {
    const columns = kind === 'S' ? 'last_value, is_called' : 't.*';
    const { rows } = await pool.query<{ row: string }>(
      `SELECT r::text AS row FROM (SELECT ${columns} FROM ${name} t) r ORDER BY 1`,
    );
    parts.push(`${name}\n${rows.map(({ row }) => `  ${row}\n`).join('')}`);
  }
  return parts.join('');
}
