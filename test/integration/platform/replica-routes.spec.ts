import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { Merchant } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

/** Functions that hide PostgreSQL's own: the database looks like a standby that has replayed everything. */
const LOOKS_LIKE_STANDBY = `
  CREATE SCHEMA standby;
  CREATE FUNCTION standby.pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT true';
  CREATE FUNCTION standby.pg_last_wal_replay_lsn() RETURNS pg_lsn LANGUAGE sql AS 'SELECT pg_current_wal_flush_lsn()';
  DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET search_path = standby, pg_catalog, public', current_database());
  END $$`;

const LISTS = ['/payments', '/webhooks/deliveries', '/webhooks/endpoints', '/insights/overview', '/audit'];

let database: TestDatabase;
let replica: TestDatabase;
let api: InProcessService;
let merchant: Merchant;
beforeAll(async () => {
  [database, replica] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await replica.pool.query(LOOKS_LIKE_STANDBY);
  const env = { DATABASE_REPLICA_URL: replica.url };
  api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  await merchant.createFlow('main', [(await merchant.createShop('one')).id]);
});
afterAll(async () => {
  await api?.stop();
  await Promise.all([database.drop(), replica.drop()]);
});

async function reads(): Promise<{ replica: number; primary: number }> {
  const text = await (await fetch(`${api.url}/metrics`)).text();
  const of = (server: string) =>
    Number(new RegExp(`^database_reads_total\\{server="${server}"\\} (\\d+)$`, 'm').exec(text)![1]);
  return { replica: of('replica'), primary: of('primary') };
}

it('lists and reports are read from DATABASE_REPLICA_URL, a new payment from the primary', async () => {
  const payment = await merchant.pay('main');
  const before = await reads();
  expect(await merchant.payment(payment.id)).toMatchObject({ id: payment.id });
  expect(await reads()).toEqual(before);
  // on a busy machine the replica may answer late and is then not used until it has caught up
  for (const path of LISTS) {
    await eventually(async () => {
      const { primary, replica: fromReplica } = await reads();
      expect([path, (await merchant.api.get(path)).status]).toEqual([path, 200]);
      const after = await reads();
      expect([path, after.primary, after.replica > fromReplica]).toEqual([path, primary, true]);
    });
  }
});
