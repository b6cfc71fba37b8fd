import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { LoadFigures, LoadGeneratorMethods } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { type ProductSystem, startProduct } from '../harness/systems.js';
import { residentMemory } from '../support/cpu.js';
import type { BenchDatabase } from '../support/database.js';
import { drainOnce, type DrainFigures } from '../harness/drain.js';
import { type QueueKind, startProductApi } from '../harness/payment-services.js';
import { Remote } from '../support/remote.js';
import type { Bar, Comparison } from '../support/report.js';
import { seedDeliveries, seedLanes, type SeededLanes, vacuum } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

const LANES = 50;
const SEEDED_AT_ONCE = 100_000;
const MEGABYTE = 1e6;
const SPEED: Bar = { atLeast: 0.9 };
const QUEUE_MEGABYTES: Bar = { atMost: 50 };
/** For the median of `POST /payments`, compared with no pending deliveries; the p99 of a round is only ten requests. */
const LATENCY: Bar = { atMost: 1.25 };
const PAYMENTS_PER_SECOND = 100;
/** The reconciler has scanned several times by then. */
const SCANNED_AFTER_MS = 1_500;

/** The product with a number of deliveries that wait for their retries. */
interface Loaded {
  waiting: number;
  system: ProductSystem;
  lanes: SeededLanes;
  /** Growth of the queue's store, in MB. */
  queueMegabytes: number;
}

export const backlog: Scenario = {
  about: 'the same drain while many deliveries wait for their retries; memory and table sizes',
  async run(context) {
    const receiver = await context.receiver();
    const endpoint = `http://127.0.0.1:${await receiver.call('listen', { kind: 'ok' })}/webhooks`;
    const sizes = context.args.quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000];
    await measureKind(context, receiver, endpoint, 'redis', sizes);
    await measureKind(context, receiver, endpoint, 'postgres', sizes.slice(-1));
  },
};

async function measureKind(
  context: Context,
  receiver: Receiver,
  endpoint: string,
  kind: QueueKind,
  sizes: number[],
): Promise<void> {
  const loaded: Loaded[] = [];
  for (const waiting of [0, ...sizes]) {
    context.say(`${kind} queue: ${waiting.toLocaleString('en-US')} deliveries waiting`);
    loaded.push(await load(context, kind, endpoint, waiting));
  }
  const [empty, ...full] = loaded as [Loaded, ...Loaded[]];
  const count = context.args.quick ? 5_000 : 20_000;
  const results = await interleave<string, DrainFigures>(
    context.args.rounds,
    Object.fromEntries(
      loaded.map(({ waiting, system, lanes }) => [
        waiting,
        () => drainOnce({ context, receiver, system, lanes, count }),
      ]),
    ),
  );
  const rates = ({ waiting }: Loaded): number[] => results[waiting]!.map(({ rate }) => rate);
  for (const each of full) {
    const judged = each.waiting === sizes.at(-1);
    const key = `backlog.${kind}.${each.waiting}`;
    context.report.add(
      `backlog, ${kind} queue, ${each.waiting.toLocaleString('en-US')} deliveries waiting for a retry`,
      [
        {
          label: `deliveries per second (${count.toLocaleString('en-US')} over ${LANES} lanes)`,
          samples: rates(each),
          baseline: { name: 'none waiting', samples: rates(empty) },
          ...(judged && { key: `${key}.speed`, bar: SPEED }),
        },
        {
          label: 'memory of the queue store, MB',
          samples: [each.queueMegabytes],
          ...(judged && { key: `${key}.queue_megabytes`, bar: QUEUE_MEGABYTES }),
        },
        workerMemory(each, empty),
        ...(judged ? await tableSizes(each.system.database) : []),
      ],
    );
  }
  await measureApi(context, endpoint, kind, empty, full.at(-1)!);
  for (const { system } of loaded) await system.stop();
}

/** The effect of the pending deliveries on callers of the API, while the webhooks of their payments are sent. */
async function measureApi(
  context: Context,
  endpoint: string,
  kind: QueueKind,
  empty: Loaded,
  full: Loaded,
): Promise<void> {
  const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
  const apis = await Promise.all(
    [empty, full].map(({ system: { database, redisUrl } }) =>
      startProductApi(context, { databaseUrl: database.url, redisUrl }),
    ),
  );
  const durationMs = context.args.quick ? 2_000 : 10_000;
  const bodies = [paymentRequest(endpoint)];
  const [none, waiting] = apis.map(({ target }) => async (): Promise<LoadFigures> => {
    const figures = await load.call('open', { ...target, bodies }, PAYMENTS_PER_SECOND, durationMs);
    if (Object.keys(figures.failures).length > 0)
      throw new Error(`POST /payments: ${JSON.stringify(figures.failures)}`);
    return figures;
  });
  const results = await interleave(context.args.rounds, { waiting: waiting!, none: none! });
  const compare = (label: string, figure: (figures: LoadFigures) => number): Comparison => ({
    label,
    samples: results.waiting.map(figure),
    baseline: { name: 'none waiting', samples: results.none.map(figure) },
  });
  context.report.add(
    `backlog, ${kind} queue, ${PAYMENTS_PER_SECOND} payments/s with ${full.waiting.toLocaleString('en-US')} waiting deliveries`,
    [
      {
        ...compare('POST /payments, ms: p50', ({ p50 }) => p50),
        key: `backlog.${kind}.${full.waiting}.api_p50`,
        bar: LATENCY,
      },
      compare('POST /payments, ms: p99', ({ p99 }) => p99),
    ],
  );
  for (const api of apis) await api.stop();
  await load.stop();
}

async function load(context: Context, kind: QueueKind, endpoint: string, waiting: number): Promise<Loaded> {
  const system = await startProduct(context, kind);
  const lanes = await seedLanes(system.database, Array<string>(LANES).fill(endpoint));
  const store = kind === 'redis' ? redisMegabytes : queueTableMegabytes;
  const before = await store(context, system.database);
  for (let seeded = 0; seeded < waiting; seeded += SEEDED_AT_ONCE) {
    await seedDeliveries(system.database, lanes, Math.min(SEEDED_AT_ONCE, waiting - seeded), 'in an hour');
  }
  await vacuum(system.database);
  await system.announce(lanes, 0, 0);
  await delay(SCANNED_AFTER_MS);
  const queueMegabytes = (await store(context, system.database)) - before;
  return { waiting, system, lanes, queueMegabytes };
}

async function redisMegabytes({ servers }: Context): Promise<number> {
  const redis = new Redis(servers.redis.url);
  const bytes = Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
  await redis.quit();
  return bytes / MEGABYTE;
}

async function queueTableMegabytes(_context: Context, database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ bytes: number }>(
    `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'bullmq' AND c.relkind = 'r'`,
  );
  return row!.bytes / MEGABYTE;
}

function workerMemory(each: Loaded, empty: Loaded): Comparison {
  const peak = ({ system }: Loaded): number => residentMemory(system.pids[0]!).peak / MEGABYTE;
  return {
    label: "worker's peak resident memory, MB",
    samples: [peak(each)],
    baseline: { name: 'none waiting', samples: [peak(empty)] },
  };
}

/** MB per million deliveries, delivered and pending ones together. */
async function tableSizes(database: BenchDatabase): Promise<Comparison[]> {
  const rows = await database.query<{ name: string; bytes: number; rows: number }>(
    `SELECT t.name, sum(pg_total_relation_size(p.relid)) AS bytes, (SELECT count(*) FROM ${database.deliveries.all} d) AS rows
     FROM unnest($1::text[]) AS t (name) CROSS JOIN LATERAL pg_partition_tree(t.name::regclass) p GROUP BY t.name`,
    [database.deliveries.names],
  );
  return rows.map(({ name, bytes, rows: count }) => ({
    label: `MB per million deliveries: ${name} and its indexes`,
    samples: [Number(bytes) / count],
  }));
}
