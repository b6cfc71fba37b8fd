import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCommandLine } from '../../src/cli/command-line.js';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { Merchant } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { SETTINGS } from '../support/app/settings.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { startPgBouncer } from '../support/servers/pgbouncer.js';
import { type Receiver, startReceiver } from '../support/servers/receiver.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../support/servers/servers.js';

// The server's defaults turn its compiler on. Here each plan is dear enough to be compiled, by any session that allows it.

interface Compiled {
  query: string;
  compiled: number;
}

let database: TestDatabase;
let receiver: Receiver;
const services: InProcessService[] = [];

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  const name = new URL(database.url).pathname.slice(1);
  await database.pool.query(`CREATE EXTENSION pg_stat_statements; ALTER DATABASE ${name} SET jit_above_cost = 0`);
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await receiver.stop();
  await database.drop();
});

const start = async (databaseUrl: string, env: Record<string, string> = {}): Promise<ApiClient> => {
  const service = await startServiceInProcess({ entry: 'all', databaseUrl, env });
  services.push(service);
  return ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
};

/** Statements of this database that were compiled, apart from this one. */
async function compiledStatements(): Promise<Compiled[]> {
  const { rows } = await database.pool.query<Compiled>(
    `SELECT query, jit_functions::int AS compiled FROM pg_stat_statements
      WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND jit_functions > 0
        AND query NOT LIKE '%pg_stat_statements%'`,
  );
  return rows;
}

/** A payment with its webhook, and the reads whose plans are dear on tables without statistics. */
async function use(api: ApiClient, flow: string): Promise<void> {
  const merchant = new Merchant(api);
  await merchant.createFlow(flow, [(await merchant.createShop(flow)).id]);
  const before = receiver.requests.length;
  await merchant.pay(flow, { webhook_endpoint: receiver.url });
  await eventually(() => receiver.requests.length === before + 2);
  for (const path of ['/events', '/insights/approvals', '/insights/overview', '/payments', '/webhooks/endpoints']) {
    expect([path, (await api.get(path)).status]).toEqual([path, 200]);
  }
}

describe("Debian's PostgreSQL with its defaults", () => {
  it('compiles what a session asks for that leaves its compiler on', async () => {
    const client = await database.pool.connect();
    await client.query('SET jit_above_cost = 0');
    await client.query('SELECT count(*) AS control FROM merchants');
    client.release();
    expect((await compiledStatements()).filter(({ query }) => query.includes('control'))).toHaveLength(1);
  });

  it('compiles no statement of API, worker, queue and command line, direct or behind a pooler', async () => {
    await database.pool.query('SELECT pg_stat_statements_reset()');
    await use(await start(database.url), 'direct');
    const pooler = await startPgBouncer({
      folder: await temporaryFolder(),
      databaseUrl: database.url,
      onStart: rememberProcess,
      onExit: forgetProcess,
    });
    const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
    const terminal = { environment: () => ({ ...SETTINGS, ...env }), out: () => undefined, err: () => undefined };
    expect(await runCommandLine(['migrate'], terminal)).toBe(0);
    expect(await runCommandLine(['client:list', '--json'], terminal)).toBe(0);
    await use(await start(pooler.url, { DATABASE_DIRECT_URL: database.url }), 'pooled');
    expect(await compiledStatements()).toEqual([]);
    for (const service of services.splice(0)) await service.stop();
    await pooler.stop();
  });
});
