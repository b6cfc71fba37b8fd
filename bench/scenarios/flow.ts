import type { LoadFigures } from '../processes/load-generator.js';
import { commitLatency, type CommitLatency } from '../harness/commit-latency.js';
import type { Scenario } from '../harness/context.js';
import { allDelivered, type PaymentService, type QueueKind } from '../harness/payment-services.js';
import {
  againstOwnAddresses,
  againstReference,
  type SystemName,
  openPaymentSetup,
  type PaymentSetup,
  withSystems,
} from '../harness/payment-setup.js';
import type { Bar, Comparison } from '../support/report.js';
import { vacuum, lastDeliveryId } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

const RATES = [100, 200, 300];
/** For each of these rates: no request waits for a batch. */
const BARS = { p50: { atMost: 1.25 }, p99: { atMost: 1 }, postP50: { atMost: 1.25 } };
/** Each change has two deliveries instead of one. */
const STANDING: Bar = { atMost: 1.6 };
const NEAR_SATURATION = 0.8;

interface FlowFigures extends CommitLatency {
  load: LoadFigures;
}

export const flow: Scenario = {
  about: 'payments created over HTTP at fixed rates, until their webhooks arrive',
  async run(context) {
    const setup = await openPaymentSetup(context, context.args.quick ? 2_000 : 6_000);
    const kinds: QueueKind[] = context.args.quick ? ['redis'] : ['redis', 'postgres'];
    const { only = '' } = context.args;
    for (const kind of kinds) if (`${kind} queue`.includes(only)) await measureKind(setup, kind);
  },
};

async function measureKind(setup: PaymentSetup, kind: QueueKind): Promise<void> {
  const { context } = setup;
  context.say(`flow on the ${kind} queue`);
  await withSystems(setup, kind, (services) => measureRates(setup, kind, services));
}

async function measureRates(
  setup: PaymentSetup,
  kind: QueueKind,
  services: Record<SystemName, PaymentService>,
): Promise<void> {
  const { context } = setup;
  // also warms up
  const highest = await saturate(setup, services.product);
  await saturate(setup, services.reference);
  await saturate(setup, services.ledger);
  await saturate(setup, services.standing);
  const saturated = Math.floor(highest * NEAR_SATURATION);
  for (const rate of [...RATES, saturated]) {
    const measured = {
      product: () => measure(setup, services.product, rate),
      reference: () => measure(setup, services.reference, rate),
      ledger: () => measure(setup, services.ledger, rate),
      standing: () => measure(setup, services.standing, rate),
    };
    const results = await interleave<SystemName, FlowFigures>(context.args.rounds, measured, 0);
    const isSaturated = rate === saturated && !RATES.includes(rate);
    const which = isSaturated ? `${rate} payments/s (${NEAR_SATURATION} of the API's maximum)` : `${rate} payments/s`;
    context.report.add(`flow, ${kind} queue, ${which}, two webhooks each`, rows(kind, rate, results));
  }
}

/** The highest rate of payments per second that the service accepts while its worker delivers. */
async function saturate(
  { load, bodies, durationMs, receiver }: PaymentSetup,
  service: PaymentService,
): Promise<number> {
  await receiver.call('reset');
  const { rate, succeeded, failures } = await load.call('closed', { ...service.target, bodies }, durationMs);
  if (succeeded === 0) throw new Error(`no payment succeeded: ${JSON.stringify(failures)}`);
  await allDelivered(service);
  return rate;
}

async function measure(setup: PaymentSetup, service: PaymentService, rate: number): Promise<FlowFigures> {
  const { receiver, bodies, durationMs } = setup;
  await vacuum(service.database);
  const afterId = await lastDeliveryId(service.database);
  await receiver.call('reset');
  const load = await setup.load.call('open', { ...service.target, bodies }, rate, durationMs);
  await allDelivered(service);
  return { ...(await commitLatency(service.database, receiver, 'http://127.0.1.', afterId)), load };
}

function rows(kind: QueueKind, rate: number, results: Record<SystemName, FlowFigures[]>): Comparison[] {
  const compare = againstReference(results);
  const compareStanding = againstOwnAddresses(results);
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
    { ...compareStanding('commit to receipt, ms: p50', (figures) => figures.p50), ...judged('standing_p50', STANDING) },
    { ...compareStanding('POST /payments, ms: p50', ({ load }) => load.p50), ...judged('standing_post_p50', STANDING) },
    {
      label: 'payments refused or failed',
      samples: results.product.map(({ load }) => Object.values(load.failures).reduce((sum, count) => sum + count, 0)),
    },
  ];
}
