import { setTimeout as delay } from 'node:timers/promises';
import type { BareRouteMethods } from '../baselines/bare-route.js';
import type { LoadFigures, LoadGeneratorMethods, Target } from '../processes/load-generator.js';
import { callApi, createFlow, FLOW, jsonHeaders, paymentRequest } from '../support/api-fixtures.js';
import type { Context, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import type { BenchDatabase } from '../support/database.js';
import { accessToken } from '../support/product.js';
import { protectionCosts, type ProtectedRequest } from '../harness/protection-cost.js';
import { Remote } from '../support/remote.js';
import type { Bar, Comparison } from '../support/report.js';
import { interleave } from '../support/statistics.js';

const CONNECTIONS = 64;
const SHOPS = 3;
/** A PostgreSQL process reports its counters at the end of a transaction, at most once per second. */
const COUNTERS_REPORT_MS = 1_100;

/**
 * The requests that measure the protection from costly callers, the names of their ratios, and the duration of a
 * measurement in ms.
 */
const PROTECTED = {
  'POST /payments with a webhook': { key: 'payment', durationMs: 160 }, // takes four times as long as the others
  'GET /payments/{id}': { key: 'read', durationMs: 40 },
  'POST /flows/simulate': { key: 'simulation', durationMs: 40 },
};
const PROTECTION = 'api: protection from costly callers';

interface Pair {
  label: string;
  product: Target;
  bare: Target;
  bareName: string;
  key?: string;
  bar?: Bar;
  /** The process that answers `product`; absent: the API of the other pairs. */
  productPid?: number;
}

interface Setup {
  load: Remote<LoadGeneratorMethods>;
  database: BenchDatabase;
  durationMs: number;
  /** CPU seconds of the answering processes and of PostgreSQL. */
  cpu: Record<'product' | 'bare' | 'postgres', () => number>;
}

interface Figures extends LoadFigures {
  /** CPU µs per request. */
  cpu: number;
  postgresCpu: number;
}

export const api: Scenario = {
  about: 'requests per second of the API, compared with a bare NestJS-on-Fastify route',
  async run(context) {
    const database = await context.database();
    const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
    const redisUrl = context.redisUrl();
    const { pairs, productPid, barePid } = await startPairs(context, database, redisUrl);
    const cpu = {
      product: () => cpuSeconds(productPid),
      bare: () => cpuSeconds(barePid),
      postgres: () => cpuSecondsOfFamily(context.servers.postgres.pid),
    };
    const setup = { load, database, cpu, durationMs: context.args.quick ? 1_000 : 2_500 };
    for (const pair of [...pairs, ...(await startPairsWithoutLedger(context, database, pairs))]) {
      if (pair.productPid !== undefined) setup.cpu.product = () => cpuSeconds(pair.productPid!);
      if (isWanted(context, pair)) context.report.add(`api: ${pair.label}`, await measure(context, setup, pair));
    }
    const guarded = protectedRequests(pairs).filter(({ label }) =>
      isWanted(context, { label: `${PROTECTION}: ${label}` }),
    );
    if (guarded.length > 0) context.report.add(PROTECTION, await protectionCosts(context, database, redisUrl, guarded));
  },
};

async function startPairs(
  context: Context,
  database: BenchDatabase,
  redisUrl: string,
): Promise<{ pairs: Pair[]; productPid: number; barePid: number }> {
  const options = { databaseUrl: database.url, redisUrl };
  const { url, pid } = await context.product.start('api', options);
  const token = await accessToken(url);
  const [shopId] = await createFlow(url, token, SHOPS);
  // no worker runs: this measures only the API
  const withWebhook = paymentRequest('http://127.0.0.1:65000/hooks');
  const { id } = await callApi<{ id: number }>(url, token, 'POST', '/payments', JSON.parse(withWebhook));
  const bare = await Remote.start<BareRouteMethods>(context.supervisor, 'baselines/bare-route');
  const { origin, token: bareToken } = await bare.call('start');

  const get = (path: string): Target => ({
    origin: url,
    method: 'GET',
    path,
    headers: jsonHeaders(token),
    bodies: [],
    connections: CONNECTIONS,
  });
  const post = (path: string, body: string): Target => ({ ...get(path), method: 'POST', bodies: [body] });
  const bareGet = { ...get('/bare'), origin };
  const barePost = (body: string): Target => ({ ...post('/bare', body), origin });
  const simulation = JSON.stringify({ flow_name: FLOW, amount: 49.9, currency: 'EUR', country: 'DE', customer_id: 7 });
  const pairs: Pair[] = [
    {
      label: 'POST /payments with a webhook',
      product: post('/payments', withWebhook),
      bare: barePost(withWebhook),
      bareName: 'bare POST',
    },
    {
      label: 'POST /payments without one',
      product: post('/payments', paymentRequest()),
      bare: barePost(paymentRequest()),
      bareName: 'bare POST',
    },
    { label: 'GET /payments/{id}', product: get(`/payments/${id}`), bare: bareGet, bareName: 'bare GET' },
    { label: 'GET /payments', product: get('/payments?limit=20'), bare: bareGet, bareName: 'bare GET' },
    {
      label: 'GET /webhooks/shop/{id}/stats',
      product: get(`/webhooks/shop/${shopId}/stats`),
      bare: bareGet,
      bareName: 'bare GET',
    },
    {
      label: 'POST /flows/simulate',
      product: post('/flows/simulate', simulation),
      bare: { ...post('/checked', simulation), origin, headers: jsonHeaders(bareToken) },
      bareName: 'bare POST, same token check and validation',
      key: 'api.simulate',
      bar: { atLeast: 0.6 },
    },
  ];
  return { pairs, productPid: pid, barePid: bare.pid };
}

const isWanted = ({ args }: Context, { label }: { label: string }): boolean =>
  args.only === undefined || label.includes(args.only);

/** The requests to the API with and without its protection. */
const protectedRequests = (pairs: Pair[]): ProtectedRequest[] =>
  Object.entries(PROTECTED).map(([label, how]) => {
    const { product: target } = pairs.find((pair) => pair.label === label)!;
    return { label, ...how, target };
  });

/** The payments of `pairs` again, at an API whose sandbox keeps no books: measures only the product itself. */
async function startPairsWithoutLedger(context: Context, database: BenchDatabase, pairs: Pair[]): Promise<Pair[]> {
  const env = { SANDBOX_LEDGER: 'false' };
  const { url: origin, pid: productPid } = await context.product.start('api', {
    databaseUrl: database.url,
    redisUrl: context.redisUrl(),
    env,
  });
  return pairs
    .filter(({ label }) => label.startsWith('POST /payments'))
    .map((pair) => ({
      ...pair,
      label: `${pair.label}, no sandbox ledger`,
      product: { ...pair.product, origin },
      productPid,
    }));
}

async function measure(context: Context, setup: Setup, pair: Pair): Promise<Comparison[]> {
  const { load, durationMs } = setup;
  const run = (name: 'product' | 'bare') => async (): Promise<Figures> => {
    const sources = { api: setup.cpu[name], postgres: setup.cpu.postgres };
    const { result, cpu } = await withCpu(sources, () => closedOrThrow(load, pair[name], durationMs));
    const perRequest = (part: 'api' | 'postgres'): number => (cpu[part]! * 1e6) / result.succeeded;
    return { ...result, cpu: perRequest('api'), postgresCpu: perRequest('postgres') };
  };
  const results = await interleave(context.args.rounds, { product: run('product'), bare: run('bare') });
  const compare = (label: string, figure: (figures: Figures) => number): Comparison => ({
    label,
    samples: results.product.map(figure),
    baseline: { name: pair.bareName, samples: results.bare.map(figure) },
  });
  return [
    {
      ...compare('requests per second', ({ rate }) => rate),
      ...(pair.key && { key: pair.key }),
      ...(pair.bar && { bar: pair.bar }),
    },
    compare(`ms at ${CONNECTIONS} connections: p99`, ({ p99 }) => p99),
    compare('CPU µs per request: the API', ({ cpu }) => cpu),
    { label: 'CPU µs per request: postgres', samples: results.product.map(({ postgresCpu }) => postgresCpu) },
    { label: 'transactions per request', samples: [await transactionsPerRequest(setup, pair.product)] },
  ];
}

async function closedOrThrow(
  load: Remote<LoadGeneratorMethods>,
  target: Target,
  durationMs: number,
): Promise<LoadFigures> {
  const figures = await load.call('closed', target, durationMs);
  if (Object.keys(figures.failures).length > 0) {
    throw new Error(`${target.method} ${target.path} failed: ${JSON.stringify(figures.failures)}`);
  }
  return figures;
}

/** Committed and rolled back transactions by PostgreSQL's counters, including a few of the API's own timers. */
async function transactionsPerRequest({ load, database, durationMs }: Setup, target: Target): Promise<number> {
  // as many concurrent requests as connections make every PostgreSQL process report
  const report = async (): Promise<number> => {
    await delay(COUNTERS_REPORT_MS);
    return (await load.call('closed', target, 1)).succeeded;
  };
  await report();
  const before = await transactions(database);
  const { succeeded } = await load.call('closed', target, durationMs);
  const reporting = await report();
  return ((await transactions(database)) - before) / (succeeded + reporting);
}

async function transactions(database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = current_database()',
  );
  return row!.count;
}
