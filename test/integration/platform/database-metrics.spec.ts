import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Database } from '../../../src/platform/database/database.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { featuresModule, startApplication, type TestApplication, testConfig } from '../../support/app/application.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase } from '../../support/servers/database.js';

const POOL_SIZE = 2;

interface Fixture {
  app: TestApplication;
  url: string;
  render: () => Promise<string>;
  valueOf: (series: string) => Promise<number>;
}

const valueIn = (text: string, series: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? NaN : Number(line.split(' ').at(-1));
};

/** The tests wait for results that are reused for seconds: each has its own application, and they run concurrently. */
const on = (run: (fixture: Fixture) => Promise<void>) => async (): Promise<void> => {
  const test = await createTestDatabase();
  const config = testConfig({ DATABASE_URL: test.url, DATABASE_POOL_SIZE: String(POOL_SIZE) });
  const app = await startApplication(featuresModule(config, test.url, []));
  const render = () => app.get(Metrics).render();
  try {
    await run({ app, url: test.url, render, valueOf: async (series) => valueIn(await render(), series) });
  } finally {
    await app.close();
    await test.drop();
  }
};

describe('DatabaseMetrics', () => {
  it.concurrent(
    'reports an exhausted pool, and waits for it no longer than for gauges from the database',
    on(async ({ app, render, valueOf }) => {
      const { pool } = app.get(Database);
      const held = [await pool.connect(), await pool.connect()];
      const waiting = app.get(Database).query({ name: 'test.one', text: 'SELECT 1 AS one' });
      const text = await render();
      for (const client of held) client.release();
      expect(await waiting).toEqual([{ one: 1 }]);
      expect(valueIn(text, 'database_pool_connections{state="busy"}')).toBe(POOL_SIZE);
      expect(valueIn(text, 'database_pool_connections{state="idle"}')).toBe(0);
      expect(valueIn(text, 'database_pool_limit')).toBe(POOL_SIZE);
      expect(valueIn(text, 'database_pool_waiting')).toBeGreaterThanOrEqual(1);
      expect(valueIn(text, 'database_oldest_snapshot_seconds')).toBeNaN();
      await eventually(async () => expect(await valueOf('database_pool_waiting')).toBe(0));
      const waits = 'database_pool_wait_seconds_count';
      expect(await valueOf(waits)).toBeGreaterThan(valueIn(text, waits));
    }),
  );

  it.concurrent(
    'reports the age of the oldest snapshot, and 0 without one',
    on(async ({ url, valueOf }) => {
      const holder = new pg.Client({ connectionString: url });
      await holder.connect();
      await holder.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await holder.query('SELECT 1');
      const first = await eventually<number | null>(async () => {
        const age = await valueOf('database_oldest_snapshot_seconds');
        return age > 0 ? age : null;
      });
      await eventually(async () => expect(await valueOf('database_oldest_snapshot_seconds')).toBeGreaterThan(first));
      await holder.end();
    }),
  );
});
