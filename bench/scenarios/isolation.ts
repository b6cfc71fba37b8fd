import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGeneratorOffer } from '../processes/load-generator.js';
import type { Manner } from '../processes/receiver.js';
import { paymentRequest } from '../support/api-fixtures.js';
import { commitLatency, type CommitLatency, lastDeliveryId } from '../support/commit-latency.js';
import type { Context, Receiver, Scenario } from '../support/context.js';
import { type PaymentService, type QueueKind, startProductService } from '../support/payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { emptyDeliveries } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** Payments per second; two deliveries each. */
const RATE = 100;
const ENDPOINTS = 200;
/** Of the endpoints, and so of the traffic. */
const BAD_SHARE = 0.1;
const BAR = { atMost: 1.25 };

const MANNERS = {
  'never answer': { kind: 'hang' },
  'answer after 2.9 s': { kind: 'slow', delayMs: 2_900 },
  refuse: { kind: 'refuse' },
} as const satisfies Record<string, Manner>;
type Trouble = keyof typeof MANNERS;
type Name = 'all healthy' | Trouble;

/** Healthy endpoints are 127.0.1.*; each trouble has a network of its own, so that no lane knows two of them. */
const HEALTHY = 'http://127.0.1.';

interface Stage {
  receiver: Receiver;
  load: Remote<LoadGeneratorOffer>;
  service: PaymentService;
  durationMs: number;
  /** Deliveries of the first moments are not counted: trouble takes a while to build up. */
  leadMs: number;
}

export const isolation: Scenario = {
  about: "healthy endpoints' latency, without and with 10 % of the traffic going to endpoints in trouble",
  async run(context) {
    const receiver = await context.receiver();
    const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
    const bodies = await requestBodies(receiver);
    for (const kind of ['redis', 'postgres'] as const) await measureKind(context, kind, receiver, load, bodies);
  },
};

async function requestBodies(receiver: Receiver): Promise<Record<Name, string[]>> {
  const ports: Partial<Record<Name, number>> = { 'all healthy': await receiver.call('listen', { kind: 'ok' }) };
  for (const trouble of Object.keys(MANNERS) as Trouble[]) {
    ports[trouble] = await receiver.call('listen', MANNERS[trouble]);
  }
  const healthyPort = ports['all healthy']!;
  const mixed = (bad: (index: number) => string): string[] =>
    Array.from({ length: ENDPOINTS }, (_, index) =>
      paymentRequest(
        index % Math.round(1 / BAD_SHARE) === 0 ? bad(index + 1) : `${HEALTHY}${index + 1}:${healthyPort}/hooks`,
      ),
    );
  return {
    'all healthy': mixed((host) => `http://127.0.2.${host}:${healthyPort}/hooks`),
    'never answer': mixed((host) => `http://127.0.3.${host}:${ports['never answer']}/hooks`),
    'answer after 2.9 s': mixed((host) => `http://127.0.4.${host}:${ports['answer after 2.9 s']}/hooks`),
    refuse: mixed((host) => `http://127.0.5.${host}:${ports.refuse}/hooks`),
  };
}

async function measureKind(
  context: Context,
  kind: QueueKind,
  receiver: Receiver,
  load: Remote<LoadGeneratorOffer>,
  bodies: Record<Name, string[]>,
): Promise<void> {
  context.say(`isolation on the ${kind} queue`);
  const { quick, rounds } = context.args;
  const service = await startProductService(context, kind);
  const stage = { receiver, load, service, durationMs: quick ? 2_000 : 8_000, leadMs: quick ? 700 : 3_000 };
  // quick: one trouble of each sort that has shown to differ
  const names = (Object.keys(bodies) as Name[]).filter(
    (name) => !quick || kind === 'redis' || name !== 'answer after 2.9 s',
  );
  const variants = Object.fromEntries(names.map((name) => [name, () => measure(stage, bodies[name])]));
  await measure(stage, bodies['all healthy']); // warms up
  const results = await interleave<string, CommitLatency>(rounds, variants, 0);
  context.report.add(
    `isolation, ${kind} queue, ${RATE * 2} deliveries/s to ${ENDPOINTS} endpoints, healthy ones' commit to receipt`,
    names.filter((name) => name !== 'all healthy').flatMap((name) => rows(kind, name, results)),
  );
  await service.stop();
}

async function measure(stage: Stage, bodies: string[]): Promise<CommitLatency> {
  const { service, receiver, load, durationMs, leadMs } = stage;
  await emptyDeliveries(service.database); // retries of the round before
  await receiver.call('reset');
  const sent = load.call('open', { ...service.target, bodies }, RATE, durationMs);
  await delay(leadMs);
  const afterId = await lastDeliveryId(service.database);
  const { failures } = await sent;
  if (Object.keys(failures).length > 0) throw new Error(`payments failed: ${JSON.stringify(failures)}`);
  await healthyDelivered(service);
  return commitLatency(service.database, receiver, HEALTHY, afterId);
}

/** Bounded: what is still pending then counts as never arrived. */
async function healthyDelivered({ database }: PaymentService): Promise<void> {
  for (const deadline = Date.now() + 5_000; Date.now() < deadline; await delay(50)) {
    const [row] = await database.query<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM all_deliveries
         WHERE status = 'pending' AND attempts = 0 AND starts_with(webhook_endpoint, $1)) AS open`,
      [HEALTHY],
    );
    if (!row!.open) return;
  }
}

function rows(kind: QueueKind, name: string, results: Record<string, CommitLatency[]>): Comparison[] {
  const compare = (label: string, figure: (latency: CommitLatency) => number): Comparison => ({
    label,
    samples: results[name]!.map(figure),
    baseline: { name: 'all healthy', samples: results['all healthy']!.map(figure) },
  });
  return [
    compare(`10 % ${name}, ms: p50`, (latency) => latency.p50),
    {
      ...compare(`10 % ${name}, ms: p99`, (latency) => latency.p99),
      key: `isolation.${kind}.${name.replaceAll(/[^a-z0-9]+/g, '_')}.p99`,
      bar: BAR,
    },
  ];
}
