import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import { type ChargeAnswer, DECLINE_CODES } from '@payment-orchestrator/provider-kit';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { freePort } from '../../support/servers/free-port.mjs';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { sendEvents, scriptNotifications } from '../payments/scripted-events.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';

const SHOPS = 6;
const PAYMENTS = 18;
const STATUSES = [200, 302, 404, 410, 429, 500, 503];
const STRATEGIES = ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'];
/** Series per metric, at most, for any labels; all buckets of a histogram count as one. */
const MOST = 1_000;

interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Parses Prometheus's text format. */
function samplesOf(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
    return { name: name!, labels: Object.fromEntries(pairs) as Record<string, string>, value: Number(value) };
  });
}

/** The n-th answer of a provider: our codes, its own codes, an outage, or no response. */
function answerOf(n: number): ChargeAnswer {
  const declineCode = n % 2 === 0 ? `own_code_${n}` : DECLINE_CODES[n % DECLINE_CODES.length]!;
  if (n % 7 === 6) throw new Error('no answer');
  if (n % 5 === 0) return { transactionId: `tx ${n}`, outcome: 'approved' };
  if (n % 5 === 1) return { transactionId: `tx ${n}`, outcome: 'processing' };
  if (n % 5 === 2) return { transactionId: `tx ${n}`, outcome: 'unavailable', reason: `reason ${n}` };
  return { transactionId: `tx ${n}`, outcome: n % 5 === 3 ? 'declined' : 'soft_declined', declineCode };
}

describe('Series of metrics, for any behaviour of merchants, providers and receivers', () => {
  let api: TestApi;
  let worker: Engine;
  let receiver: Receiver;
  beforeAll(async () => {
    api = await startApi();
    worker = await startEngine(WebhooksWorkerModule, api.database.url, { WEBHOOK_RETRY_DELAYS_MS: '1,1' });
    receiver = await startReceiver(({ url }) => STATUSES[Number(url.split('/').at(-1)) % STATUSES.length]!);
    const before = await Promise.all([api, worker].map((each) => each.get(Metrics).render()));
    startText = before.join('\n');
    await drive();
  });
  afterAll(async () => {
    await worker.stop();
    await api.stop();
    await receiver.stop();
  });
  let startText = '';

  async function drive(): Promise<void> {
    let calls = 0;
    api.get(SandboxProvider).charge = () => Promise.resolve().then(() => answerOf(calls++));
    scriptNotifications(api);
    const merchant = new Merchant(await api.login());
    const dead = `http://127.0.0.1:${await freePort()}/`;
    const shops = [];
    for (let shop = 0; shop < SHOPS; shop++) shops.push(await merchant.createShop(`shop ${shop}`));
    for (const strategy of STRATEGIES) {
      const members = shops.map(({ id }) => ({ shop_id: id }));
      await merchant.api.post('/flows', { name: strategy, strategy, shops: members, max_attempts: 3 });
    }
    for (let n = 0; n < PAYMENTS; n++) {
      const fields = {
        webhook_endpoint: n === 0 ? dead : `${receiver.url}/${n}`,
        customer: { email: `a${n}@b.example` },
      };
      await merchant.tryPay(STRATEGIES[n % STRATEGIES.length]!, fields);
      const match = { transactionId: `tx ${n}` };
      await sendEvents(merchant, shops[n % SHOPS]!.id, [{ status: 'failed', match, declineCode: `reported ${n}` }]);
    }
    await askForNothing();
    await eventually(async () => {
      const attempts = 'SELECT DISTINCT status_code, error FROM webhook_attempts';
      expect((await api.database.pool.query(attempts)).rows).toHaveLength(STATUSES.length + 1);
    });
  }

  async function askForNothing(): Promise<void> {
    for (let n = 0; n < 2; n++) {
      for (const method of ['GET', 'POST', 'PROPFIND', 'LINK']) await fetch(`${api.url}/nothing/${n}`, { method });
      await fetch(`${api.url}/payments/${n}`);
    }
  }

  /** The registered name of a sample, without the suffixes of histograms and summaries. */
  const metricOf = (name: string, known: Map<string, unknown>): string =>
    known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, '');

  it.each(['api', 'worker'] as const)('use only label values from closed lists: the %s', async (role) => {
    const metrics = (role === 'api' ? api : worker).get(Metrics);
    const samples = samplesOf(await metrics.render());
    const described = new Map(metrics.describe().map((metric) => [metric.name, metric]));
    const unlisted = samples.flatMap(({ name, labels }) => {
      const metric = described.get(metricOf(name, described));
      return Object.entries(labels)
        .filter(([label]) => label !== 'le' && label !== 'quantile')
        .filter(([label, value]) => {
          const known = metric?.labels.find((each) => each.name === label);
          return known === undefined || (known.words !== 'set by Node' && !known.values.includes(value));
        })
        .map(([label, value]) => `${name} ${label}=${value}`);
    });
    expect([...new Set(unlisted)]).toEqual([]);
  });

  it.each(['api', 'worker'] as const)('stay within a limit per metric, also with every label: the %s', (role) => {
    const described = (role === 'api' ? api : worker).get(Metrics).describe();
    const limits = described.map(({ name, labels, seriesCount }) => {
      // lists in words, such as routes, grow only with the code
      const lists = labels.filter(({ words }) => words === undefined);
      return { name, most: seriesCount ?? lists.reduce((all, { values }) => all * values.length, 1) };
    });
    expect(limits.filter(({ most }) => most > MOST)).toEqual([]);
  });

  it('exist from the start, at 0, for counters with closed lists', async () => {
    const before = samplesOf(startText);
    const has = (name: string, labels: Record<string, string>) =>
      before.some(
        (sample) =>
          sample.name === name &&
          sample.value === 0 &&
          Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
      );
    expect(has('webhook_deliveries_total', { outcome: 'failed' })).toBe(true);
    expect(has('webhook_attempts_total', { outcome: 'connect_failed' })).toBe(true);
    expect(has('payments_total', { status: 'failed' })).toBe(true);
    expect(has('payment_attempts_total', { provider: 'stripe', outcome: 'soft_declined', cause: 'do_not_honor' })).toBe(
      true,
    );
    expect(has('provider_calls_total', { provider: 'adyen', operation: 'refund', outcome: 'no_answer' })).toBe(true);
    expect(has('routing_decisions_total', { strategy: 'sticky', outcome: 'no_shop' })).toBe(true);
    const after = [await api.get(Metrics).render(), await worker.get(Metrics).render()].flatMap(samplesOf);
    const counters = [api, worker]
      .flatMap((each) => each.get(Metrics).describe())
      .filter(({ type }) => type === 'counter');
    const closed = new Set(
      counters.filter(({ labels }) => labels.every(({ words }) => words === undefined)).map(({ name }) => name),
    );
    const keyOf = ({ name, labels }: Sample) => `${name} ${JSON.stringify(labels)}`;
    const known = new Set(before.map(keyOf));
    expect(
      after
        .filter(({ name }) => closed.has(name))
        .map(keyOf)
        .filter((key) => !known.has(key)),
    ).toEqual([]);
  });

  it('count every payment, attempt and decision', async () => {
    const samples = samplesOf(await api.get(Metrics).render());
    const sum = (name: string, labels: Record<string, string> = {}) =>
      samples
        .filter(
          (sample) =>
            sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
        )
        .reduce((total, { value }) => total + value, 0);
    const count = async (text: string) => (await api.database.pool.query<{ count: number }>(text)).rows[0]!.count;
    expect(sum('payments_total', { status: 'pending' })).toBe(await count('SELECT count(*)::int FROM payments'));
    for (const status of ['processing', 'completed', 'failed']) {
      const steps = `SELECT count(*)::int FROM payment_status_changes WHERE to_status = '${status}' AND from_status <> to_status`;
      expect([status, sum('payments_total', { status })]).toEqual([status, await count(steps)]);
    }
    expect(sum('routing_decisions_total')).toBe(await count('SELECT count(*)::int FROM payments'));
    expect(sum('payment_attempts_total', { outcome: 'approved' })).toBe(
      await count(`SELECT count(*)::int FROM payment_attempts WHERE outcome = 'approved'`),
    );
    expect(sum('payment_attempts_total', { cause: 'other' })).toBeGreaterThan(0);
  });
});
