// What it costs an API process to protect itself from costly callers: CPU time per request beside the same API without it.
import type { ProtectedApiOffer } from '../baselines/protected-api.js';
import type { LoadFigures, LoadGeneratorOffer, Target } from '../processes/load-generator.js';
import type { Context } from './context.js';
import type { BenchDatabase } from '../support/database.js';
import { productSettings } from '../support/product.js';
import { nodeFlags } from '../support/programs.js';
import { Remote } from '../support/remote.js';
import type { Bar, Comparison } from '../support/report.js';

const BAR: Bar = { atMost: 1.03 };
/** So that requests are not grouped: who is slower would group more. */
const CONNECTIONS = 1;
/** Of a round, for each: so many and so short that whatever else happens on the machine happens to all. */
const TURNS = 120;
/** Of a turn, with `--quick`. */
const QUICK = 1 / 3;
/** Each has hooks and routes of its own, which are compiled by then. */
const WARM_UP_MS = 3_000;
const ON_STREAM = '/providers';
const [WARM_UP_REQUESTS, REQUESTS_OF_A_TURN] = [3_000, 100];

export interface ProtectedRequest {
  label: string;
  /** For the JSON line. */
  key: string;
  target: Target;
  /** How long a turn is: enough for some 150 requests. */
  turnMs: number;
}

interface Stage {
  /** A process for each order of start. */
  apis: StartedApi[];
  load: Remote<LoadGeneratorOffer>;
  isQuick: boolean;
}

interface StartedApi {
  api: Remote<ProtectedApiOffer>;
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
  const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
  // without lines of log, which would only make the protection's part smaller
  const env = productSettings({ databaseUrl: database.url, redisUrl, env: { LOG_LEVEL: 'error' } });
  const apis: StartedApi[] = [];
  for (const order of ORDERS) {
    const api = await Remote.start<ProtectedApiOffer>(context.supervisor, 'baselines/protected-api', flags);
    apis.push({ api, origins: await api.call('start', env as Record<string, string>, order) });
  }
  const { quick, rounds } = context.args;
  const stage: Stage = { apis, load, isQuick: quick };
  const rows: Comparison[] = [];
  for (const request of requests) rows.push(...(await compared(stage, request, rounds * TURNS)));
  rows.push(...(await comparedOnStream(stage, requests[0]!.target.headers, rounds * TURNS)));
  await Promise.all([...apis, { api: load }].map(({ api }) => api.stop()));
  return rows;
}

/**
 * Turn by turn, so that the median of the ratios is that of neighbours. The API without its protection is there twice, and
 * counts for what both took: how far the two are from each other is what the ratio can tell.
 */
async function compared(stage: Stage, request: ProtectedRequest, turns: number): Promise<Comparison[]> {
  const { label, key, target } = request;
  const turnMs = request.turnMs * (stage.isQuick ? QUICK : 1);
  const samples = await inTurns(stage, turns, (started, name, isWarmUp) =>
    costOf(stage, started, name, target, isWarmUp ? WARM_UP_MS : turnMs),
  );
  return rowsOf(label, samples, { key: `api.protection_${key}`, bar: BAR });
}

/** A request that reads nothing but the process's own memory, without a connection: the protection in µs. */
async function comparedOnStream(stage: Stage, headers: Record<string, string>, turns: number): Promise<Comparison[]> {
  const samples = await inTurns(stage, turns, ({ api }, name, isWarmUp) =>
    api.call('cpuOnStream', name, ON_STREAM, headers, isWarmUp ? WARM_UP_REQUESTS : REQUESTS_OF_A_TURN),
  );
  return rowsOf(`GET ${ON_STREAM} without a connection`, samples);
}

/** The processes take turns of turns. */
async function inTurns(
  { apis }: Stage,
  turns: number,
  costOf: (started: StartedApi, name: Variant, isWarmUp: boolean) => Promise<number>,
): Promise<Samples> {
  const samples: Samples = { product: [], bare: [], again: [] };
  for (const started of apis) for (const name of VARIANTS) await costOf(started, name, true);
  for (let turn = 0; turn < turns; turn++) {
    const round = Math.floor(turn / ORDERS.length);
    // each process begins with another order: who comes first after the others had their turns pays for what has gone cold
    for (const name of ORDERS[(turn + round) % ORDERS.length]!)
      samples[name].push(await costOf(apis[round % apis.length]!, name, false));
  }
  return samples;
}

/**
 * Of starts: who is started first is dearer by 0.7 to 0.9 % of a request without a connection, and two that are the same
 * differ by up to 2.5 % in one process. And of turns: each comes after each of the others, and after itself, as often as
 * they do, as who has just run is compiled and warm.
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
  // the geometric mean: of two that vary as much as `product` the arithmetic one is larger than either mostly is
  const without = bare.map((cost, turn) => Math.sqrt(cost * again[turn]!));
  return [
    {
      label: `${label}: CPU µs per request`,
      samples: product,
      baseline: { name: 'two without its protection', samples: without },
      ...barred,
    },
    { label: `${label}: one of these`, samples: again, baseline: { name: 'the other', samples: bare } },
  ];
}

const VARIANTS = ['product', 'bare', 'again'] as const;
type Variant = (typeof VARIANTS)[number];

/** CPU µs per request. */
async function costOf(
  { load }: Stage,
  { api, origins }: StartedApi,
  name: Variant,
  target: Target,
  turnMs: number,
): Promise<number> {
  const before = await api.call('cpuMicroseconds');
  const figures = await load.call('turn', { ...target, origin: origins[name], connections: CONNECTIONS }, turnMs);
  requireSuccess(target, figures);
  return ((await api.call('cpuMicroseconds')) - before) / figures.succeeded;
}

function requireSuccess({ method, path }: Target, { failures }: LoadFigures): void {
  if (Object.keys(failures).length > 0) throw new Error(`${method} ${path} failed: ${JSON.stringify(failures)}`);
}
