import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { runCommandLine } from '../../src/cli/command-line.js';
import { boundedDataSourceOptions } from '../../src/platform/database/data-source-options.js';
import { Database } from '../../src/platform/database/database.js';
import { SESSION_SETTINGS } from '../../src/platform/database/session-settings.js';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant } from '../support/app/merchant.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { expectStatuses } from '../support/app/expected-statuses.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { type PgBouncer, startPgBouncer } from '../support/servers/pgbouncer.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../support/servers/servers.js';

interface SettingRow {
  name: string;
  setting: string;
}

const SETTINGS_OF_SESSION = {
  name: 'test.settings',
  text: 'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
};

describe('API and worker behind a PgBouncer in transaction mode', () => {
  let database: TestDatabase;
  let pooler: PgBouncer;
  let receiver: Receiver;
  const services: InProcessService[] = [];
  beforeAll(async () => {
    [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
    pooler = await startPgBouncer({
      folder: await temporaryFolder(),
      databaseUrl: database.url,
      // fewer than the clients have, so clients share server connections all the time
      settings: { default_pool_size: '4' },
      onStart: rememberProcess,
      onExit: forgetProcess,
    });
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await Promise.all([pooler.stop(), receiver.stop()]);
    await database.drop();
  });

  const start = async (entry: 'api' | 'worker', databaseDirectUrl?: string): Promise<InProcessService> => {
    const service = await startServiceInProcess({
      entry,
      databaseUrl: pooler.url,
      env: { DATABASE_DIRECT_URL: databaseDirectUrl },
    });
    services.push(service);
    return service;
  };
  const migrate = async (): Promise<string> => {
    let output = '';
    const env = { ...SETTINGS, DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
    const report = (text: string) => (output += text);
    expect(await runCommandLine(['migrate'], { environment: () => env, out: report, err: report })).toBe(0);
    return output;
  };
  const withPool = async <T>(work: (pooled: Database) => Promise<T>): Promise<T> => {
    const serving = { isPooled: true, maxLifetimeSeconds: 0 };
    const dataSource = await new DataSource(boundedDataSourceOptions(pooler.url, 8, serving)).initialize();
    try {
      return await work(new Database(dataSource));
    } finally {
      await dataSource.destroy();
    }
  };
  const inParallel = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => work(index)));

  it('report that DATABASE_DIRECT_URL is missing', async () => {
    await expect(start('api')).rejects.toThrow(/DATABASE_URL: .+ is a pooler .+ as DATABASE_DIRECT_URL/);
  });

  it('use the settings that `migrate` stores for the role, pay, deliver, and continue after a restart of the pooler', async () => {
    // processes refuse to start without time-outs, and name the statements that set them
    const statement = /lack enable_bitmapscan, .+: run `npm run cli -- migrate`, .+ SET statement_timeout = 10000/;
    await expect(start('api', database.url)).rejects.toThrow(statement);

    // sessions have their settings when `migrate` has stored them for the role
    expect(await migrate()).toContain('set time-outs and planner settings for the role app');
    expect(await migrate()).toContain('the role app has its time-outs and planner settings');
    const sessions = await withPool((pooled) =>
      inParallel(40, (index) => {
        const values = [Object.keys(SESSION_SETTINGS)];
        return index % 2 === 0
          ? pooled.query<SettingRow>(SETTINGS_OF_SESSION, values)
          : pooled.transaction((transaction) => transaction.query<SettingRow>(SETTINGS_OF_SESSION, values));
      }),
    );
    for (const rows of sessions) {
      expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual(SESSION_SETTINGS);
    }

    // a statement waits for a lock no longer than without the pooler
    const holder = await database.pool.connect();
    await holder.query('BEGIN; LOCK TABLE merchants');
    const reads = { name: 'test.read', text: 'SELECT FROM merchants' };
    await withPool((pooled) => expect(pooled.query(reads)).rejects.toMatchObject({ code: '55P03' }));
    await holder.query('ROLLBACK');
    holder.release();

    // statements of the same name run on shared server connections
    const rows = await withPool((pooled) =>
      inParallel(60, (index) => pooled.query({ name: `test.${index % 5}`, text: 'SELECT $1::int AS index' }, [index])),
    );
    expect(rows).toEqual(Array.from({ length: 60 }, (_, index) => [{ index }]));

    // processes pay and deliver, and continue after a restart of the pooler
    const api = await start('api', database.url);
    await start('worker', database.url);
    const merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    await merchant.createFlow('main', [(await merchant.createShop('one')).id]);
    const pay = async () => (await merchant.pay('main', { webhook_endpoint: `${receiver.url}/hook` })).id;
    await expectStatuses(receiver, await inParallel(20, pay));

    await pooler.restart();
    const id = await eventually(pay);
    await expectStatuses(receiver, [id, ...(await inParallel(20, pay))]);
  });
});
