import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { featuresModule, startApplication, type TestApplication, testConfig } from '../../support/app/application.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const POOL_SIZE = 2;

describe('metrics of the database', () => {
  let test: TestDatabase;
  let app: TestApplication;
  beforeAll(async () => {
    test = await createTestDatabase();
    const config = testConfig({ DATABASE_URL: test.url, DATABASE_POOL_SIZE: String(POOL_SIZE) });
    app = await startApplication(featuresModule(config, test.url, []));
  });
  afterAll(async () => {
    await app.close();
    await test.drop();
  });

  const valueOf = async (series: string): Promise<number> => {
    const text = await app.get(Metrics).render();
    const line = text.split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? NaN : Number(line.split(' ').at(-1));
  };

  it('tell of a pool that is exhausted, by both ways to a connection, also when the database is not asked', async () => {
    const { pool } = app.get(Database);
    const held = [await pool.connect(), await pool.connect()];
    const waiting = app.get(Database).query({ name: 'test.one', text: 'SELECT 1 AS one' });
    expect(await valueOf('database_pool_connections{state="busy"}')).toBe(POOL_SIZE);
    expect(await valueOf('database_pool_connections{state="idle"}')).toBe(0);
    expect(await valueOf('database_pool_limit')).toBe(POOL_SIZE);
    // a reading of rows may wait as well
    expect(await valueOf('database_pool_waiting')).toBeGreaterThanOrEqual(1);
    const waits = await valueOf('database_pool_wait_seconds_count');
    for (const client of held) client.release();
    expect(await waiting).toEqual([{ one: 1 }]);
    expect(await valueOf('database_pool_waiting')).toBe(0);
    expect(await valueOf('database_pool_wait_seconds_count')).toBeGreaterThan(waits);
    expect(await valueOf('database_pool_wait_seconds_sum')).toBeGreaterThan(0);
  });

  it('tell how old the oldest snapshot is, and that there is none', async () => {
    const holder = new pg.Client({ connectionString: test.url });
    await holder.connect();
    await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await holder.query('SELECT 1');
    const first = await eventually<number | null>(async () => {
      const age = await valueOf('database_oldest_snapshot_seconds');
      return age > 0 ? age : null;
    });
    await eventually(async () => expect(await valueOf('database_oldest_snapshot_seconds')).toBeGreaterThan(first));
    await holder.end();
  });
});
