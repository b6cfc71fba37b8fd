import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { type SystemUnderTest, type LaneWaker, openLaneWaker } from '../harness/systems.js';
import { residentMemory } from '../support/cpu.js';
import { drainOnce, type DrainFigures } from '../harness/drain.js';
import type { QueueKind } from '../harness/payment-services.js';
import type { ProductProcess } from '../support/product-process.js';
import type { Comparison } from '../support/report.js';
import { seedLanes, type SeededLanes } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

const FLEETS = [1, 2, 4, 8] as const;
/** Each has a separate origin, whose connections all workers share. */
const LANES = 64;
/** Lanes are woken as by an API under load: a few at a time, taken by any worker. */
const WAKE_LANES = 4;
const WAKE_EVERY_MS = 2;
const SAMPLE_EVERY_MS = 20;
/** Attempts that are in flight after the last record end before the workers are held. */
const DRAIN_MS = 300;
const MEGABYTE = 1e6;

interface Fleet extends SystemUnderTest {
  workers: ProductProcess[];
  waker: LaneWaker;
}

interface FleetFigures extends DrainFigures {
  /** Claims of a lane per 1,000 deliveries, and the share of claims without rows. */
  claims: number;
  emptyShare: number;
  /** Results that came after their lease was lost. */
  tooLate: number;
  /** PostgreSQL sessions that wait at the same time: for a lock of a row or a table, and for one inside the server. */
  locks: number;
  latches: number;
  /** Memory of the largest worker, MB. */
  memory: number;
}

export const workers: Scenario = {
  about: 'the drain with 1, 2, 4 and 8 worker processes: deliveries per second, CPU, empty claims, waits for locks',
  async run(context) {
    const receiver = await context.receiver();
    const port = await receiver.call('listen', { kind: 'ok' });
    const kinds = (['redis', 'postgres'] as const).filter((kind) => kind.includes(context.args.only ?? ''));
    for (const kind of kinds) await measureKind(context, receiver, port, kind);
    await receiver.stop();
  },
};

async function measureKind(context: Context, receiver: Receiver, port: number, kind: QueueKind): Promise<void> {
  context.say(`workers on the ${kind} queue`);
  const count = context.args.quick ? 5_000 : 25_000;
  const endpoints = Array.from({ length: LANES }, (_, lane) => `http://127.0.8.${lane + 1}:${port}/webhooks`);
  const fleets: Fleet[] = [];
  const variants: Record<string, () => Promise<FleetFigures>> = {};
  for (const size of FLEETS) {
    const fleet = await startFleet(context, kind, size);
    const lanes = await seedLanes(fleet.database, endpoints);
    fleets.push(fleet);
    variants[size] = () => measure(context, receiver, fleet, lanes, count);
  }
  const results = await interleave(context.args.quick ? 1 : context.args.rounds, variants);
  for (const size of FLEETS) {
    const title = `workers, ${kind} queue, ${size} processes, ${count.toLocaleString('en-US')} deliveries over ${LANES} lanes`;
    context.report.add(title, rows(results[size]!, results[FLEETS[0]]!));
  }
  for (const fleet of fleets) await fleet.stop();
}

/** The workers are held with SIGSTOP while they are not measured, so that they take no CPU from another fleet. */
async function startFleet(context: Context, kind: QueueKind, size: number): Promise<Fleet> {
  const database = await context.database();
  const redisUrl = kind === 'redis' ? context.redisUrl() : undefined;
  const start = (): Promise<ProductProcess> => context.product.start('worker', { databaseUrl: database.url, redisUrl });
  const started = await Promise.all(Array.from({ length: size }, start));
  const waker = await openLaneWaker(context, database, redisUrl);
  const signal = (name: NodeJS.Signals): void => started.forEach(({ pid }) => process.kill(pid, name));
  signal('SIGSTOP');
  return {
    database,
    workers: started,
    waker,
    pids: started.map(({ pid }) => pid),
    hold: () => Promise.resolve(signal('SIGSTOP')),
    announce: () => Promise.resolve(),
    go: () => Promise.resolve(signal('SIGCONT')),
    stop: async () => {
      signal('SIGCONT');
      await waker.close();
      await Promise.all(started.map((worker) => worker.stop()));
    },
  };
}

async function measure(
  context: Context,
  receiver: Receiver,
  fleet: Fleet,
  lanes: SeededLanes,
  count: number,
): Promise<FleetFigures> {
  await fleet.go();
  const before = await countersOf(fleet);
  await delay(DRAIN_MS);
  const ended = new AbortController();
  let waking: Promise<void> | undefined;
  let waits = Promise.resolve({ locks: 0, latches: 0 });
  const go = (): Promise<void> => {
    waking = wakeUntil(ended.signal, fleet.waker, lanes.laneIds);
    waits = sampleUntil(ended.signal, fleet);
    return fleet.go();
  };
  try {
    const figures = await drainOnce({ context, receiver, system: { ...fleet, go }, lanes, count });
    ended.abort();
    const { locks, latches } = await waits;
    await delay(DRAIN_MS);
    const after = await countersOf(fleet);
    const [some, none, tooLate] = after.map((value, index) => value - before[index]!) as [number, number, number];
    const claims = ((some + none) / count) * 1_000;
    const memory = Math.max(...fleet.pids.map((pid) => residentMemory(pid).now)) / MEGABYTE;
    return { ...figures, claims, emptyShare: none / (some + none), tooLate, locks, latches, memory };
  } finally {
    ended.abort();
    await Promise.all([waking, waits]);
    await fleet.hold();
  }
}

async function wakeUntil(signal: AbortSignal, waker: LaneWaker, laneIds: number[]): Promise<void> {
  for (let at = 0; !signal.aborted; at = (at + WAKE_LANES) % laneIds.length) {
    await waker.wake(laneIds.slice(at, at + WAKE_LANES));
    await delay(WAKE_EVERY_MS);
  }
}

/** The mean number of waiting sessions. */
async function sampleUntil(signal: AbortSignal, { database }: Fleet): Promise<{ locks: number; latches: number }> {
  const sums = { locks: 0, latches: 0, samples: 0 };
  for (; !signal.aborted; await delay(SAMPLE_EVERY_MS)) {
    const [row] = await database.query<{ locks: number; latches: number }>(
      `SELECT count(*) FILTER (WHERE wait_event_type = 'Lock')::int AS locks,
        count(*) FILTER (WHERE wait_event_type = 'LWLock')::int AS latches
       FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`,
    );
    sums.locks += row!.locks;
    sums.latches += row!.latches;
    sums.samples += 1;
  }
  return { locks: sums.locks / sums.samples, latches: sums.latches / sums.samples };
}

const COUNTERS = [
  /^webhook_claims_total\{[^}]*brought="deliveries"[^}]*\} (\d+)/m,
  /^webhook_claims_total\{[^}]*brought="nothing"[^}]*\} (\d+)/m,
  /^webhook_results_too_late_total (\d+)/m,
];

/** Sums over all workers: claims with rows, claims without rows, late results. */
async function countersOf({ workers: fleet }: Fleet): Promise<number[]> {
  const pages = await Promise.all(fleet.map(({ url }) => fetch(`${url}/metrics`).then((response) => response.text())));
  return COUNTERS.map((counter) => pages.reduce((sum, page) => sum + Number(counter.exec(page)?.[1] ?? 0), 0));
}

function rows(figures: FleetFigures[], single: FleetFigures[]): Comparison[] {
  const row = (label: string, figure: (figures: FleetFigures) => number): Comparison => ({
    label,
    samples: figures.map(figure),
    ...(figures !== single && { baseline: { name: 'one worker', samples: single.map(figure) } }),
  });
  return [
    row('deliveries per second', ({ rate }) => rate),
    row('CPU µs per delivery: workers', ({ cpu }) => cpu.sender),
    row('CPU µs per delivery: postgres', ({ cpu }) => cpu.postgres),
    row('CPU µs per delivery: redis', ({ cpu }) => cpu.redis),
    row('claims of a lane per 1,000 deliveries', ({ claims }) => claims),
    { label: 'share of empty claims', samples: figures.map(({ emptyShare }) => emptyShare) },
    { label: 'sessions waiting for a lock', samples: figures.map(({ locks }) => locks) },
    { label: 'sessions waiting inside PostgreSQL', samples: figures.map(({ latches }) => latches) },
    { label: 'late results', samples: figures.map(({ tooLate }) => tooLate) },
    { label: 'duplicates', samples: figures.map(({ duplicates }) => duplicates) },
    { label: 'memory of the largest worker, MB', samples: figures.map(({ memory }) => memory) },
  ];
}
