import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGeneratorMethods } from '../processes/load-generator.js';
import type { Behaviour } from '../processes/receiver.js';
import { paymentRequest } from '../support/api-fixtures.js';
import { commitLatency, type CommitLatency } from '../harness/commit-latency.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { type LaneWaker, openLaneWaker } from '../harness/systems.js';
import { allDelivered, type PaymentService, type QueueKind, startProductService } from '../harness/payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { emptyDeliveries, lastDeliveryId, seedDeliveries, seedLanes, type SeededLanes } from '../support/seed.js';
import { interleave } from '../support/statistics.js';

/** Payments per second, with two deliveries each. */
const RATE = 100;
const ENDPOINTS = 200;
const BAR = { atMost: 1.25 };
const NONE = { atMost: 0 };
/** Attempts at an unresponsive receiver end by then. */
const ATTEMPTS_END_MS = 3_200;
/** 800 deliveries of one second each, 32 in parallel. */
const BACKLOG_ENDS_MS = 60_000;

/** Healthy endpoints are 127.0.1.*. Each other kind has a separate network, so that no lane has two kinds. */
const HEALTHY = 'http://127.0.1.';
const ONE_ORIGIN = 'http://127.0.6.1';
const DEAD_ORIGINS = 2_000;
const SLOW_SHOPS = 100;

interface Case {
  name: string;
  /** Bodies of `POST /payments`. */
  bodies: string[];
  /** Prefix of the endpoints whose latency is judged. */
  healthy: string;
  /** The case without unhealthy endpoints; absent: this is one. */
  baseline?: string;
  /** Due when the case begins, with one shop per endpoint. */
  backlog?: { endpoints: string[]; perShop: number; isHealthy?: boolean };
}

interface Figures extends CommitLatency {
  /** Deliveries to healthy endpoints that took more than one attempt. */
  retried: number;
}

interface Setup {
  receiver: Receiver;
  load: Remote<LoadGeneratorMethods>;
  service: PaymentService;
  waker: LaneWaker;
  durationMs: number;
  /** Deliveries of the first ms are not counted, because the effect takes time to build up. */
  leadMs: number;
  /** Lanes of backlogs by case; seeded once. */
  lanes: Map<string, SeededLanes>;
}

export const isolation: Scenario = {
  about:
    "healthy endpoints' latency and attempts, without and with other endpoints that are slow, dead or share their origin",
  async run(context) {
    const receiver = await context.receiver();
    const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
    const cases = await allCases(receiver);
    const { only = '', quick } = context.args;
    // quick: skips two kinds that the others represent
    const asked = cases.filter(({ name }) => name.includes(only) && (!quick || !/2\.9 s|refuse$/.test(name)));
    if (asked.length === 0) throw new Error(`no case named '${only}'`);
    const chosen = cases.filter((each) => asked.some((one) => one === each || one.baseline === each.name));
    for (const kind of quick ? (['redis'] as const) : (['redis', 'postgres'] as const)) {
      await measureKind(context, kind, receiver, load, chosen);
    }
  },
};

async function allCases(receiver: Receiver): Promise<Case[]> {
  const listen = (behaviour: Behaviour): Promise<number> => receiver.call('listen', behaviour);
  const ok = await listen({ kind: 'ok' });
  const hang = await listen({ kind: 'hang' });
  const late = await listen({ kind: 'slow', delayMs: 2_900 });
  const second = await listen({ kind: 'slow', delayMs: 1_000 });
  const refuse = await listen({ kind: 'refuse' });
  const deadPath = await listen({ kind: 'dead path' });
  const healthy = Array.from({ length: ENDPOINTS }, (_, index) => paymentRequest(`${HEALTHY}${index + 1}:${ok}/hooks`));
  // every tenth payment goes to its own address in network 127.0.`network`
  const mixed = (network: number, port: number): string[] =>
    healthy.map((body, index) =>
      index % 10 === 0 ? paymentRequest(`http://127.0.${network}.${index + 1}:${port}/hooks`) : body,
    );
  const many = (network: number, port: number): string[] =>
    Array.from(
      { length: DEAD_ORIGINS },
      (_, index) => `http://127.${network}.${index >> 7}.${1 + (index & 127)}:${port}/`,
    );
  const one = [paymentRequest(`${ONE_ORIGIN}:${deadPath}/hooks`)];
  const judged = { healthy: HEALTHY, baseline: 'all healthy' };
  return [
    { name: 'all healthy', bodies: healthy, healthy: HEALTHY },
    { name: '10 % never answer', bodies: mixed(3, hang), ...judged },
    { name: '10 % answer after 2.9 s', bodies: mixed(4, late), ...judged },
    { name: '10 % refuse', bodies: mixed(5, refuse), ...judged },
    {
      name: `${SLOW_SHOPS} shops at an origin that answers after 1 s`,
      bodies: healthy,
      ...judged,
      backlog: {
        endpoints: Array.from({ length: SLOW_SHOPS }, (_, shop) => `http://127.0.7.1:${second}/shop-${shop}`),
        perShop: 8,
        isHealthy: true,
      },
    },
    {
      name: `a backlog on ${DEAD_ORIGINS} origins that never answer`,
      bodies: healthy,
      ...judged,
      backlog: { endpoints: many(8, hang), perShop: 4 },
    },
    {
      name: `a backlog on ${DEAD_ORIGINS} origins that refuse`,
      bodies: healthy,
      ...judged,
      backlog: { endpoints: many(9, refuse), perShop: 4 },
    },
    { name: 'one origin', bodies: one, healthy: `${ONE_ORIGIN}:${deadPath}/hooks` },
    {
      name: 'one origin with a dead path of another shop',
      bodies: one,
      healthy: `${ONE_ORIGIN}:${deadPath}/hooks`,
      baseline: 'one origin',
      backlog: { endpoints: [`${ONE_ORIGIN}:${deadPath}/dead`], perShop: 1_000 },
    },
  ];
}

async function measureKind(
  context: Context,
  kind: QueueKind,
  receiver: Receiver,
  load: Remote<LoadGeneratorMethods>,
  cases: Case[],
): Promise<void> {
  context.say(`isolation on the ${kind} queue`);
  const { quick, rounds } = context.args;
  const service = await startProductService(context, kind);
  const [durationMs, leadMs] = quick ? [5_000, 2_500] : [10_000, 4_000];
  const waker = await openLaneWaker(context, service.database, service.redisUrl);
  const setup = { receiver, load, service, waker, durationMs, leadMs, lanes: new Map<string, SeededLanes>() };
  await measure(setup, cases[0]!); // warms up
  const variants = Object.fromEntries(cases.map((each) => [each.name, () => measure(setup, each)]));
  const results = await interleave<string, Figures>(quick ? 1 : rounds, variants, 0);
  context.report.add(
    `isolation, ${kind} queue, ${RATE * 2} deliveries/s, healthy endpoints' commit to receipt`,
    cases.filter(({ baseline }) => baseline !== undefined).flatMap((each) => rows(kind, each, results)),
  );
  await waker.close();
  await service.stop();
}

async function measure(setup: Setup, { name, bodies, healthy, backlog }: Case): Promise<Figures> {
  const { service, receiver, load, durationMs, leadMs } = setup;
  const { database } = service;
  await emptyDeliveries(database); // removes retries of the previous round
  await delay(ATTEMPTS_END_MS);
  await receiver.call('reset');
  const firstId = await lastDeliveryId(database);
  if (backlog) {
    const lanes = setup.lanes.get(name) ?? (await seedLanes(database, backlog.endpoints));
    setup.lanes.set(name, lanes);
    await seedDeliveries(database, lanes, backlog.endpoints.length * backlog.perShop, 'now');
    await setup.waker.wake(lanes.laneIds);
  }
  const sent = load.call('open', { ...service.target, bodies }, RATE, durationMs);
  await delay(leadMs);
  const afterId = await lastDeliveryId(database);
  const { failures } = await sent;
  if (Object.keys(failures).length > 0) throw new Error(`payments failed: ${JSON.stringify(failures)}`);
  await allDelivered(service, healthy);
  const latency = await commitLatency(database, receiver, healthy, afterId);
  if (!backlog?.isHealthy) return { ...latency, retried: await retried(service, healthy, firstId) };
  const { origin } = new URL(backlog.endpoints[0]!);
  await allDelivered(service, origin, BACKLOG_ENDS_MS);
  return {
    ...latency,
    retried: (await retried(service, healthy, firstId)) + (await retried(service, origin, firstId)),
  };
}

async function retried({ database }: PaymentService, endpointPrefix: string, afterId: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*) AS count FROM ${database.deliveries.all} d
     WHERE id > $1 AND starts_with(webhook_endpoint, $2) AND (attempts > 1 OR status <> 'delivered')`,
    [afterId, endpointPrefix],
  );
  return row!.count;
}

function rows(kind: QueueKind, { name, baseline }: Case, results: Record<string, Figures[]>): Comparison[] {
  const key = `isolation.${kind}.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
  const compare = (label: string, figure: (figures: Figures) => number): Comparison => ({
    label: `${name}: ${label}`,
    samples: results[name]!.map(figure),
    baseline: { name: baseline!, samples: results[baseline!]!.map(figure) },
  });
  return [
    compare('p50, ms', (latency) => latency.p50),
    { ...compare('p99, ms', (latency) => latency.p99), key: `${key}.p99`, bar: BAR },
    {
      label: `${name}: more than one attempt`,
      samples: results[name]!.map((figures) => figures.retried),
      key: `${key}.retried`,
      bar: NONE,
    },
  ];
}
