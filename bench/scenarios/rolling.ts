import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGeneratorMethods } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import { commitLatencies, summarize } from '../harness/commit-latency.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import type { BenchDatabase } from '../support/database.js';
import { allDelivered, type PaymentService, type QueueKind, startProductApi } from '../harness/payment-services.js';
import type { ProductOptions } from '../support/product.js';
import type { ProductProcess } from '../support/product-process.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { lastDeliveryId } from '../support/seed.js';

/** Payments per second, with two deliveries each. */
const RATE = 100;
const ENDPOINTS = 20;
const WORKERS = 2;
const PREFIX = 'http://127.0.1.';
const FIRST_DELIVERY_MS = 10_000;
const POLL_MS = 10;
/** In ms. */
const BARS = { delay: { atMost: 200 }, firstDelivery: { atMost: 1_000 } };

interface Setup {
  context: Context;
  receiver: Receiver;
  load: Remote<LoadGeneratorMethods>;
  database: BenchDatabase;
  options: ProductOptions;
  target: PaymentService['target'];
  bodies: string[];
  workers: ProductProcess[];
  /** Duration of the load before the restart, whose longest delay counts as usual, and after it. */
  quietMs: number;
}

interface Figures {
  /** The longest time from commit to receipt, in ms. */
  before: number;
  during: number;
  /** From a worker's start until its first delivery, the slowest of all, in ms. */
  firstDeliveryMs: number;
  stopMs: number;
}

export const rolling: Scenario = {
  about: 'two workers restarted one after the other under load: the longest delay, and the time to a first delivery',
  async run(context) {
    const receiver = await context.receiver();
    const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
    const port = await receiver.call('listen', { kind: 'ok' });
    const bodies = Array.from({ length: ENDPOINTS }, (_, index) =>
      paymentRequest(`${PREFIX}${index + 1}:${port}/hooks`),
    );
    for (const kind of ['redis', 'postgres'] as const) {
      const setup = await start(context, kind, { receiver, load, bodies });
      const figures: Figures[] = [];
      while (figures.length < context.args.rounds) figures.push(await measure(setup));
      context.report.add(`rolling, ${kind} queue, ${WORKERS} workers, ${RATE * 2} deliveries/s`, rows(kind, figures));
      for (const worker of setup.workers) await worker.stop();
    }
  },
};

async function start(
  context: Context,
  kind: QueueKind,
  rest: Pick<Setup, 'receiver' | 'load' | 'bodies'>,
): Promise<Setup> {
  context.say(`rolling on the ${kind} queue`);
  const database = await context.database();
  const options = { databaseUrl: database.url, redisUrl: kind === 'redis' ? context.redisUrl() : undefined };
  const { target } = await startProductApi(context, options);
  const workers: ProductProcess[] = [];
  while (workers.length < WORKERS) workers.push(await context.product.start('worker', options));
  const setup = { ...rest, context, database, options, target, workers, quietMs: context.args.quick ? 2_000 : 6_000 };
  await rest.load.call('open', { ...target, bodies: rest.bodies }, RATE, setup.quietMs); // warms up
  await allDelivered(setup);
  return setup;
}

async function measure(setup: Setup): Promise<Figures> {
  const { receiver, load, database, target, bodies, quietMs } = setup;
  const afterId = await lastDeliveryId(database);
  await receiver.call('reset');
  const stop = new AbortController();
  const underLoad = whileLoaded(() => load.call('open', { ...target, bodies }, RATE, 1_000), stop.signal);
  await delay(quietMs);
  const rolledFrom = Date.now();
  const restarts: Restart[] = [];
  for (let index = 0; index < WORKERS; index++) restarts.push(await restart(setup, index));
  await delay(quietMs);
  stop.abort();
  await underLoad;
  await allDelivered(setup);
  const latencies = await commitLatencies(database, receiver, PREFIX, afterId);
  return {
    before: summarize(latencies.filter(({ committedAt }) => committedAt < rolledFrom)).max,
    during: summarize(latencies.filter(({ committedAt }) => committedAt >= rolledFrom)).max,
    firstDeliveryMs: Math.max(...restarts.map(({ firstDeliveryMs }) => firstDeliveryMs)),
    stopMs: Math.max(...restarts.map(({ stopMs }) => stopMs)),
  };
}

/** Sends load one second at a time, because the duration of the restart is not known. */
async function whileLoaded(
  second: () => Promise<{ failures: Record<string, number> }>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const { failures } = await second();
    if (Object.keys(failures).length > 0) throw new Error(`payments failed: ${JSON.stringify(failures)}`);
  }
}

interface Restart {
  stopMs: number;
  firstDeliveryMs: number;
}

/** Rolls like a service manager: the next worker is stopped after this one has delivered again. */
async function restart({ context, options, workers }: Setup, index: number): Promise<Restart> {
  const stopping = performance.now();
  await workers[index]!.stop();
  const stopMs = performance.now() - stopping;
  const worker = (workers[index] = await context.product.start('worker', options));
  return { stopMs, firstDeliveryMs: await firstDelivery(worker) };
}

/** Ms from the start of the process until its metrics count a delivery. */
async function firstDelivery({ url, startedAt }: ProductProcess): Promise<number> {
  const elapsed = (): number => performance.timeOrigin + performance.now() - startedAt;
  for (; elapsed() < FIRST_DELIVERY_MS; await delay(POLL_MS)) {
    const metrics = await fetch(`${url}/metrics`).then((response) => response.text());
    if (/^webhook_deliveries_total\{[^}]*delivered[^}]*\} [1-9]/m.test(metrics)) return elapsed();
  }
  return Infinity;
}

function rows(kind: QueueKind, figures: Figures[]): Comparison[] {
  const samples = (figure: (figures: Figures) => number): number[] => figures.map(figure);
  return [
    {
      label: 'longest time from commit to receipt, ms',
      samples: samples(({ during }) => during),
      baseline: { name: 'before the restart', samples: samples(({ before }) => before) },
    },
    {
      label: 'increase of the longest time, ms',
      samples: samples(({ during, before }) => during - before),
      key: `rolling.${kind}.delay`,
      bar: BARS.delay,
    },
    {
      label: 'start of a worker to its first delivery, ms',
      samples: samples(({ firstDeliveryMs }) => firstDeliveryMs),
      key: `rolling.${kind}.first_delivery`,
      bar: BARS.firstDelivery,
    },
    { label: 'SIGTERM to exit of a worker, ms', samples: samples(({ stopMs }) => stopMs) },
  ];
}
