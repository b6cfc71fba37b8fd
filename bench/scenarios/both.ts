import type { Context, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import { allDelivered, type PaymentService, type QueueKind } from '../harness/payment-services.js';
import {
  besideTextbook,
  type Contestant,
  openPaymentStage,
  type PaymentStage,
  withContestants,
} from '../harness/payment-stage.js';
import { vacuum } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** Of each payment: `processing` and `completed`. */
const WEBHOOKS = 2;
/** For a machine of 2 cores. */
const BARS = { rate: { atLeast: 1_500 }, cpu: { atMost: 1 } };

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
    const stage = await openPaymentStage(context, context.args.quick ? 3_000 : 10_000);
    for (const kind of ['redis', 'postgres'] as const) await measureKind(stage, kind);
  },
};

async function measureKind(stage: PaymentStage, kind: QueueKind): Promise<void> {
  const { context } = stage;
  context.say(`both on the ${kind} queue`);
  await withContestants(context, kind, async ({ product, textbook, ledger }) => {
    const results = await interleave<Contestant, Figures>(context.args.rounds, {
      product: () => measure(stage, product),
      textbook: () => measure(stage, textbook),
      ledger: () => measure(stage, ledger),
    });
    report(context, kind, results);
  });
}

function report(context: Context, kind: QueueKind, results: Record<Contestant, Figures[]>): void {
  const compare = besideTextbook(results);
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
    compare('payments per second', ({ payments }) => payments, 'ledger'),
    compare('CPU seconds per 1,000 payments', ({ cpu }) => cpu, 'ledger'),
  ]);
}

async function measure(
  { context, receiver, load, bodies, durationMs }: PaymentStage,
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
