import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGeneratorMethods, Target } from '../processes/load-generator.js';
import { createFlow, jsonHeaders, paymentRequest } from '../support/api-fixtures.js';
import { type Attack, attacks, payments, redeliveries } from '../harness/attacks.js';
import { commitLatencies } from '../harness/commit-latency.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, type CpuSources, withCpu } from '../support/cpu.js';
import { type LaneWaker, openLaneWaker } from '../harness/systems.js';
import type { BenchDatabase } from '../support/database.js';
import { allDelivered } from '../harness/payment-services.js';
import { accessToken, type ProductOptions, productSettings } from '../support/product.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { emptyDeliveries, lastDeliveryId, seedDeliveries, type SeededLanes } from '../support/seed.js';
import { type Past, seedDecidedPayments } from '../support/seed-payments.js';
import { interleave, percentile } from '../support/statistics.js';

/** The victim's payments per second, with two deliveries each. */
const RATE = 40;
const VICTIM_SHOPS = 3;
const ATTACKER_SHOPS = 60;
const PAST_PAYMENTS = 20_000;
const PAST_DELIVERIES = 2_000;
/** The default, for both clients. The attacker is one client and continues after refusals. */
const RATE_LIMIT = '200';
const AFTER_REFUSAL_MS = 200;
/** The same case again: the difference to itself shows the precision of the ratios. */
const CONTROL = 'without attack, again';
const BARS = { payments: { atMost: 1.5 }, webhooks: { atMost: 1.25 } };
/** Attempts at an unresponsive receiver end by then. */
const ATTEMPTS_END_MS = 3_200;
const VICTIM = 'http://127.0.1.';
const SHARED_HOST = 'http://127.0.6.1';

interface Baseline {
  name: string;
  hasBar: boolean;
}

interface Case {
  name: string;
  attack?: Attack;
  /** The cases to compare with, with or without a bar; empty: only a baseline for others. */
  baselines: Baseline[];
  bodies: string[];
  /** Prefix of the victim's addresses. */
  addresses: string;
  hangs?: boolean;
  prepare?: () => Promise<void>;
}

interface Figures {
  /** Ms of each request of the victim, and from each commit to its receipt. */
  payments: number[];
  webhooks: number[];
  /** CPU seconds of API, worker and PostgreSQL while the victim paid. */
  cpu: number;
  /** The attacker's requests. */
  done: number;
  refused: number;
}

interface Setup {
  context: Context;
  database: BenchDatabase;
  receiver: Receiver;
  victim: Remote<LoadGeneratorMethods>;
  attacker: Remote<LoadGeneratorMethods>;
  origin: string;
  tokens: { attacker: string; victim: string };
  cpu: CpuSources;
  durationMs: number;
  leadMs: number;
}

export const fairness: Scenario = {
  about: "a client's payments and webhooks while another client attacks the service",
  async run(context) {
    const { rounds, only } = context.args;
    const database = await context.database();
    const redisUrl = context.redisUrl();
    const env = { RATE_LIMIT_PER_SECOND: RATE_LIMIT };
    const options: ProductOptions = {
      databaseUrl: database.url,
      redisUrl,
      env,
    };
    const { setup, past } = await start(context, database, options);
    const waker = await openLaneWaker(context, database, redisUrl);
    const cases = chosen(await allCases(setup, past, waker), only);
    await measure(setup, cases[0]!); // warms up
    const variants = Object.fromEntries(cases.map((each) => [each.name, () => measure(setup, each)]));
    const results = await interleave<string, Figures>(rounds, variants, 0);
    context.report.add(
      `fairness: ${RATE} payments/s of one client while another attacks`,
      cases.flatMap((each) => rows(each, results)),
    );
    await waker.close();
  },
};

async function start(
  context: Context,
  database: BenchDatabase,
  options: ProductOptions,
): Promise<{ setup: Setup; past: Past }> {
  const { url, pid } = await context.product.start('api', options);
  const worker = await context.product.start('worker', options);
  const attacker = await accessToken(url);
  await createFlow(url, attacker, ATTACKER_SHOPS);
  // at this time its flow is the only one
  const past = await seedDecidedPayments(database, context.args.quick ? PAST_PAYMENTS / 4 : PAST_PAYMENTS);
  const victim = await accessToken(url, await context.product.createClient('victim', productSettings(options)));
  await createFlow(url, victim, VICTIM_SHOPS);
  const startLoad = () => Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
  const [durationMs, leadMs] = context.args.quick ? [5_000, 1_000] : [8_000, 3_000];
  const setup: Setup = {
    context,
    database,
    receiver: await context.receiver(),
    victim: await startLoad(),
    attacker: await startLoad(),
    origin: url,
    tokens: { attacker, victim },
    cpu: {
      api: () => cpuSeconds(pid),
      worker: () => cpuSeconds(worker.pid),
      postgres: () => cpuSecondsOfFamily(context.servers.postgres.pid),
    },
    durationMs,
    leadMs,
  };
  return { setup, past };
}

async function allCases(setup: Setup, past: Past, waker: LaneWaker): Promise<Case[]> {
  const { receiver } = setup;
  const ok = await receiver.call('listen', { kind: 'ok' });
  const hang = await receiver.call('listen', { kind: 'hang' });
  const deadPath = await receiver.call('listen', { kind: 'dead path' });
  const many = {
    bodies: requests(20, (index) => `${VICTIM}${index}:${ok}/hooks`),
    addresses: VICTIM,
  };
  const shared = `${SHARED_HOST}:${deadPath}`;
  const one = {
    bodies: [paymentRequest(`${shared}/hooks`)],
    addresses: `${shared}/hooks`,
  };
  // the same payments to responsive receivers are the load that an ordinary client may cause; unresponsive ones must
  // add nothing
  const receivers = (port: number): Attack =>
    payments(
      'receivers',
      Array.from({ length: ATTACKER_SHOPS }, (_, index) => `http://127.0.10.${index + 1}:${port}/x`).flatMap(
        (endpoint) => Array<string>(ATTACKER_SHOPS).fill(endpoint),
      ),
    );
  const redelivered = await prepareRedeliveries(setup, past, waker, `http://127.0.2.1:${ok}/hooks`);
  return [
    { name: 'without attack', ...many, baselines: [] },
    { name: CONTROL, ...many, baselines: [withoutBar('without attack')] },
    ...attacks(past).map((attack) => ({
      name: attack.name,
      attack,
      ...many,
      baselines: [withBar('without attack')],
    })),
    { ...many, ...redelivered, baselines: [withBar('without attack')] },
    { name: '60 quick receivers', attack: receivers(ok), ...many, baselines: [withoutBar('without attack')] },
    {
      name: '60 hanging receivers',
      attack: receivers(hang),
      ...many,
      baselines: [withBar('60 quick receivers'), withoutBar('without attack')],
      hangs: true,
    },
    { name: 'without attack, one host', ...one, baselines: [] },
    {
      name: 'a quick path of the host',
      attack: payments('path', [`${shared}/quick`]),
      ...one,
      baselines: [withoutBar('without attack, one host')],
    },
    {
      name: 'a hanging path of the host',
      attack: payments('path', [`${shared}/dead`]),
      ...one,
      baselines: [withBar('a quick path of the host'), withoutBar('without attack, one host')],
      hangs: true,
    },
  ];
}

const withBar = (name: string): Baseline => ({ name, hasBar: true });
const withoutBar = (name: string): Baseline => ({ name, hasBar: false });

/** The cases that `only` names, with those that they are compared with. */
function chosen(cases: Case[], only = ''): Case[] {
  const named = cases.filter(({ name, baselines }) => baselines.length > 0 && name.includes(only));
  if (named.length === 0) throw new Error(`no attack named '${only}'`);
  const attacked = [...named, ...cases.filter(({ name }) => name === CONTROL)];
  const needed = new Set(
    attacked.flatMap(({ name, baselines }) => [name, ...baselines.map((baseline) => baseline.name)]),
  );
  return cases.filter(({ name }) => needed.has(name));
}

const requests = (count: number, endpoint: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => paymentRequest(endpoint(index + 1)));

async function prepareRedeliveries(
  { database }: Setup,
  { merchantId, shopIds, laneIds }: Past,
  waker: LaneWaker,
  endpoint: string,
): Promise<Pick<Case, 'name' | 'attack' | 'prepare'>> {
  await database.query('UPDATE webhook_lanes SET origin = $2 WHERE id = $1', [laneIds[0], new URL(endpoint).origin]);
  const lanes: SeededLanes = {
    merchantId,
    shopIds: [shopIds[0]!],
    laneIds: [laneIds[0]!],
    standingLaneIds: [],
    endpoints: [endpoint],
  };
  const attack = redeliveries(shopIds[0]!);
  const prepare = async (): Promise<void> => {
    await seedDeliveries(database, lanes, PAST_DELIVERIES, 'now');
    await waker.wake(lanes.laneIds);
    await allDelivered({ database }, new URL(endpoint).origin);
  };
  return { name: attack.name, attack, prepare };
}

async function measure(setup: Setup, { attack, bodies, addresses, hangs, prepare }: Case): Promise<Figures> {
  const { database, receiver, durationMs, leadMs, tokens } = setup;
  // removes retries and redeliveries of the previous case
  await emptyDeliveries(database);
  await database.run('DELETE FROM webhook_redeliveries');
  await prepare?.();
  await receiver.call('reset');
  const attackMs = leadMs + durationMs;
  const attacked =
    attack && setup.attacker.call('closed', target(setup, tokens.attacker, attack), attackMs, AFTER_REFUSAL_MS);
  await delay(leadMs);
  const afterId = await lastDeliveryId(database);
  const victim = target(setup, tokens.victim, {
    method: 'POST',
    path: '/payments',
    bodies,
    connections: 32,
  });
  const { result: load, cpu } = await withCpu(setup.cpu, () => setup.victim.call('open', victim, RATE, durationMs));
  if (Object.keys(load.failures).length > 0)
    throw new Error(`the victim's payments failed: ${JSON.stringify(load.failures)}`);
  await allDelivered({ database }, addresses);
  const latencies = await commitLatencies(database, receiver, addresses, afterId);
  const { succeeded = 0, failures = {} } = (await attacked) ?? {};
  if (hangs) await delay(ATTEMPTS_END_MS);
  return {
    payments: load.latencies,
    webhooks: latencies.map(({ ms }) => ms),
    cpu: Object.values(cpu).reduce((sum, each) => sum + each, 0),
    done: succeeded,
    refused: Object.values(failures).reduce((sum, each) => sum + each, 0),
  };
}

const target = (
  { origin }: Setup,
  token: string,
  { method, path, bodies, connections }: Omit<Attack, 'name'>,
): Target => ({
  origin,
  method,
  path,
  bodies,
  connections,
  headers: jsonHeaders(token),
});

function rows({ name, attack, baselines }: Case, results: Record<string, Figures[]>): Comparison[] {
  if (baselines.length === 0) return [];
  const latencies = baselines.flatMap((baseline) => compared(name, baseline, results));
  if (!attack) return latencies;
  return [
    ...latencies,
    {
      label: `${name}: the attacker's successes`,
      samples: results[name]!.map(({ done }) => done),
    },
    {
      label: `${name}: the attacker's refusals`,
      samples: results[name]!.map(({ refused }) => refused),
    },
  ];
}

function compared(name: string, { name: other, hasBar }: Baseline, results: Record<string, Figures[]>): Comparison[] {
  const key = `fairness.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
  // the 99th percentile of one round depends on two or three payments, so all rounds are one sample
  const of = (which: string, what: keyof typeof BARS, share: number): number =>
    percentile(
      results[which]!.flatMap((figures) => figures[what]),
      share,
    );
  const compare = (label: string, what: keyof typeof BARS, share: number): Comparison => ({
    label: `${name}: ${label}`,
    samples: [of(name, what, share)],
    baseline: { name: other, samples: [of(other, what, share)] },
  });
  const barred = (what: keyof typeof BARS) => hasBar && { key: `${key}.${what}_p99`, bar: BARS[what] };
  return [
    compare('POST /payments p50, ms', 'payments', 0.5),
    { ...compare('POST /payments p99, ms', 'payments', 0.99), ...barred('payments') },
    compare('commit to receipt p50, ms', 'webhooks', 0.5),
    { ...compare('commit to receipt p99, ms', 'webhooks', 0.99), ...barred('webhooks') },
    {
      label: `${name}: CPU of the service, s`,
      samples: results[name]!.map(({ cpu }) => cpu),
      baseline: { name: other, samples: results[other]!.map(({ cpu }) => cpu) },
    },
  ];
}
