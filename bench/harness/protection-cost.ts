// The cost of an API's protection from costly callers: CPU time per request, compared with the same API without it.
import type { ProtectedApiMethods } from '../baselines/protected-api.js';
import type { LoadFigures, LoadGeneratorMethods, Target } from '../processes/load-generator.js';
import type { Context } from './context.js';
import type { BenchDatabase } from '../support/database.js';
import { productSettings } from '../support/product.js';
import { nodeFlags } from '../support/programs.js';
import { Remote } from '../support/remote.js';
import type { Bar, Comparison } from '../support/report.js';

const BAR: Bar = { atMost: 1.03 };
/** One connection, so that requests are not grouped: a slower API would group more of them. */
const CONNECTIONS = 1;
/** Measurements per round and API: many and short, so that disturbances of the machine affect all APIs alike. */
const MEASUREMENTS = 120;
/** The shortened duration of a measurement, with `--quick`. */
const QUICK = 1 / 3;
/** Each API has its own hooks and routes, which are compiled after this time. */
const WARM_UP_MS = 3_000;
const ON_STREAM = '/providers';
const [WARM_UP_REQUESTS, REQUESTS] = [3_000, 100];

export interface ProtectedRequest {
  label: string;
  /** For the JSON line. */
  key: string;
  target: Target;
  /** Duration of a measurement: enough for about 150 requests. */
  durationMs: number;
}

interface Setup {
  /** One process for each order of start. */
  apis: StartedApi[];
  load: Remote<LoadGeneratorMethods>;
  isQuick: boolean;
}

interface StartedApi {
  api: Remote<ProtectedApiMethods>;
  origins: Record<Variant, string>;
}

type Samples = Record<Variant, number[]>;

export async function protectionCosts(
  context: Context,
  database: BenchDatabase,
  redisUrl: string,
  requests: ProtectedRequest[],
): Promise<Comparison[]> {
  const flags = nodeFlags(context.args.dist, 'api');
  const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
  // without log lines, which would make the protection's share smaller
  const env = productSettings({ databaseUrl: database.url, redisUrl, env: { LOG_LEVEL: 'error' } });
  const apis: StartedApi[] = [];
  for (const order of ORDERS) {
    const api = await Remote.start<ProtectedApiMethods>(context.supervisor, 'baselines/protected-api', flags);
    apis.push({ api, origins: await api.call('start', env as Record<string, string>, order) });
  }
  const { quick, rounds } = context.args;
  const setup: Setup = { apis, load, isQuick: quick };
  const rows: Comparison[] = [];
  for (const request of requests) rows.push(...(await compared(setup, request, rounds * MEASUREMENTS)));
  rows.push(...(await comparedOnStream(setup, requests[0]!.target.headers, rounds * MEASUREMENTS)));
  await Promise.all([...apis, { api: load }].map(({ api }) => api.stop()));
  return rows;
}

/**
 * Measures the APIs alternately, so that the ratio is taken of measurements next to each other. The API without
 * protection is there twice, and the mean of both counts; the difference between the two shows the precision of the
 * ratio.
 */
async function compared(setup: Setup, request: ProtectedRequest, count: number): Promise<Comparison[]> {
  const { label, key, target } = request;
  const durationMs = request.durationMs * (setup.isQuick ? QUICK : 1);
  const samples = await alternately(setup, count, (started, name, isWarmUp) =>
    costOf(setup, started, name, target, isWarmUp ? WARM_UP_MS : durationMs),
  );
  return rowsOf(label, samples, { key: `api.protection_${key}`, bar: BAR });
}

/** A request that only reads the process's memory, without a connection: gives the cost of the protection in µs. */
async function comparedOnStream(setup: Setup, headers: Record<string, string>, count: number): Promise<Comparison[]> {
  const samples = await alternately(setup, count, ({ api }, name, isWarmUp) =>
    api.call('cpuOnStream', name, ON_STREAM, headers, isWarmUp ? WARM_UP_REQUESTS : REQUESTS),
  );
  return rowsOf(`GET ${ON_STREAM} without a connection`, samples);
}

/** Measures `count` times, alternating between the processes and their APIs. */
async function alternately(
  { apis }: Setup,
  count: number,
  costOf: (started: StartedApi, name: Variant, isWarmUp: boolean) => Promise<number>,
): Promise<Samples> {
  const samples: Samples = { product: [], bare: [], again: [] };
  for (const started of apis) for (const name of VARIANTS) await costOf(started, name, true);
  for (let index = 0; index < count; index++) {
    const round = Math.floor(index / ORDERS.length);
    // each process begins with another order: the first API after a pause pays for cold caches
    for (const name of ORDERS[(index + round) % ORDERS.length]!)
      samples[name].push(await costOf(apis[round % apis.length]!, name, false));
  }
  return samples;
}

/**
 * Orders of start: the API that is started first costs 0.7 to 0.9 % more of a request without a connection, and two
 * equal APIs differ by up to 2.5 % in one process. Also orders of measurement: each API follows each of the others, and
 * itself, equally often, because the API that has just run is compiled and warm.
 */
const ORDERS: readonly (readonly Variant[])[] = [
  ['product', 'bare', 'again'],
  ['again', 'product', 'bare'],
  ['bare', 'again', 'product'],
  ['product', 'again', 'bare'],
  ['bare', 'product', 'again'],
  ['again', 'bare', 'product'],
];

function rowsOf(label: string, { product, bare, again }: Samples, barred?: { key: string; bar: Bar }): Comparison[] {
  // the geometric mean: with two samples that vary as much as `product`, the arithmetic mean is usually larger than
  // either
  const without = bare.map((cost, index) => Math.sqrt(cost * again[index]!));
  return [
    {
      label: `${label}: CPU µs per request`,
      samples: product,
      baseline: { name: 'without protection (two APIs)', samples: without },
      ...barred,
    },
    { label: `${label}: one without protection`, samples: again, baseline: { name: 'the other', samples: bare } },
  ];
}

const VARIANTS = ['product', 'bare', 'again'] as const;
type Variant = (typeof VARIANTS)[number];

/** CPU µs per request. */
async function costOf(
  { load }: Setup,
  { api, origins }: StartedApi,
  name: Variant,
  target: Target,
  durationMs: number,
): Promise<number> {
  const before = await api.call('cpuMicroseconds');
  const figures = await load.call(
    'closedKeptAlive',
    { ...target, origin: origins[name], connections: CONNECTIONS },
    durationMs,
  );
  requireSuccess(target, figures);
  return ((await api.call('cpuMicroseconds')) - before) / figures.succeeded;
}

function requireSuccess({ method, path }: Target, { failures }: LoadFigures): void {
  if (Object.keys(failures).length > 0) throw new Error(`${method} ${path} failed: ${JSON.stringify(failures)}`);
}
