import { setTimeout as delay } from 'node:timers/promises';
import type { LoadGeneratorOffer, Target } from '../processes/load-generator.js';
import { createFlow, jsonHeaders, paymentRequest } from '../support/api-fixtures.js';
import { type Attack, attacks, payments, redeliveries } from '../harness/attacks.js';
import { commitLatencies } from '../harness/commit-latency.js';
import type { Context, Receiver, Scenario } from '../harness/context.js';
import { cpuSeconds, cpuSecondsOfFamily, type CpuSources, withCpu } from '../support/cpu.js';
import { type LaneAlarm, laneAlarm } from '../harness/contestants.js';
import type { BenchDatabase } from '../support/database.js';
import { allDelivered } from '../harness/payment-services.js';
import { accessToken, type ProductOptions, productSettings } from '../support/product.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';
import { emptyDeliveries, lastDeliveryId, seedDeliveries, type SeededLanes } from '../support/seed.js';
import { type Past, seedDecidedPayments } from '../support/seed-payments.js';
import { interleave, percentile } from '../support/statistics.js';

/** Of the victim: payments per second; two deliveries each. */
const RATE = 40;
const VICTIM_SHOPS = 3;
const ATTACKER_SHOPS = 60;
const PAST_PAYMENTS = 20_000;
const PAST_DELIVERIES = 2_000;
/** The default, for both: the attacker is one client, and keeps on when it is refused. */
const RATE_LIMIT = '200';
const AFTER_REFUSAL_MS = 200;
/** The same once more: how far its latencies are from themselves is what a ratio can tell. */
const CONTROL = 'alone, once more';
const BARS = { payments: { atMost: 1.5 }, webhooks: { atMost: 1.25 } };
/** An attempt that nobody answers ends by then. */
const ATTEMPTS_END_MS = 3_200;
const VICTIM = 'http://127.0.1.';
const SHARED_HOST = 'http://127.0.6.1';

interface Baseline {
  name: string;
  isBarred: boolean;
}

interface Case {
  name: string;
  attack?: Attack;
  /** What its latencies are compared with, under the bars or for information; none: others are compared with this one. */
  beside: Baseline[];
  bodies: string[];
  /** Addresses of the victim begin like this. */
  addresses: string;
  hangs?: boolean;
  prepare?: () => Promise<void>;
}

interface Figures {
  /** Ms of each request of the victim, and from each commit to its receipt. */
  payments: number[];
  webhooks: number[];
  /** Seconds of API, worker and PostgreSQL while the victim paid. */
  cpu: number;
  /** Of the attacker's requests: done, and not. */
  done: number;
  refused: number;
}

interface Stage {
  context: Context;
  database: BenchDatabase;
  receiver: Receiver;
  victim: Remote<LoadGeneratorOffer>;
  attacker: Remote<LoadGeneratorOffer>;
  origin: string;
  tokens: { attacker: string; victim: string };
  cpu: CpuSources;
  durationMs: number;
  leadMs: number;
}

export const fairness: Scenario = {
  about: "a client's payments and webhooks while another client of the service does its worst",
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
    const { stage, past } = await start(context, database, options);
    const alarm = await laneAlarm(context, database, redisUrl);
    const cases = chosen(await allCases(stage, past, alarm), only);
    await measure(stage, cases[0]!); // warms up
    const variants = Object.fromEntries(cases.map((each) => [each.name, () => measure(stage, each)]));
    const results = await interleave<string, Figures>(rounds, variants, 0);
    context.report.add(
      `fairness: ${RATE} payments/s of one client while another does its worst`,
      cases.flatMap((each) => rows(each, results)),
    );
    await alarm.close();
  },
};

async function start(
  context: Context,
  database: BenchDatabase,
  options: ProductOptions,
): Promise<{ stage: Stage; past: Past }> {
  const { url, pid } = await context.product.start('api', options);
  const worker = await context.product.start('worker', options);
  const attacker = await accessToken(url);
  await createFlow(url, attacker, ATTACKER_SHOPS);
  // while its flow is the only one
  const past = await seedDecidedPayments(database, context.args.quick ? PAST_PAYMENTS / 4 : PAST_PAYMENTS);
  const victim = await accessToken(url, await context.product.createClient('victim', productSettings(options)));
  await createFlow(url, victim, VICTIM_SHOPS);
  const startLoad = () => Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
  const [durationMs, leadMs] = context.args.quick ? [5_000, 1_000] : [8_000, 3_000];
  const stage: Stage = {
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
  return { stage, past };
}

async function allCases(stage: Stage, past: Past, alarm: LaneAlarm): Promise<Case[]> {
  const { receiver } = stage;
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
  // the same payments to receivers that answer are the load that an ordinary client may make: hanging must add nothing
  const receivers = (port: number): Attack =>
    payments(
      'receivers',
      Array.from({ length: ATTACKER_SHOPS }, (_, index) => `http://127.0.10.${index + 1}:${port}/x`).flatMap(
        (endpoint) => Array<string>(ATTACKER_SHOPS).fill(endpoint),
      ),
    );
  const redelivered = await besideRedeliveries(stage, past, alarm, `http://127.0.2.1:${ok}/hooks`);
  return [
    { name: 'alone', ...many, beside: [] },
    { name: CONTROL, ...many, beside: [withoutBar('alone')] },
    ...attacks(past).map((attack) => ({
      name: attack.name,
      attack,
      ...many,
      beside: [withBar('alone')],
    })),
    { ...many, ...redelivered, beside: [withBar('alone')] },
    { name: '60 quick receivers', attack: receivers(ok), ...many, beside: [withoutBar('alone')] },
    {
      name: '60 hanging receivers',
      attack: receivers(hang),
      ...many,
      beside: [withBar('60 quick receivers'), withoutBar('alone')],
      hangs: true,
    },
    { name: 'alone on one host', ...one, beside: [] },
    {
      name: 'a quick path of the host',
      attack: payments('path', [`${shared}/quick`]),
      ...one,
      beside: [withoutBar('alone on one host')],
    },
    {
      name: 'a hanging path of the host',
      attack: payments('path', [`${shared}/dead`]),
      ...one,
      beside: [withBar('a quick path of the host'), withoutBar('alone on one host')],
      hangs: true,
    },
  ];
}

const withBar = (name: string): Baseline => ({ name, isBarred: true });
const withoutBar = (name: string): Baseline => ({ name, isBarred: false });

/** Of the attacks those that `only` names, with what they are compared with. */
function chosen(cases: Case[], only = ''): Case[] {
  const named = cases.filter(({ name, beside }) => beside.length > 0 && name.includes(only));
  if (named.length === 0) throw new Error(`no attack is called '${only}'`);
  const attacked = [...named, ...cases.filter(({ name }) => name === CONTROL)];
  const needed = new Set(attacked.flatMap(({ name, beside }) => [name, ...beside.map((baseline) => baseline.name)]));
  return cases.filter(({ name }) => needed.has(name));
}

const requests = (count: number, endpoint: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => paymentRequest(endpoint(index + 1)));

async function besideRedeliveries(
  { database }: Stage,
  { merchantId, shopIds, laneIds }: Past,
  alarm: LaneAlarm,
  endpoint: string,
): Promise<Pick<Case, 'name' | 'attack' | 'prepare'>> {
  await database.query('UPDATE webhook_lanes SET origin = $2 WHERE id = $1', [laneIds[0], new URL(endpoint).origin]);
  const lanes: SeededLanes = {
    merchantId,
    shopIds: [shopIds[0]!],
    laneIds: [laneIds[0]!],
    endpoints: [endpoint],
  };
  const attack = redeliveries(shopIds[0]!);
  const prepare = async (): Promise<void> => {
    await seedDeliveries(database, lanes, PAST_DELIVERIES, 'now');
    await alarm.wake(lanes.laneIds);
    await allDelivered({ database }, new URL(endpoint).origin);
  };
  return { name: attack.name, attack, prepare };
}

async function measure(stage: Stage, { attack, bodies, addresses, hangs, prepare }: Case): Promise<Figures> {
  const { database, receiver, durationMs, leadMs, tokens } = stage;
  // retries and redeliveries of the case before
  await emptyDeliveries(database);
  await database.run('DELETE FROM webhook_redeliveries');
  await prepare?.();
  await receiver.call('reset');
  const attackMs = leadMs + durationMs;
  const attacked =
    attack && stage.attacker.call('closed', target(stage, tokens.attacker, attack), attackMs, AFTER_REFUSAL_MS);
  await delay(leadMs);
  const afterId = await lastDeliveryId(database);
  const victim = target(stage, tokens.victim, {
    method: 'POST',
    path: '/payments',
    bodies,
    connections: 32,
  });
  const { result: load, cpu } = await withCpu(stage.cpu, () => stage.victim.call('open', victim, RATE, durationMs));
  if (Object.keys(load.failures).length > 0) throw new Error(`the victim's failed: ${JSON.stringify(load.failures)}`);
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
  { origin }: Stage,
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

function rows({ name, attack, beside }: Case, results: Record<string, Figures[]>): Comparison[] {
  if (beside.length === 0) return [];
  const latencies = beside.flatMap((baseline) => compared(name, baseline, results));
  if (!attack) return latencies;
  return [
    ...latencies,
    {
      label: `${name}: of the attacker, done`,
      samples: results[name]!.map(({ done }) => done),
    },
    {
      label: `${name}: of the attacker, refused`,
      samples: results[name]!.map(({ refused }) => refused),
    },
  ];
}

function compared(name: string, { name: other, isBarred }: Baseline, results: Record<string, Figures[]>): Comparison[] {
  const key = `fairness.${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`;
  // of one round the 99th percentile is that of two or three payments: all rounds are one sample
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
  const barred = (what: keyof typeof BARS) => isBarred && { key: `${key}.${what}_p99`, bar: BARS[what] };
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
