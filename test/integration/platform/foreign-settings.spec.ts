import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { migrate } from '../../../src/schema/upgrade/migrate.js';
import { boundedDataSourceOptions, dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { migrateQueue } from '../../../src/platform/queue/queue-migration.js';
import { ApiClient } from '../../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { Merchant } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { createEmptyDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

const FOREIGN = {
  DateStyle: `'SQL, DMY'`,
  IntervalStyle: `'iso_8601'`,
  TimeZone: `'Asia/Kathmandu'`,
  bytea_output: `'escape'`,
  standard_conforming_strings: 'off',
  default_transaction_isolation: `'serializable'`,
  idle_session_timeout: `'10min'`,
  jit: 'on',
};

describe('A database with other defaults, in a schema set by the URL', () => {
  let database: TestDatabase;
  let url: string;
  let receiver: Receiver;
  let service: InProcessService | undefined;
  beforeAll(async () => {
    [database, receiver] = await Promise.all([createEmptyDatabase(), startReceiver()]);
    const name = new URL(database.url).pathname.slice(1);
    const settings = Object.entries(FOREIGN).map(
      ([setting, value]) => `ALTER DATABASE ${name} SET ${setting} = ${value}`,
    );
    await database.pool.query(['CREATE SCHEMA app', ...settings].join('; '));
    url = `${database.url}?options=-c%20search_path%3Dapp`;
  });
  afterAll(async () => {
    await service?.stop();
    await receiver.stop();
    await database.drop();
  });

  const settingsOf = async (options: DataSourceOptions, names: string[]): Promise<unknown[]> => {
    const dataSource = await new DataSource(options).initialize();
    try {
      const shown = names.map((name) => `current_setting('${name}')`).join(', ');
      return await dataSource.query<unknown[]>(`SELECT ARRAY[${shown}] AS settings`);
    } finally {
      await dataSource.destroy();
    }
  };

  it('limits no migration, and changes neither the format of times nor the isolation of transactions, and compiles no plan', async () => {
    const strings = 'standard_conforming_strings';
    const meaning = ['DateStyle', 'transaction_isolation', strings, 'idle_session_timeout', 'jit', 'search_path'];
    const settings = ['ISO, MDY', 'read committed', 'on', '0', 'off', 'app'];
    expect(await settingsOf(boundedDataSourceOptions(url, 1), meaning)).toEqual([{ settings }]);
    const bounds = [...meaning, 'statement_timeout'];
    expect(await settingsOf(dataSourceOptions(url, 1), bounds)).toEqual([{ settings: [...settings, '0'] }]);
  });

  it('supports migrations and the service like any other', async () => {
    await migrate(url);
    await migrateQueue(url);
    service = await startServiceInProcess({ entry: 'all', databaseUrl: url });
    const before = Date.now();
    const merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
    const shop = await merchant.createShop('Foreign');
    const { name } = await merchant.createFlow('foreign', [shop.id]);
    const payment = await merchant.pay(name, { webhook_endpoint: receiver.url });
    expect(Date.parse(payment.created_at)).toBeGreaterThan(before - 2_000);
    await eventually(() => receiver.requests.length === 2);
    const { rows } = await database.pool.query<{ schema: string | null }>(
      `SELECT schemaname AS schema FROM pg_tables WHERE tablename = 'payments'`,
    );
    expect(rows).toEqual([{ schema: 'app' }]);
    // the queue also finds its own tables
    expect(service.logs()).not.toMatch(/queue lost|wake-ups lost/);
  });
});
