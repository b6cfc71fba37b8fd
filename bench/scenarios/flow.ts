import { setTimeout as delay } from 'node:timers/promises';
import type { LoadFigures, LoadGeneratorOffer } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import { commitLatency, type CommitLatency, lastDeliveryId } from '../support/commit-latency.js';
import type { Context, Receiver, Scenario } from '../support/context.js';
import {
  type PaymentService,
  type QueueKind,
  startProductService,
  startTextbookService,
} from '../support/payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { interleave } from '../support/statistics.js';

const RATES = [100, 300];
/** The issue's: of the p99 at this rate. */
const BAR_RATE = 300;
const BAR = { atMost: 1.5 };
const NEAR_SATURATION = 0.8;
const ENDPOINTS = 20;
const SETTLE_MS = 10_000;

type LoadGenerator = Remote<LoadGeneratorOffer>;
type Name = 'product' | 'textbook';

interface Stage {
  context: Context;
  receiver: Receiver;
  load: LoadGenerator;
  bodies: string[];
  durationMs: number;
}

interface FlowFigures extends CommitLatency {
  load: LoadFigures;
}

export const flow: Scenario = {
  about: 'payments created over HTTP at fixed rates until their webhooks arrive',
  async run(context) {
    const receiver = await context.receiver();
    const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
    const port = await receiver.call('listen', { kind: 'ok' });
    // every loopback address is an origin of its own
    const bodies = Array.from({ length: ENDPOINTS }, (_, index) =>
      paymentRequest(`http://127.0.1.${index + 1}:${port}/hooks`),
    );
    const stage = { context, receiver, load, bodies, durationMs: context.args.quick ? 2_000 : 6_000 };
    const kinds: QueueKind[] = context.args.quick ? ['redis'] : ['redis', 'postgres'];
    for (const kind of kinds) await measureKind(stage, kind);
  },
};

async function measureKind(stage: Stage, kind: QueueKind): Promise<void> {
  const { context } = stage;
  context.say(`flow on the ${kind} queue`);
  const services: Record<Name, PaymentService> = {
    product: await startProductService(context, kind),
    textbook: await startTextbookService(context, kind),
  };
  // warms up, too
  const most = await saturate(stage, services.product);
  await saturate(stage, services.textbook);
  const saturated = Math.floor(most * NEAR_SATURATION);
  for (const rate of [...RATES, saturated]) {
    const results = await interleave<Name, FlowFigures>(
      context.args.rounds,
      {
        product: () => measure(stage, services.product, rate),
        textbook: () => measure(stage, services.textbook, rate),
      },
      0,
    );
    const isSaturated = rate === saturated && !RATES.includes(rate);
    const which = isSaturated ? `${rate} payments/s (${NEAR_SATURATION} of what the API takes)` : `${rate} payments/s`;
    context.report.add(`flow, ${kind} queue, ${which}, two webhooks each`, rows(kind, rate, results));
  }
  await services.product.stop();
  await services.textbook.stop();
}

/** Payments per second that the service takes at most, while its worker delivers. */
async function saturate({ load, bodies, durationMs, receiver }: Stage, service: PaymentService): Promise<number> {
  await receiver.call('reset');
  const { rate, succeeded, failures } = await load.call('closed', { ...service.target, bodies }, durationMs);
  if (succeeded === 0) throw new Error(`no payment succeeded: ${JSON.stringify(failures)}`);
  await allDelivered(service);
  return rate;
}

async function measure(stage: Stage, service: PaymentService, rate: number): Promise<FlowFigures> {
  const { receiver, bodies, durationMs } = stage;
  const afterId = await lastDeliveryId(service.database);
  await receiver.call('reset');
  const load = await stage.load.call('open', { ...service.target, bodies }, rate, durationMs);
  await allDelivered(service);
  return { ...(await commitLatency(service.database, receiver, 'http://127.0.1.', afterId)), load };
}

/** Bounded: what is still pending then counts as never arrived. */
async function allDelivered({ database }: PaymentService): Promise<void> {
  for (const deadline = Date.now() + SETTLE_MS; Date.now() < deadline; await delay(50)) {
    const [row] = await database.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM all_deliveries WHERE status = 'pending') AS open`,
    );
    if (!row!.open) return;
  }
}

function rows(kind: QueueKind, rate: number, { product, textbook }: Record<Name, FlowFigures[]>): Comparison[] {
  const compare = (label: string, figure: (figures: FlowFigures) => number): Comparison => ({
    label,
    samples: product.map(figure),
    baseline: { name: 'textbook', samples: textbook.map(figure) },
  });
  const p99 = compare('commit to receipt, ms: p99', (figures) => figures.p99);
  return [
    compare('commit to receipt, ms: p50', (figures) => figures.p50),
    compare('commit to receipt, ms: p95', (figures) => figures.p95),
    rate === BAR_RATE ? { ...p99, key: `flow.${kind}.p99_at_${rate}`, bar: BAR } : p99,
    compare('POST /payments, ms: p50', ({ load }) => load.p50),
    compare('POST /payments, ms: p99', ({ load }) => load.p99),
    {
      label: 'payments refused or failed',
      samples: product.map(({ load }) => Object.values(load.failures).reduce((sum, count) => sum + count, 0)),
    },
  ];
}
