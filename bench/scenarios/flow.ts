import type { LoadFigures } from '../processes/load-generator.js';
import { commitLatency, type CommitLatency } from '../harness/commit-latency.js';
import type { Scenario } from '../harness/context.js';
import { allDelivered, type PaymentService, type QueueKind } from '../harness/payment-services.js';
import {
  besideTextbook,
  type Contestant,
  openPaymentStage,
  type PaymentStage,
  withContestants,
} from '../harness/payment-stage.js';
import type { Bar, Comparison } from '../support/report.js';
import { vacuum, lastDeliveryId } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

const RATES = [100, 200, 300];
/** At each of these rates: nobody waits for company. */
const BARS = { p50: { atMost: 1.25 }, p99: { atMost: 1 }, postP50: { atMost: 1.25 } };
const NEAR_SATURATION = 0.8;

interface FlowFigures extends CommitLatency {
  load: LoadFigures;
}

export const flow: Scenario = {
  about: 'payments created over HTTP at fixed rates until their webhooks arrive',
  async run(context) {
    const stage = await openPaymentStage(context, context.args.quick ? 2_000 : 6_000);
    const kinds: QueueKind[] = context.args.quick ? ['redis'] : ['redis', 'postgres'];
    const { only = '' } = context.args;
    for (const kind of kinds) if (`${kind} queue`.includes(only)) await measureKind(stage, kind);
  },
};

async function measureKind(stage: PaymentStage, kind: QueueKind): Promise<void> {
  const { context } = stage;
  context.say(`flow on the ${kind} queue`);
  await withContestants(context, kind, (services) => measureRates(stage, kind, services));
}

async function measureRates(
  stage: PaymentStage,
  kind: QueueKind,
  services: Record<Contestant, PaymentService>,
): Promise<void> {
  const { context } = stage;
  // warms up, too
  const most = await saturate(stage, services.product);
  await saturate(stage, services.textbook);
  await saturate(stage, services.ledger);
  const saturated = Math.floor(most * NEAR_SATURATION);
  for (const rate of [...RATES, saturated]) {
    const measured = {
      product: () => measure(stage, services.product, rate),
      textbook: () => measure(stage, services.textbook, rate),
      ledger: () => measure(stage, services.ledger, rate),
    };
    const results = await interleave<Contestant, FlowFigures>(context.args.rounds, measured, 0);
    const isSaturated = rate === saturated && !RATES.includes(rate);
    const which = isSaturated ? `${rate} payments/s (${NEAR_SATURATION} of what the API takes)` : `${rate} payments/s`;
    context.report.add(`flow, ${kind} queue, ${which}, two webhooks each`, rows(kind, rate, results));
  }
}

/** Payments per second that the service takes at most, while its worker delivers. */
async function saturate(
  { load, bodies, durationMs, receiver }: PaymentStage,
  service: PaymentService,
): Promise<number> {
  await receiver.call('reset');
  const { rate, succeeded, failures } = await load.call('closed', { ...service.target, bodies }, durationMs);
  if (succeeded === 0) throw new Error(`no payment succeeded: ${JSON.stringify(failures)}`);
  await allDelivered(service);
  return rate;
}

async function measure(stage: PaymentStage, service: PaymentService, rate: number): Promise<FlowFigures> {
  const { receiver, bodies, durationMs } = stage;
  await vacuum(service.database);
  const afterId = await lastDeliveryId(service.database);
  await receiver.call('reset');
  const load = await stage.load.call('open', { ...service.target, bodies }, rate, durationMs);
  await allDelivered(service);
  return { ...(await commitLatency(service.database, receiver, 'http://127.0.1.', afterId)), load };
}

function rows(kind: QueueKind, rate: number, results: Record<Contestant, FlowFigures[]>): Comparison[] {
  const compare = besideTextbook(results);
  const judged = (name: string, bar: Bar): Partial<Comparison> =>
    RATES.includes(rate) ? { key: `flow.${kind}.${name}_at_${rate}`, bar } : {};
  return [
    { ...compare('commit to receipt, ms: p50', (figures) => figures.p50), ...judged('p50', BARS.p50) },
    compare('commit to receipt, ms: p95', (figures) => figures.p95),
    { ...compare('commit to receipt, ms: p99', (figures) => figures.p99), ...judged('p99', BARS.p99) },
    { ...compare('POST /payments, ms: p50', ({ load }) => load.p50), ...judged('post_p50', BARS.postP50) },
    compare('POST /payments, ms: p99', ({ load }) => load.p99),
    compare('commit to receipt, ms: p50', (figures) => figures.p50, 'ledger'),
    compare('POST /payments, ms: p50', ({ load }) => load.p50, 'ledger'),
    {
      label: 'payments refused or failed',
      samples: results.product.map(({ load }) => Object.values(load.failures).reduce((sum, count) => sum + count, 0)),
    },
  ];
}
