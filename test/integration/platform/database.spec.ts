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

describe('Database.transaction', () => {
  let test: TestDatabase;
  let database: Database;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database({ driver: { master: test.pool } } as unknown as DataSource);
  });
  afterAll(() => test.drop());

  it('fails, without effects on other work, when its connection is lost between two statements', async () => {
    const work = database.transaction(async (transaction) => {
      const [session] = await transaction.query<{ pid: number }>(PID);
      await test.pool.query('SELECT pg_terminate_backend($1)', [session!.pid]);
      await serverHasClosed(session!.pid);
      return transaction.query(NUMBER);
    });
    await expect(work).rejects.toThrow(/terminat|not queryable/i);
    expect(await database.query(NUMBER)).toEqual([{ number: 1 }]);
  });

  it('calls onCommit callbacks after a commit, and never without one', async () => {
    const called: string[] = [];
    const seen = () => test.pool.query('SELECT 1 FROM merchants WHERE name = $1', ['committed']);
    const insert = { name: 'test.insert', text: `INSERT INTO merchants (name) VALUES ('committed')` };
    const failing = database.transaction(async (transaction) => {
      transaction.onCommit(() => called.push('rolled back'));
      await transaction.query(insert);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await database.transaction(async (transaction) => {
      transaction.onCommit(() => called.push('committed'));
      await transaction.query(insert);
      expect([called, (await seen()).rowCount]).toEqual([[], 0]);
    });
    expect([called, (await seen()).rowCount]).toEqual([['committed'], 1]);
  });

  it('stays committed, and calls the other callbacks, when one fails', async () => {
    const called: string[] = [];
    const answer = database.transaction((transaction) => {
      transaction.onCommit(() => {
        throw new Error('after the commit');
      });
      transaction.onCommit(() => called.push('second'));
      return transaction.query(NUMBER);
    });
    expect([await answer, called]).toEqual([[{ number: 1 }], ['second']]);
  });

  it('survives the loss of a connection that the pool is just handing over', async () => {
    await new Promise<void>((resolve) => {
      test.pool.connect((error, client, release) => {
        expect(error).toBeUndefined();
        // the last response to a statement and the server's termination message can arrive together
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

describe('A connection without a response', () => {
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
    // the database may be dropped before the server has closed a connection that was ended here
    pool.on('error', () => undefined);
    database = new Database({ driver: { master: pool } } as unknown as DataSource);
    watchConnections(pool, READ_TIMEOUT_MS);
  });
  afterEach(() => pool.end());
  afterAll(() => test.drop());

  it('makes its statement fail, and the pool opens another one', async () => {
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

  it('makes a statement of TypeORM fail, too', async () => {
    const dataSource = await new DataSource(dataSourceOptions(test.url, 1)).initialize();
    watchConnections(new Database(dataSource).pool, READ_TIMEOUT_MS);
    await expect(dataSource.query('SELECT pg_sleep(60)')).rejects.toThrow('Query read timeout');
    expect(await dataSource.query('SELECT 1 AS number')).toEqual([{ number: 1 }]);
    await dataSource.destroy();
  });

  it('stays open while it is idle', async () => {
    const [before] = await database.query<{ pid: number }>(PID);
    await database.query(SLEEP, [0]);
    const idleUntil = performance.now() + 2 * READ_TIMEOUT_MS;
    await eventually(() => performance.now() > idleUntil);
    expect(await database.query(PID)).toEqual([before]);
  });

  it('stays open when this process itself was blocked', async () => {
    await database.query(NUMBER);
    const answer = database.query<{ pid: number }>(PID);
    await new Promise(setImmediate); // the statement has been sent
    for (const until = performance.now() + 2 * READ_TIMEOUT_MS; performance.now() < until;);
    expect(await answer).toHaveLength(1);
  });
});

describe('Time-outs of statements', () => {
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

  it('apply to serving processes and not to migrations', async () => {
    expect(await boundOf(boundedDataSourceOptions)).toEqual(['10s', '500ms', '5s']);
    expect(await boundOf(dataSourceOptions)).toEqual(['0', '0', '0']);
  });
});
