import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Encryption } from '../../src/platform/encryption/encryption.js';
import { SystemRandom } from '../../src/shared/random.js';
import { SHOP_SECRET_PURPOSES } from '../../src/shops/secret-columns.js';
import { insertDeliveriesFrom } from '../../src/webhooks/fan-out/fan-out-sql.js';
import { aMerchant } from '../support/app/builders.js';
import { compileInto } from '../support/servers/compile-sources.mjs';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { eventually } from '../support/eventually.js';
import type { MisbehavingReceivers, MisbehavingEndpoint } from '../support/hostile/misbehaving-receivers.js';
import { forgetProcess, rememberProcess, temporaryFolder } from '../support/servers/servers.js';
import { preloading, type RunningService, startService } from '../support/app/service.js';
import { ENCRYPTION_KEY } from '../support/app/settings.js';

interface AttemptRow {
  origin: string;
  status_code: number | null;
  error: string | null;
}

interface Memory {
  rss: number;
  heapTotal: number;
  heapUsed: number;
  external: number;
}

/** `MISBEHAVING_DELIVERIES=10000 npm run test:long -- misbehaving-receivers` for the full number. */
const DELIVERIES = Number(process.env.MISBEHAVING_DELIVERIES ?? 1_000);
/** Deliveries until V8 and malloc have reached their working size. V8 keeps about 64 MB of unused read buffers. */
const WARM_UP = 500;
const MB = 1024 * 1024;
/**
 * The longest timeout that is allowed. No receiver times out before all others are done, even on a very busy machine.
 */
const PATIENT_MS = 60_000;
/** Part of every URL's query. No log may contain it. */
const MARKER = 'marker-of-the-query';

let database: TestDatabase;
let program: ChildProcess;
let misbehaving: MisbehavingReceivers;
let caFile: string;
let shop: { id: number; merchantId: number };
let worker: RunningService | undefined;
let probes = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const folder = await temporaryFolder();
  compileInto(join(folder, 'test'), 'test', ['support']);
  program = spawn(process.execPath, [join(folder, 'test/support/hostile/misbehaving-receivers.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  rememberProcess(program.pid);
  const [line = ''] = (await once(createInterface({ input: program.stdout! }), 'line', {
    signal: AbortSignal.timeout(120_000),
  })) as [string?];
  misbehaving = JSON.parse(line) as MisbehavingReceivers;
  caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, misbehaving.ca);
  shop = await aShop();
});
afterEach(async () => {
  await worker?.kill();
  for (const table of ['webhook_attempts', 'pending_deliveries', 'webhook_deliveries', 'webhook_bodies'])
    await database.pool.query(`DELETE FROM ${table}`);
});
afterAll(async () => {
  const ended = once(program, 'exit');
  program.stdin?.end();
  await ended;
  forgetProcess(program.pid);
  await database.drop();
});

async function aShop(): Promise<typeof shop> {
  const merchantId = await aMerchant(database.pool);
  const encryption = new Encryption({ encryptionKeys: [ENCRYPTION_KEY] }, new SystemRandom());
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO shops (merchant_id, name, provider, provider_credentials, webhook_secret)
     VALUES ($1, 'Hades', 'sandbox', $2, $3) RETURNING id`,
    [
      merchantId,
      encryption.encrypt('{}', SHOP_SECRET_PURPOSES.provider_credentials),
      encryption.encrypt('whsec_b2YgYSBzaG9wIGluIHRoZSB1bmRlcndvcmxk', SHOP_SECRET_PURPOSES.webhook_secret),
    ],
  );
  return { id: rows[0]!.id, merchantId };
}

/** Starts a worker that makes only one attempt of each delivery during the test. */
async function startWorker(timeoutMs: number): Promise<RunningService> {
  probes = 0;
  return (worker = await startService({
    entry: 'worker',
    databaseUrl: database.url,
    env: {
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_RETRY_DELAYS_MS: '3600000',
      NODE_OPTIONS: preloading('probed-process.mjs'),
      NODE_EXTRA_CA_CERTS: caFile,
      HOSTILE_DNS: misbehaving.dns,
      // malloc returns freed memory, so that the resident size shows what is in use and not the gaps
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '32768',
    },
  }));
}

/** Inserts `count` deliveries to each of these origins, due now. */
async function seed(origins: string[], count: number): Promise<void> {
  await database.pool.query(
    `WITH lanes AS (
       INSERT INTO webhook_lanes (shop_id, origin) SELECT $1, unnest($3::text[])
       ON CONFLICT (shop_id, origin) DO UPDATE SET origin = excluded.origin RETURNING id, origin
     ), added AS MATERIALIZED (
       SELECT $2::bigint AS merchant_id, $1::bigint AS shop_id, lanes.id AS lane_id,
         nextval('payments_id_seq') AS payment_id, 'payment.status_changed' AS event, 'completed' AS payment_status,
         origin || $5 AS webhook_endpoint, $6::text AS request_body, NULL::text AS traceparent,
         row_number() OVER () AS position
       FROM lanes, generate_series(1, $4::int)
     ), ${insertDeliveriesFrom('added')} SELECT`,
    [shop.id, shop.merchantId, origins, count, `/hook?token=${MARKER}`, JSON.stringify({ note: 'x'.repeat(1_200) })],
  );
}

async function attempts(): Promise<AttemptRow[]> {
  await eventually(
    async () => {
      const { rows } = await database.pool.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM all_deliveries WHERE status = 'pending' AND attempts = 0`,
      );
      expect(rows[0]!.open).toBe(0);
    },
    { timeoutMs: 480_000, intervalMs: 200 },
  );
  return recorded();
}

async function recorded(): Promise<AttemptRow[]> {
  const { rows } = await database.pool.query<AttemptRow>(
    `SELECT regexp_replace(webhook_endpoint, '/hook.*', '') AS origin, status_code, error
     FROM webhook_attempts JOIN all_deliveries ON id = delivery_id`,
  );
  return rows;
}

const attemptsAtHealthy = async (): Promise<AttemptRow[]> =>
  (await recorded()).filter(({ origin }) => origin === misbehaving.healthy);

const isSlow = (result: MisbehavingEndpoint['result']): boolean => /timeout$/.test(String(result));

const resultsOf = (rows: AttemptRow[], { url }: MisbehavingEndpoint) =>
  rows.filter(({ origin }) => origin === url).map(({ error, status_code }) => error ?? status_code);

/** Delivers at least `count` deliveries, spread evenly, and returns their number when each has a recorded attempt. */
async function deliverToAll(count: number): Promise<number> {
  const each = Math.ceil(count / misbehaving.endpoints.length);
  await seed(
    misbehaving.endpoints.map(({ url }) => url),
    each,
  );
  await attempts();
  return each * misbehaving.endpoints.length;
}

async function memoryOf(running: RunningService): Promise<Memory> {
  probes += 1;
  process.kill(running.pid, 'SIGUSR2');
  const line = await eventually(() => new RegExp(`^memory ${probes} (.*)$`, 'm').exec(running.logs()) ?? false);
  return JSON.parse(line[1]!) as Memory;
}

/** The resident size without the pages that V8 keeps for future objects. */
const residentOf = ({ rss, heapTotal, heapUsed }: Memory): number => rss - heapTotal + heapUsed;

describe('a worker with misbehaving receivers', () => {
  it('delivers to other receivers while some are slow, and records one attempt of each delivery', async () => {
    await startWorker(PATIENT_MS);
    await seed(
      misbehaving.endpoints.map(({ url }) => url),
      1,
    );
    await seed([misbehaving.healthy], 100);
    await eventually(async () => expect(await attemptsAtHealthy()).toHaveLength(100));
    // no delivery to a healthy receiver waited for the timeout of a slow one
    expect((await recorded()).filter(({ error }) => error === 'timeout')).toEqual([]);
    expect((await attemptsAtHealthy()).filter(({ status_code }) => status_code !== 200)).toEqual([]);
    // deliveries to the other misbehaving receivers do not wait for that either
    const fast = misbehaving.endpoints.filter(({ result }) => !isSlow(result));
    await eventually(async () => {
      const rows = await recorded();
      expect(fast.filter((endpoint) => resultsOf(rows, endpoint).length === 0)).toEqual([]);
    });

    await worker!.kill();
    // expires the claims of the killed worker
    await database.pool.query('UPDATE pending_deliveries SET claimed_until = now()');
    const running = await startWorker(3_000);
    const rows = await attempts();
    const wrong = misbehaving.endpoints.flatMap((endpoint) => {
      const results = resultsOf(rows, endpoint);
      return results.length === 1 && results[0] === endpoint.result ? [] : [{ ...endpoint, results }];
    });
    expect(wrong).toEqual([]);
    expect(running.logs()).not.toContain(MARKER);
  }, 600_000);

  it('keeps its memory flat', async () => {
    const running = await startWorker(200);
    const fresh = await memoryOf(running);
    await deliverToAll(WARM_UP);
    const before = await memoryOf(running);
    const count = await deliverToAll(DELIVERIES);
    const after = await memoryOf(running);
    const resident = (residentOf(after) - residentOf(before)) / MB;
    const held = (after.heapUsed + after.external - before.heapUsed - before.external) / MB;
    process.stdout.write(
      `memory of the worker after ${count} deliveries to ${misbehaving.endpoints.length} misbehaving receivers: ` +
        `${held.toFixed(1)} MB more held, ${resident.toFixed(1)} MB more resident ` +
        `(${[fresh, before, after].map((memory) => (residentOf(memory) / MB).toFixed(0)).join(', ')} MB when started, warm and in the end)\n`,
    );
    expect(held).toBeLessThan(15);
    expect(resident).toBeLessThan(50);
    expect(running.logs()).not.toContain(MARKER);
  }, 600_000);
});
