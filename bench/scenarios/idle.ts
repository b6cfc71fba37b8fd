import { setTimeout as delay } from 'node:timers/promises';
import { PostgresDeliveryStore } from '../../src/webhooks/engine/postgres-delivery-store.js';
import type { Context, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, residentMemory, withCpu } from '../support/cpu.js';
import type { BenchDatabase } from '../support/database.js';
import type { QueueKind } from '../harness/payment-services.js';
import type { ProductProcess } from '../support/product-process.js';
import type { Bar, Comparison } from '../support/report.js';
import { seedDeliveries, seedLanes } from '../support/seed.js';

const MANY = 16;
const STARTED_AT_ONCE = 4;
const WAITING_LANES = 100_000;
const SCANS = 50;
const MEGABYTE = 1e6;
/**
 * Statements of all workers. Each of many workers sends a heartbeat every two seconds, and BullMQ polls occasionally.
 */
const STATEMENTS: Bar = { atMost: 2 };
/** A scan with many waiting lanes, compared with none. */
const SCAN: Bar = { atMost: 1.5 };

interface Figures {
  /** By the beginning of their text. */
  statements: Map<string, number>;
  workersCpu: number;
  postgresCpu: number;
  redisCpu: number;
  connections: number;
  memory: number;
}

export const idle: Scenario = {
  about: `cost of 1 and ${MANY} idle workers: statements and CPU per second, connections; a scan with many waiting lanes`,
  postgres: { shared_preload_libraries: 'pg_stat_statements' },
  async run(context) {
    const { only = '' } = context.args;
    for (const kind of ['redis', 'postgres'] as const) if (kind.includes(only)) await measureKind(context, kind);
    if ('look'.includes(only)) await measureScan(context);
  },
};

async function measureKind(context: Context, kind: QueueKind): Promise<void> {
  const database = await context.database();
  await database.run('CREATE EXTENSION pg_stat_statements');
  const options = { databaseUrl: database.url, redisUrl: kind === 'redis' ? context.redisUrl() : undefined };
  const workers: ProductProcess[] = [];
  const figures: Figures[] = [];
  for (const count of [1, MANY]) {
    context.say(`${count} idle on the ${kind} queue`);
    while (workers.length < count) {
      const more = Math.min(STARTED_AT_ONCE, count - workers.length);
      workers.push(
        ...(await Promise.all(Array.from({ length: more }, () => context.product.start('worker', options)))),
      );
    }
    figures.push(await measure(context, database, workers));
  }
  context.report.add(`idle, ${kind} queue, ${MANY} workers`, rows(kind, figures as [Figures, Figures]));
  await Promise.all(workers.map((worker) => worker.stop()));
}

async function measure(context: Context, database: BenchDatabase, workers: ProductProcess[]): Promise<Figures> {
  const { servers, args } = context;
  const seconds = args.quick ? 5 : 60;
  await delay(args.quick ? 4_000 : 15_000); // until the work of the start has ended
  await database.query('SELECT pg_stat_statements_reset()');
  const sources = {
    workers: () => workers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0),
    postgres: () => cpuSecondsOfFamily(servers.postgres.pid),
    redis: () => cpuSeconds(servers.redis.pid),
  };
  const { cpu } = await withCpu(sources, () => delay(seconds * 1_000));
  const perSecond = (name: string): number => (cpu[name]! / seconds) * 1_000;
  return {
    statements: await statementsOf(database, seconds),
    workersCpu: perSecond('workers'),
    postgresCpu: perSecond('postgres'),
    redisCpu: perSecond('redis'),
    connections: await connectionsOf(database),
    memory: Math.max(...workers.map(({ pid }) => residentMemory(pid).now)) / MEGABYTE,
  };
}

const SHOWN_LENGTH = 60;

/** Per second; includes BEGIN and COMMIT. */
async function statementsOf(database: BenchDatabase, seconds: number): Promise<Map<string, number>> {
  const rows = await database.query<{ text: string; calls: number }>(
    `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), ${SHOWN_LENGTH}) AS text, sum(calls)::int AS calls
     FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE d.datname = current_database() AND query !~ 'pg_stat_' GROUP BY 1 ORDER BY 2 DESC`,
  );
  return new Map(rows.map(({ text, calls }) => [text, calls / seconds]));
}

async function connectionsOf(database: BenchDatabase): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  return row!.count;
}

const sumOf = ({ statements }: Figures): number => [...statements.values()].reduce((sum, calls) => sum + calls, 0);

function rows(kind: QueueKind, [one, many]: [Figures, Figures]): Comparison[] {
  const row = (label: string, figure: (figures: Figures) => number): Comparison => ({
    label,
    samples: [figure(many)],
    baseline: { name: 'one worker', samples: [figure(one)] },
  });
  return [
    { ...row('statements per second', sumOf), key: `idle.${kind}.statements`, bar: STATEMENTS },
    row('CPU ms per second: workers', ({ workersCpu }) => workersCpu),
    row('CPU ms per second: postgres', ({ postgresCpu }) => postgresCpu),
    row('CPU ms per second: redis', ({ redisCpu }) => redisCpu),
    row('connections to PostgreSQL', ({ connections }) => connections),
    row('memory of the largest worker, MB', ({ memory }) => memory),
    ...[...many.statements.keys()]
      .slice(0, 12)
      .map((text) => row(`  ${text}`, ({ statements }) => statements.get(text) ?? 0)),
  ];
}

/** Times the scan of the worker that has claimed it, with an empty queue and with one in which all lanes wait. */
async function measureScan(context: Context): Promise<void> {
  const database = await context.database();
  const store = new PostgresDeliveryStore(database as never);
  const scans = async (): Promise<number[]> => {
    const samples: number[] = [];
    while (samples.length < SCANS) {
      const startedAt = performance.now();
      await store.dueLanes();
      samples.push(performance.now() - startedAt);
    }
    return samples;
  };
  await scans();
  const empty = await scans();
  const count = context.args.quick ? WAITING_LANES / 10 : WAITING_LANES;
  context.say(`${count.toLocaleString('en-US')} waiting lanes`);
  const lanes = await seedLanes(database, Array<string>(count).fill('http://127.0.0.1:9/webhooks'));
  await seedDeliveries(database, lanes, count, 'in an hour');
  await scans();
  const waiting = await scans();
  context.report.add(`idle, a scan with ${count.toLocaleString('en-US')} waiting lanes`, [
    {
      label: 'ms',
      samples: waiting,
      baseline: { name: 'nothing pending', samples: empty },
      key: 'idle.look',
      bar: SCAN,
    },
  ]);
}
