// Creates the database from which test/e2e/upgrade.spec.ts starts: an old version's schema, with the rows that its
// processes left when they were killed during their work.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { ApiClient } from '../chaos/client.js';
import { ChaosPostgres } from '../chaos/postgres.js';
import { NOTIFICATION_SECRET } from '../chaos/provider-books.js';
import type { Cleanup } from '../support/cleanup.js';
import { HarnessDatabase } from '../support/harness-database.js';
import { Product, productSettings } from '../support/product.js';
import { Supervisor } from '../support/supervisor.js';
import type { UpgradeArguments } from './upgrade.js';

/** The port in the endpoints' addresses; a test that restores the database listens there. */
const RECEIVER_PORT = 12_999;
const POLL_MS = 50;

export async function writeFixture(
  { from, oldDist, file }: Pick<UpgradeArguments, 'from'> & { oldDist: string; file: string },
  cleanup: Cleanup,
): Promise<void> {
  const folder = await cleanup.folder('fixture');
  const postgres = await ChaosPostgres.start(folder, cleanup);
  const options = { databaseUrl: postgres.url(), env: { PROVIDER_TIMEOUT_MS: '1000' } };
  const product = new Product(new Supervisor(cleanup), { dist: oldDist, logLevel: 'warn' }, folder);
  await product.cli(productSettings(options), 'migrate');
  await produceRows(product, options, postgres, cleanup);
  const text = [
    `-- A database of commit ${from}, with what its processes left when they were killed. Made by its own migrations and`,
    '-- processes: npm run upgrade -- --write-fixture=<this file> (bench/upgrade/fixture.ts). Secrets are those of the tests.',
    ...(await schemaStatements(oldDist, postgres)),
    'SET session_replication_role = replica',
    ...(await dataStatements(postgres)),
    shiftToNow(await now(postgres)),
    'RESET session_replication_role',
  ].join(';\n');
  await writeFile(file, `${text.replaceAll(/;\n--/g, '\n--').replace(/^(--.*);$/gm, '$1')};\n`);
}

/** Answers by path: /good accepts, /bad refuses, /hang never answers. */
async function startReceiver(cleanup: Cleanup): Promise<{ hanging: () => number }> {
  let hanging = 0;
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/hang') hanging += 1;
    else response.writeHead(request.url === '/good' ? 200 : 500).end();
  });
  server.listen(RECEIVER_PORT, '127.0.0.1');
  await once(server, 'listening');
  cleanup.add(() => {
    server.closeAllConnections();
    return Promise.resolve(server.close());
  });
  return { hanging: () => hanging };
}

/**
 * Creates payments in every state, and deliveries that arrived, wait for a retry, are in flight, and were never tried.
 */
async function produceRows(
  product: Product,
  options: { databaseUrl: string; env: Record<string, string> },
  postgres: ChaosPostgres,
  cleanup: Cleanup,
): Promise<void> {
  const receiver = await startReceiver(cleanup);
  const worker = await product.start('worker', options);
  const api = await product.start('api', options);
  const client = new ApiClient(api.url);
  cleanup.add(() => client.close());
  await client.login();
  const shopIds = [await createShop(client, 'Berlin'), await createShop(client, 'Lisbon')];
  const shops = shopIds.map((shop_id) => ({ shop_id }));
  await client.call('prepare', 'POST', '/flows', {
    json: { name: 'checkout', strategy: 'round_robin', shops, max_attempts: 2 },
  });
  const delivered = await pay(client, 'tok_success', 'good', 6);
  await pay(client, 'tok_decline', 'good', 2);
  await pay(client, 'tok_soft_decline', 'good', 1);
  await pay(client, 'tok_pending', 'good', 3);
  await pay(client, 'tok_success', undefined, 2);
  const refund = (id: number, path: string, json: object) =>
    client.call('refund', 'POST', `/payments/${id}/${path}`, { json, expected: [409, 422] });
  for (const id of delivered.slice(0, 2)) await refund(id, 'refund', {});
  for (const id of delivered.slice(2, 4)) await refund(id, 'refunds', { amount: 5 });
  const refused = await pay(client, 'tok_refund_refused', 'good', 1);
  for (let time = 0; time < 2; time++) await refund(refused[0]!, 'refund', {});
  const [captured, cancelled] = await pay(client, 'tok_authorize_only', 'good', 3, { capture: 'manual' });
  await client.call('capture', 'POST', `/payments/${captured}/capture`, { json: { amount: 10 } });
  await client.call('cancel', 'POST', `/payments/${cancelled}/cancel`, { json: {} });
  await dispute(client, postgres, delivered[4]!);
  await eraseCustomer(client, postgres, delivered[5]!);
  await pay(client, 'tok_timeout', 'good', 1);
  await pay(client, 'tok_success', 'bad', 3);
  await until(async () => (await count(postgres, `attempts = 0 AND status = 'pending'`)) === 0);
  await pay(client, 'tok_success', 'hang', 2);
  await until(() => Promise.resolve(receiver.hanging() > 0));
  await worker.kill();
  await pay(client, 'tok_success', 'good', 4);
  void pay(client, 'tok_timeout', 'good', 1).catch(() => undefined);
  await until(async () => (await postgres.query('SELECT 1 FROM payments OFFSET 28')).length > 0);
  await api.kill();
}

const count = async (postgres: ChaosPostgres, what: string): Promise<number> =>
  (await postgres.query(`SELECT 1 FROM all_deliveries WHERE ${what}`)).length;

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 20_000; !(await condition()); await delay(POLL_MS)) {
    if (Date.now() > deadline) throw new Error('the fixture waits without success');
  }
}

async function createShop(client: ApiClient, name: string): Promise<number> {
  const json = { name, provider_credentials: { notification_secret: NOTIFICATION_SECRET } };
  const { body } = await client.call('prepare', 'POST', '/shops', { json });
  return (body as { data: { id: number } }).data.id;
}

async function dispute(client: ApiClient, postgres: ChaosPostgres, payment: number): Promise<void> {
  const [row] = await postgres.query<{ id: string }>(
    `SELECT provider_transaction_id AS id FROM payments WHERE id = ${payment}`,
  );
  const path = `/providers/sandbox/transactions/${row!.id}/disputes`;
  await client.call('dispute', 'POST', path, { json: { amount: 5 } });
  await until(async () => (await postgres.query('SELECT 1 FROM disputes')).length > 0);
}

/** The customer has a saved payment method, which is detached with the erasure. */
async function eraseCustomer(client: ApiClient, postgres: ChaosPostgres, payment: number): Promise<void> {
  const [row] = await postgres.query<{ id: number }>(`SELECT customer_id AS id FROM payments WHERE id = ${payment}`);
  const json = { options: [{ provider: 'sandbox', token: 'tok_success' }] };
  await client.call('save', 'POST', `/customers/${row!.id}/payment-methods`, { json });
  await client.call('erase', 'POST', `/customers/${row!.id}/erase`, { json: {} });
}

let keys = 0;

async function pay(
  client: ApiClient,
  token: string,
  path: string | undefined,
  times: number,
  fields: object = {},
): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < times) {
    const json = {
      flow_name: 'checkout',
      amount: 20 + ids.length,
      currency: 'EUR',
      customer: { first_name: 'Somebody' },
      payment_method: { token },
      ...fields,
      ...(path !== undefined && { webhook_endpoint: `http://127.0.0.1:${RECEIVER_PORT}/${path}` }),
    };
    const headers = { 'idempotency-key': `order-${++keys}` };
    const { body } = await client.call('create', 'POST', '/payments', { json, headers });
    const { data } = body as { data?: { id: number } };
    if (data === undefined) throw new Error(`a payment was refused: ${JSON.stringify(body)}`);
    ids.push(data.id);
  }
  return ids;
}

interface Runner {
  query(text: string, values?: unknown[]): Promise<object[]>;
  startTransaction(): Promise<void>;
  commitTransaction(): Promise<void>;
}

type Migration = new () => { up(runner: Runner): Promise<void> };

/** The primary key's name is TypeORM's. */
const MIGRATIONS_TABLE = `CREATE TABLE migrations (
  id serial CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY, "timestamp" bigint NOT NULL, name varchar NOT NULL)`;
const SCRATCH = 'scratch';

/**
 * The statements that the old version's migrations run on an empty database, and the table that records the migrations.
 * Without reads and without batches over rows, because there are none. Indexes are not created concurrently, because
 * the fixture is restored as one message. A line for each statement.
 */
async function schemaStatements(oldDist: string, postgres: ChaosPostgres): Promise<string[]> {
  const list = join(oldDist, 'platform', 'database', 'migrations', 'list.js');
  const old = (await import(pathToFileURL(list).href)) as { loadMigrations(): Promise<Migration[]> };
  await postgres.query(`CREATE DATABASE ${SCRATCH}`);
  const scratch = new HarnessDatabase(() => postgres.url(postgres.port, SCRATCH));
  const statements = [MIGRATIONS_TABLE];
  const query = async (text: string, values: unknown[] = []) => {
    if (text.startsWith('LOCK ')) return []; // there is no other session, and each statement is a transaction
    if (values.length === 0 && !/^SELECT|^SET /.test(text))
      statements.push(text.replaceAll(/\s+/g, ' ').trim().replaceAll(' CONCURRENTLY', ''));
    return scratch.query<object & Record<string, unknown>>(text, values);
  };
  const nothing = () => Promise.resolve();
  for (const Migration of await old.loadMigrations())
    await new Migration().up({ query, startTransaction: nothing, commitTransaction: nothing });
  await scratch.reset();
  return statements;
}

/**
 * All rows of all tables as text, and the sequences' values. The queue's schema is left out, because its content may be
 * lost.
 */
async function dataStatements(postgres: ChaosPostgres): Promise<string[]> {
  const tables = await postgres.query<{ name: string; columns: string[] }>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns FROM pg_class c
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY c.relname ORDER BY c.relname`,
  );
  const statements: string[] = [];
  for (const { name, columns } of tables) {
    const values = columns.map((column) => `quote_nullable("${column}"::text)`).join(', ');
    const rows = await postgres.query<{ row: string }>(
      `SELECT concat_ws(', ', ${values}) AS row FROM ${name} ORDER BY 1`,
    );
    if (rows.length === 0) continue;
    const lines = rows.map(({ row }) => `  (${row})`).join(',\n');
    const names = columns.map((column) => `"${column}"`).join(', ');
    statements.push(`DELETE FROM ${name}`, `INSERT INTO ${name} (${names}) OVERRIDING SYSTEM VALUE VALUES\n${lines}`);
  }
  const sequences = await postgres.query<{ name: string; value: number }>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
      WHERE schemaname = 'public' AND last_value IS NOT NULL ORDER BY 1`,
  );
  return [...statements, ...sequences.map(({ name, value }) => `SELECT setval('${name}', ${value})`)];
}

const now = async (postgres: ChaosPostgres): Promise<string> =>
  (await postgres.query<{ now: string }>('SELECT now()::text AS now'))[0]!.now;

/**
 * Shifts all times, as if the processes had just been killed: keys are valid, payments have not expired, bodies are of
 * today.
 */
const shiftToNow = (madeAt: string): string => `DO $$
  DECLARE place record;
  DECLARE passed interval := now() - '${madeAt}'::timestamptz;
  DECLARE days integer := (now() AT TIME ZONE 'UTC')::date - ('${madeAt}'::timestamptz AT TIME ZONE 'UTC')::date;
  BEGIN
    FOR place IN SELECT attrelid::regclass AS relation, attname, atttypid FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND attnum > 0
        AND NOT attisdropped AND atttypid IN ('timestamptz'::regtype, 'date'::regtype) LOOP
      EXECUTE format('UPDATE %s SET %I = %2$I + $%s', place.relation, place.attname,
        CASE place.atttypid WHEN 'date'::regtype THEN 2 ELSE 1 END) USING passed, days;
    END LOOP;
  END $$`;
