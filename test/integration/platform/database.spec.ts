import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { boundedDataSourceOptions, dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { watchConnections } from '../../../src/platform/database/connection-watchdog.js';
import { Database } from '../../../src/platform/database/database.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { eventually } from '../../support/eventually.js';

const PID = { name: 'test.pid', text: 'SELECT pg_backend_pid() AS pid' };
const NUMBER = { name: 'test.number', text: 'SELECT 1 AS number' };

describe('a transaction', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database({ driver: { master: test.pool } } as unknown as DataSource);
  });
  afterAll(() => test.drop());

  it('fails, and takes nothing else along, when its connection is lost between two statements', async () => {
    const work = database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ pid: number }>(PID);
      await test.pool.query('SELECT pg_terminate_backend($1)', [session!.pid]);
      await serverHasClosed(session!.pid);
      return transaction.query(NUMBER);
    });
    await expect(work).rejects.toThrow(/terminat|not queryable/i);
    expect(await database.query(NUMBER)).toEqual([{ number: 1 }]);
  });

  it('calls back once it is committed, and not when it is not', async () => {
    const told: string[] = [];
    const seen = () => test.pool.query('SELECT 1 FROM merchants WHERE name = $1', ['committed']);
    const insert = { name: 'test.insert', text: `INSERT INTO merchants (name) VALUES ('committed')` };
    const failing = database.transaction(async (transaction) => {
      transaction.onCommit(() => told.push('rolled back'));
      await transaction.query(insert);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction(async (transaction) => {
      transaction.onCommit(() => told.push('committed'));
      await transaction.query(insert);
      expect([told, (await seen()).rowCount]).toEqual([[], 0]);
    });
    expect([told, (await seen()).rowCount]).toEqual([['committed'], 1]);
  });

  it('stays committed, and calls back the others, when a callback fails', async () => {
    const told: string[] = [];
    const answer = database.transaction((transaction) => {
      transaction.onCommit(() => {
        throw new Error('after the commit');
      });
      transaction.onCommit(() => told.push('second'));
      return transaction.query(NUMBER);
    });
    expect([await answer, told]).toEqual([[{ number: 1 }], ['second']]);
  });

  it('hears of a connection that is lost at the moment when the pool hands it on', async () => {
    await new Promise<void>((resolve) => {
      test.pool.connect((error, client, release) => {
        expect(error).toBeUndefined();
        // the last answer to one statement and the server's farewell can arrive in one piece
        expect(() => client!.emit('error', new Error('lost'))).not.toThrow();
        release();
        resolve();
      });
    });
  });

  async function serverHasClosed(pid: number): Promise<void> {
    for (;;) {
      const { rowCount } = await test.pool.query('SELECT 1 FROM pg_stat_activity WHERE pid = $1', [pid]);
      if (rowCount === 0) return;
    }
  }
});

describe('a connection without an answer', () => {
  const READ_TIMEOUT_MS = 300;
  const SLEEP = { name: 'test.sleep', text: 'SELECT pg_sleep($1)' };
  let test: TestDatabase;
  let pool: pg.Pool;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  beforeEach(() => {
    pool = new pg.Pool({ connectionString: test.url, max: 1 });
    // the database may be dropped before the server has closed a connection that has ended here
    pool.on('error', () => undefined);
    database = new Database({ driver: { master: pool } } as unknown as DataSource);
    watchConnections(pool, READ_TIMEOUT_MS);
  });
  afterEach(() => pool.end());
  afterAll(() => test.drop());

  it('is cut, and another one takes its place', async () => {
    await expect(database.query(SLEEP, [60])).rejects.toThrow('Query read timeout');
    expect(await database.query(NUMBER)).toEqual([{ number: 1 }]);
  });

  it('fails its transaction without a ROLLBACK on the lost connection', async () => {
    const endless = database.transaction(async (transaction) => {
      await transaction.query({ name: 'test.table', text: 'CREATE TABLE never_committed ()' });
      await transaction.query(SLEEP, [60]);
    });
    await expect(endless).rejects.toThrow('Query read timeout');
    expect(await database.query({ name: 'test.none', text: "SELECT to_regclass('never_committed') AS found" })).toEqual(
      [{ found: null }],
    );
  });

  it('is not handed on by TypeORM either', async () => {
    const dataSource = await new DataSource(dataSourceOptions(test.url, 1)).initialize();
    watchConnections(new Database(dataSource).pool, READ_TIMEOUT_MS);
    await expect(dataSource.query('SELECT pg_sleep(60)')).rejects.toThrow('Query read timeout');
    expect(await dataSource.query('SELECT 1 AS number')).toEqual([{ number: 1 }]);
    await dataSource.destroy();
  });

  it('is left alone while nobody uses it', async () => {
    const [before] = await database.query<{ pid: number }>(PID);
    await database.query(SLEEP, [0]);
    const idleUntil = performance.now() + 2 * READ_TIMEOUT_MS;
    await eventually(() => performance.now() > idleUntil);
    expect(await database.query(PID)).toEqual([before]);
  });

  it('is left alone when it was this process that stood still', async () => {
    await database.query(NUMBER);
    const answer = database.query<{ pid: number }>(PID);
    await new Promise(setImmediate); // the statement is on its way
    for (const until = performance.now() + 2 * READ_TIMEOUT_MS; performance.now() < until;);
    expect(await answer).toHaveLength(1);
  });
});

describe('the bounds of statements', () => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());

  const boundOf = async (options: typeof dataSourceOptions): Promise<string[]> => {
    const dataSource = await new DataSource(options(test.url, 1)).initialize();
    const bounds = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const rows = await Promise.all(bounds.map((bound) => dataSource.query(`SHOW ${bound}`)));
    await dataSource.destroy();
    return rows.flatMap(([row]) => Object.values(row as Record<string, string>));
  };

  it('are set for the processes that serve, and not for migrations', async () => {
    expect(await boundOf(boundedDataSourceOptions)).toEqual(['10s', '500ms', '5s']);
    expect(await boundOf(dataSourceOptions)).toEqual(['0', '0', '0']);
  });
});
