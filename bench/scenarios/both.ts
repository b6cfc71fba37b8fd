import type { LoadGeneratorOffer } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import type { Context, Receiver, Scenario } from '../support/context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import {
  allDelivered,
  type PaymentService,
  type QueueKind,
  startProductService,
  startTextbookService,
} from '../support/payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { vacuum } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

const ENDPOINTS = 20;
/** Of each payment: `processing` and `completed`. */
const WEBHOOKS = 2;
/** The issue's, of its machine of 2 cores. */
const BARS = { rate: { atLeast: 1_500 }, cpu: { atMost: 1 } };

interface Stage {
  context: Context;
  receiver: Receiver;
  load: Remote<LoadGeneratorOffer>;
  bodies: string[];
  durationMs: number;
}

interface Figures {
  /** Per second, from the first request until the last webhook: of those whose webhooks have arrived. */
  payments: number;
  /** CPU seconds of API, worker, PostgreSQL and Redis per 1,000 such payments. */
  cpu: number;
  postgresCpu: number;
}

export const both: Scenario = {
  about: 'payments in and webhooks out at once, as many as go: per second, and CPU time',
  async run(context) {
    const receiver = await context.receiver();
    const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
    const port = await receiver.call('listen', { kind: 'ok' });
    // every loopback address is an origin of its own
    const bodies = Array.from({ length: ENDPOINTS }, (_, index) =>
      paymentRequest(`http://127.0.1.${index + 1}:${port}/hooks`),
    );
    const stage = { context, receiver, load, bodies, durationMs: context.args.quick ? 3_000 : 10_000 };
    for (const kind of ['redis', 'postgres'] as const) await measureKind(stage, kind);
  },
};

async function measureKind(stage: Stage, kind: QueueKind): Promise<void> {
  const { context } = stage;
  context.say(`both on the ${kind} queue`);
  const product = await startProductService(context, kind);
  const textbook = await startTextbookService(context, kind);
  const results = await interleave(context.args.rounds, {
    product: () => measure(stage, product),
    textbook: () => measure(stage, textbook),
  });
  const compare = (label: string, figure: (figures: Figures) => number): Comparison => ({
    label,
    samples: results.product.map(figure),
    baseline: { name: 'textbook', samples: results.textbook.map(figure) },
  });
  context.report.add(`both, ${kind} queue, payments in and their ${WEBHOOKS} webhooks each out`, [
    {
      ...compare('payments per second', ({ payments }) => payments),
      key: `both.${kind}.payments`,
      bar: BARS.rate,
      judgesFigure: true,
    },
    {
      ...compare('CPU seconds per 1,000 payments', ({ cpu }) => cpu),
      key: `both.${kind}.cpu`,
      bar: BARS.cpu,
      judgesFigure: true,
    },
    compare('of these PostgreSQL', ({ postgresCpu }) => postgresCpu),
  ]);
  await product.stop();
  await textbook.stop();
}

async function measure(
  { context, receiver, load, bodies, durationMs }: Stage,
  service: PaymentService,
): Promise<Figures> {
  const { postgres, redis } = context.servers;
  await vacuum(service.database);
  await receiver.call('reset');
  const sources = {
    service: () => service.pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    postgres: () => cpuSecondsOfFamily(postgres.pid),
    redis: () => cpuSeconds(redis.pid),
  };
  const startedAt = performance.timeOrigin + performance.now();
  const { result, cpu } = await withCpu(sources, async () => {
    const figures = await load.call('closed', { ...service.target, bodies }, durationMs);
    await allDelivered(service);
    return figures;
  });
  const { unique, lastAt } = await receiver.call('report');
  if (result.succeeded === 0) throw new Error(`no payment succeeded: ${JSON.stringify(result.failures)}`);
  const payments = unique / WEBHOOKS;
  const total = Object.values(cpu).reduce((sum, each) => sum + each, 0);
  return {
    payments: payments / ((lastAt - startedAt) / 1_000),
    cpu: (total * 1_000) / payments,
    postgresCpu: (cpu.postgres! * 1_000) / payments,
  };
}
