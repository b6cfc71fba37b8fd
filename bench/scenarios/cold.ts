import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { openLaneWaker, startUpperBound } from '../harness/systems.js';
import type { BenchDatabase } from '../support/database.js';
import type { QueueKind } from '../harness/payment-services.js';
import type { Bar, Comparison } from '../support/report.js';
import { vacuum, checkpoint, hasUntried, seedDeliveries, seedLanes, type SeededLanes } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** Ports of the receiver, each with its shop and lane. */
const LANES = 50;
const POLL_MS = 20;
const SLOWEST_PER_SECOND = 200;
const MIN_TIMEOUT_MS = 30_000;
/** Deliveries per second by count, on a machine with 2 cores, including the start of the process. */
const BARS: Readonly<Record<number, Bar>> = { 20_000: { atLeast: 3_600 }, 100_000: { atLeast: 5_400 } };

/**
 * The planner's statistics, in the order in which a database gets them: each run leaves its deliveries to the next.
 * `analysed empty`: analysed when all earlier deliveries had ended and none was pending.
 */
const STATES = ['never analysed', 'analysed empty', 'analysed full'] as const;
type State = (typeof STATES)[number];

interface ColdFigures {
  /** Deliveries per second, from the start of the process to the last receipt. */
  rate: number;
  /** From the start of the process, in ms. */
  firstReceiptMs: number;
}
type ByState = Record<State, ColdFigures>;

/** Starts a process that delivers pending webhooks. */
type Start = (database: BenchDatabase) => Promise<{ startedAt: number; stop(): Promise<unknown> }>;

interface ColdRun {
  context: Context;
  receiver: Receiver;
  endpoints: string[];
  count: number;
}

export const cold: Scenario = {
  about: 'a worker that starts with a backlog, with different planner statistics of the queue',
  async run(context) {
    const receiver = await context.receiver();
    const endpoints: string[] = [];
    while (endpoints.length < LANES) {
      endpoints.push(`http://127.0.0.1:${await receiver.call('listen', { kind: 'ok' })}/webhooks`);
    }
    const oneOrigin = endpoints.map(() => endpoints[0]!);
    const kinds: QueueKind[] = context.args.quick ? ['redis'] : ['redis', 'postgres'];
    for (const kind of kinds) {
      for (const count of context.args.quick ? [20_000] : [20_000, 100_000]) {
        await measure({ context, receiver, endpoints, count }, kind, `${LANES} origins`);
        await measure({ context, receiver, endpoints: oneOrigin, count }, kind, '1 origin');
      }
    }
  },
};

async function measure(coldRun: ColdRun, kind: QueueKind, origins: string): Promise<void> {
  const { context, count } = coldRun;
  const deliveries = `${count.toLocaleString('en-US')} deliveries, ${LANES} lanes to ${origins}`;
  context.say(`cold, ${kind} queue: ${deliveries}`);
  const results = await interleave(
    context.args.quick ? 1 : context.args.rounds,
    { product: () => productStates(coldRun, kind), upperBound: () => upperBoundStates(coldRun) },
    0,
  );
  context.report.add(
    `cold, ${kind} queue, ${deliveries}`,
    STATES.flatMap((state) => rows(state, `cold.${kind}.${count}.${origins.replace(' ', '_')}`, BARS[count]!, results)),
  );
}

function rows(state: State, key: string, bar: Bar, results: Record<'product' | 'upperBound', ByState[]>): Comparison[] {
  const compare = (label: string, figure: (figures: ColdFigures) => number): Comparison => ({
    label: `${state}: ${label}`,
    samples: results.product.map((states) => figure(states[state])),
    baseline: { name: 'claim, post, record', samples: results.upperBound.map((states) => figure(states[state])) },
  });
  return [
    {
      ...compare('deliveries/s from the start of the process', ({ rate }) => rate),
      key: `${key}.${state.replace(' ', '_')}`,
      bar,
      judgesFigure: true,
    },
    compare('ms to the first receipt', ({ firstReceiptMs }) => firstReceiptMs),
  ];
}

async function productStates(coldRun: ColdRun, kind: QueueKind): Promise<ByState> {
  const { context } = coldRun;
  const redisUrl = kind === 'redis' ? context.redisUrl() : undefined;
  const database = await context.database();
  const waker = await openLaneWaker(context, database, redisUrl);
  const states = await everyState(
    coldRun,
    database,
    ({ url }) => context.product.start('worker', { databaseUrl: url, redisUrl }),
    ({ laneIds }) => waker.wake(laneIds),
  );
  await waker.close();
  await database.drop(context.servers.postgres.url);
  return states;
}

async function upperBoundStates(coldRun: ColdRun): Promise<ByState> {
  const { context } = coldRun;
  const database = await context.database('baseline');
  const states = await everyState(coldRun, database, async () => {
    const startedAt = performance.timeOrigin + performance.now();
    const upperBound = await startUpperBound(context, database);
    const drained = upperBound.go();
    return { startedAt, stop: () => drained.then(() => upperBound.stop()) };
  });
  await database.drop(context.servers.postgres.url);
  return states;
}

async function everyState(
  coldRun: ColdRun,
  database: BenchDatabase,
  start: Start,
  announce?: (lanes: SeededLanes) => Promise<void>,
): Promise<ByState> {
  const lanes = await seedLanes(database, coldRun.endpoints);
  const results: Partial<ByState> = {};
  for (const state of STATES) {
    if (state === 'analysed empty') await vacuum(database);
    await checkpoint(database);
    const firstId = await seedDeliveries(database, lanes, coldRun.count, 'now');
    if (state === 'analysed full') await vacuum(database);
    await announce?.(lanes);
    results[state] = await fromStart(coldRun, database, firstId, start);
  }
  return results as ByState;
}

async function fromStart(
  { receiver, count }: ColdRun,
  database: BenchDatabase,
  firstId: number,
  start: Start,
): Promise<ColdFigures> {
  await receiver.call('reset');
  const received = receiver.call('waitFor', count, Math.max(MIN_TIMEOUT_MS, (count / SLOWEST_PER_SECOND) * 1_000));
  const [process, { firstAt, lastAt }] = await Promise.all([start(database), received]);
  const { startedAt } = process;
  while (await hasUntried(database, firstId)) await delay(POLL_MS);
  await process.stop();
  return { rate: count / ((lastAt - startedAt) / 1_000), firstReceiptMs: firstAt - startedAt };
}
