import type { Context, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, withCpu } from '../support/cpu.js';
import { allDelivered, type PaymentService, type QueueKind } from '../harness/payment-services.js';
import {
  againstOwnAddresses,
  againstReference,
  type SystemName,
  openPaymentSetup,
  type PaymentSetup,
  withSystems,
} from '../harness/payment-setup.js';
import { vacuum } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** Each payment has two, `processing` and `completed`, at each endpoint. */
const WEBHOOKS = 2;
/** For a machine with 2 cores. */
const BARS = { rate: { atLeast: 1_500 }, cpu: { atMost: 1 }, standing: { atMost: 1.6 } };

interface Figures {
  /** Per second, from the first request until the last webhook, for payments whose webhooks have arrived. */
  payments: number;
  /** CPU seconds of API, worker, PostgreSQL and Redis per 1,000 such payments. */
  cpu: number;
  postgresCpu: number;
}

export const both: Scenario = {
  about: 'payments and their webhooks at the maximum rate: payments per second, and CPU time',
  async run(context) {
    const setup = await openPaymentSetup(context, context.args.quick ? 3_000 : 10_000);
    for (const kind of ['redis', 'postgres'] as const) await measureKind(setup, kind);
  },
};

async function measureKind(setup: PaymentSetup, kind: QueueKind): Promise<void> {
  const { context } = setup;
  context.say(`both on the ${kind} queue`);
  await withSystems(setup, kind, async ({ product, reference, ledger, standing }) => {
    const results = await interleave<SystemName, Figures>(context.args.rounds, {
      product: () => measure(setup, product),
      reference: () => measure(setup, reference),
      ledger: () => measure(setup, ledger),
      standing: () => measure(setup, standing, 2 * WEBHOOKS),
    });
    report(context, kind, results);
  });
}

function report(context: Context, kind: QueueKind, results: Record<SystemName, Figures[]>): void {
  const compare = againstReference(results);
  const compareStanding = againstOwnAddresses(results);
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
    compareStanding('payments per second', ({ payments }) => payments),
    {
      ...compareStanding('CPU seconds per 1,000 payments', ({ cpu }) => cpu),
      key: `both.${kind}.standing_cpu`,
      bar: BARS.standing,
    },
  ]);
}

async function measure(
  { context, receiver, load, bodies, durationMs }: PaymentSetup,
  service: PaymentService,
  webhooks = WEBHOOKS,
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
  const payments = unique / webhooks;
  const total = Object.values(cpu).reduce((sum, each) => sum + each, 0);
  return {
    payments: payments / ((lastAt - startedAt) / 1_000),
    cpu: (total * 1_000) / payments,
    postgresCpu: (cpu.postgres! * 1_000) / payments,
  };
}
