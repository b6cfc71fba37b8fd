import pg from 'pg';
import type { Queryable, Statement } from '../../src/platform/database/database.js';
import { SqlDeliveryStore } from '../../src/webhooks/engine/sql-delivery-store.js';
import { createFlow, jsonHeaders } from '../support/api-fixtures.js';
import type { Context, Scenario } from '../support/context.js';
import { accessToken } from '../support/product.js';
import type { Bar } from '../support/report.js';
import { type Past, seedDue, seedPast } from '../support/seed-payments.js';
import { vacuum } from '../support/seed.js';
import { interleave, median } from '../support/statistics.js';

const SHOPS = 20;
const DUE_PER_LANE = 100;
const BAR: Bar = { atMost: 2 };
const LEASE_MS = 5_000;
const QUOTA = 16;
const MAX_BYTES = 1_000_000;

/** One measured thing, done once; its time is the median over many. */
type Deed = () => Promise<unknown>;

interface Grown {
  payments: number;
  deeds: Record<string, Deed>;
}

export const growth: Scenario = {
  about: 'stats, lists, claim and reconcile as payments grow',
  async run(context) {
    const sizes = context.args.quick ? [1_000, 30_000] : [1_000, 100_000, 1_000_000];
    const grown: Grown[] = [];
    for (const size of sizes) {
      context.say(`${size.toLocaleString('en-US')} payments`);
      grown.push(await grow(context, size));
    }
    const repeats = context.args.quick ? 50 : 200;
    for (const name of Object.keys(grown[0]!.deeds)) await compare(context, grown, name, repeats);
  },
};

async function grow(context: Context, payments: number): Promise<Grown> {
  const database = await context.database();
  const api = await context.product.start('api', { databaseUrl: database.url, redisUrl: context.redisUrl() });
  const token = await accessToken(api.url);
  await createFlow(api.url, token, SHOPS);
  const past = await seedPast(database, payments);
  await seedDue(database, past, DUE_PER_LANE);
  await vacuum(database);
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  context.cleanup.add(() => client.end());
  return { payments, deeds: { ...reads(api.url, token, past), ...statements(client, past) } };
}

/** Over HTTP, one after the other, as a client sees them. */
function reads(apiUrl: string, token: string, { shopIds }: Past): Record<string, Deed> {
  const get =
    (path: string): Deed =>
    async () => {
      const response = await fetch(apiUrl + path, { headers: jsonHeaders(token) });
      if (!response.ok) throw new Error(`GET ${path} answers ${response.status}: ${await response.text()}`);
      await response.arrayBuffer();
    };
  const shop = shopIds[0]!;
  return {
    'GET stats of a shop': get(`/webhooks/shop/${shop}/stats`),
    'GET list of payments': get('/payments?limit=20'),
    'GET list of payments by status': get('/payments?limit=20&status=completed'),
    // nothing has it: whoever walks the payments backwards until a page is full walks all of them
    'GET list of payments by rare status': get('/payments?limit=20&status=refunded'),
    'GET list of payments by shop': get(`/payments?limit=20&shop_id=${shop}`),
    'GET deliveries of a shop': get(`/webhooks/shop/${shop}/deliveries?limit=20`),
    'GET deliveries of a shop by rare status': get(`/webhooks/shop/${shop}/deliveries?limit=20&status=failed`),
  };
}

/** The worker's own store. A claim is rolled back, so that each finds the same. */
function statements(client: pg.Client, { laneIds }: Past): Record<string, Deed> {
  const database: Queryable = {
    query: async <Row>(statement: Statement, values: unknown[] = []) =>
      (await client.query({ ...statement, values })).rows as Row[],
  };
  const store = new SqlDeliveryStore(database as never);
  return {
    'claim for a lane': async () => {
      await client.query('BEGIN');
      await store.claim([{ laneId: laneIds[0]!, quota: QUOTA, maxBytes: MAX_BYTES, withNext: false }], LEASE_MS);
      await client.query('ROLLBACK');
    },
    'reconcile: find lanes with something due': () => store.dueLanes(),
  };
}

async function compare(context: Context, grown: Grown[], name: string, repeats: number): Promise<void> {
  const variants = Object.fromEntries(
    grown.map(({ payments, deeds }) => [payments, () => medianTime(deeds[name]!, repeats)]),
  );
  const results = await interleave<string, number>(context.args.rounds, variants);
  const [smallest, ...larger] = grown as [Grown, ...Grown[]];
  context.report.add(
    `growth: ${name}`,
    larger.map(({ payments }) => ({
      label: `ms with ${payments.toLocaleString('en-US')} payments`,
      samples: results[payments]!,
      baseline: { name: `${smallest.payments.toLocaleString('en-US')} payments`, samples: results[smallest.payments]! },
      ...(payments === larger.at(-1)!.payments && { key: `growth.${keyOf(name)}`, bar: BAR }),
    })),
  );
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '_');

async function medianTime(deed: Deed, repeats: number): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) {
    const started = performance.now();
    await deed();
    times.push(performance.now() - started);
  }
  return median(times);
}
