// What it costs an API process to protect itself from costly callers: CPU time per request beside the same API without it.
import type { ProtectedApiOffer } from '../baselines/protected-api.js';
import type { LoadFigures, LoadGeneratorOffer, Target } from '../processes/load-generator.js';
import type { Context } from './context.js';
import type { BenchDatabase } from './database.js';
import { productSettings } from './product.js';
import { nodeFlags } from './programs.js';
import { Remote } from './remote.js';
import type { Bar, Comparison } from './report.js';
import { interleave } from './statistics.js';

const BAR: Bar = { atMost: 1.03 };
/** So few that requests are not grouped: who is slower would group more. */
const CONNECTIONS = 2;
/** Of a round, for each of both: they take turns so often that whatever else happens on the machine happens to both. */
const TURNS = 10;

export interface ProtectedRequest {
  label: string;
  /** For the JSON line. */
  key: string;
  target: Target;
}

interface Stage {
  api: Remote<ProtectedApiOffer>;
  load: Remote<LoadGeneratorOffer>;
  origins: Record<'product' | 'bare', string>;
  turnMs: number;
}

export async function protectionCosts(
  context: Context,
  database: BenchDatabase,
  redisUrl: string,
  requests: ProtectedRequest[],
): Promise<Comparison[]> {
  const flags = nodeFlags(context.args.dist, 'api');
  const api = await Remote.start<ProtectedApiOffer>(context.supervisor, 'baselines/protected-api', flags);
  const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
  // without lines of log, which would only make the protection's part smaller
  const env = productSettings({ databaseUrl: database.url, redisUrl, env: { LOG_LEVEL: 'error' } });
  const origins = await api.call('start', env as Record<string, string>);
  const stage: Stage = { api, load, origins, turnMs: context.args.quick ? 100 : 250 };
  const rows: Comparison[] = [];
  for (const request of requests) rows.push(await compared(stage, request, context.args.rounds));
  await Promise.all([api.stop(), load.stop()]);
  return rows;
}

async function compared(stage: Stage, { label, key, target }: ProtectedRequest, rounds: number): Promise<Comparison> {
  const round = async (): Promise<Record<'product' | 'bare', number>> => {
    const turn = (name: 'product' | 'bare') => () => costOf(stage, { ...target, origin: stage.origins[name] });
    const turns = await interleave(TURNS, { product: turn('product'), bare: turn('bare') }, 0);
    return { product: perRequest(turns.product), bare: perRequest(turns.bare) };
  };
  const { both } = await interleave(rounds, { both: round });
  return {
    label: `${label}: CPU µs per request`,
    samples: both.map(({ product }) => product),
    baseline: { name: 'without its protection', samples: both.map(({ bare }) => bare) },
    key: `api.protection_${key}`,
    bar: BAR,
  };
}

interface Cost {
  cpuMicroseconds: number;
  requests: number;
}

async function costOf({ api, load, turnMs }: Stage, target: Target): Promise<Cost> {
  const before = await api.call('cpuMicroseconds');
  const figures = await load.call('closed', { ...target, connections: CONNECTIONS }, turnMs);
  requireSuccess(target, figures);
  return { cpuMicroseconds: (await api.call('cpuMicroseconds')) - before, requests: figures.succeeded };
}

const perRequest = (costs: Cost[]): number =>
  costs.reduce((sum, { cpuMicroseconds }) => sum + cpuMicroseconds, 0) /
  costs.reduce((sum, { requests }) => sum + requests, 0);

function requireSuccess({ method, path }: Target, { failures }: LoadFigures): void {
  if (Object.keys(failures).length > 0) throw new Error(`${method} ${path} failed: ${JSON.stringify(failures)}`);
}
