// Provokes the alerts about payments, providers and webhooks on an API and a worker, all at once, and scrapes both
// before and after. Prometheus evaluates our rules over these two scrapes. Alerts about processes, PostgreSQL and Redis
// are provoked in test/long/alerts.spec.ts.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ApiClient } from '../../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../../support/app/in-process-service.js';
import { dataOf, Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../../support/app/service.js';
import { eventually } from '../../support/eventually.js';
import { CROSSED_GUARDRAIL, PROVOKED_BY_PARTNERS } from '../../support/observability/partners-story.js';
import { type Moment, scrape, seen, type Target } from '../../support/observability/scrapes.js';
import { firedIn } from '../../support/observability/stretched-story.js';
import { CREDENTIALS } from '../../support/providers/stripe-requests.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

/** One second of the scraped ages counts as ten minutes. */
const STRETCH = 600;
/** Some gauges are read every three seconds. */
const EVERY_HALF_SECOND = { intervalMs: 500 };

let database: TestDatabase;
let receiver: Receiver;
/** Never answers. */
let stripe: Receiver;
let api: InProcessService;
let worker: InProcessService;
let merchant: Merchant;

beforeAll(async () => {
  [database, receiver, stripe] = await Promise.all([
    createTestDatabase(),
    startReceiver({ misbehaviour: 'hang' }),
    startReceiver({ misbehaviour: 'hang' }),
  ]);
  const env = {
    STRIPE_API_BASE: stripe.url,
    PROVIDER_TIMEOUT_MS: '1000',
    PROVIDER_RECOVERY_DELAYS_MS: '200',
    WEBHOOK_RETRY_DELAYS_MS: '50,50,50',
  };
  api = await startServiceInProcess({ entry: 'api', databaseUrl: database.url, env });
  worker = await startServiceInProcess({ entry: 'worker', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(api.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
  const shops = await Promise.all(
    ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => merchant.createShop(name)),
  );
  await merchant.createFlow(
    'sandbox',
    shops.map(({ id }) => id),
  );
  const fields = { provider: 'stripe', provider_credentials: CREDENTIALS };
  await merchant.createFlow('stripe', [(await merchant.createShop('seven', fields)).id]);
});
afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()]);
  await Promise.all([receiver.stop(), stripe.stop()]);
  await database.drop();
});

const execute = async (statement: string): Promise<number> => (await database.pool.query(statement)).rowCount ?? 0;

const pay = (times: number, flow: string, fields: object) =>
  Promise.all(Array.from({ length: times }, () => merchant.pay(flow, { ...fields })));

/** Their results arrive after their leases, and then each attempt fails. */
async function failWebhooks(): Promise<void> {
  await pay(18, 'sandbox', { webhook_endpoint: `${receiver.url}/webhooks` });
  await eventually(() => receiver.maxInFlight() >= 6);
  await execute(`UPDATE pending_deliveries SET claimed_until = '-infinity'`);
  await receiver.stop();
  // as if it had failed for longer than five minutes
  const since = `UPDATE failing_endpoints SET failing_since = failing_since - interval '6 minutes' WHERE announced_at IS NULL`;
  await eventually(async () => (await execute(since)) > 0);
}

async function notify(): Promise<void> {
  const [payment] = await pay(1, 'sandbox', {});
  const { provider_transaction_id: id, shop } = payment!;
  const send = async (notification: object) =>
    dataOf(await merchant.sendNotification(shop.id, JSON.stringify(notification), NOTIFICATION_SECRET));
  for (let index = 1; index <= 6; index++)
    await send({ id: `n${index}`, provider_transaction_id: `unmatched-${index}`, status: 'completed' });
  const kind = { id: 'dp_1', kind: 'chargeback', status: 'open', amount: '49.90', currency: 'EUR' };
  const dispute = { ...kind, evidence_due_by: new Date(Date.now() + 24 * 3_600_000).toISOString() };
  await send({ id: 'n7', provider_transaction_id: id, status: 'disputed', dispute });
  await send({ id: 'n8', provider_transaction_id: id, status: 'refunded', amount: '1000000' });
}

async function abortRollout(): Promise<void> {
  await execute(CROSSED_GUARDRAIL);
  await execute(`UPDATE scheduled_tasks SET next_run_at = now() WHERE name = 'rollout guardrails'`);
}

/** The metrics that still lack their value. */
const missingIn = (moment: Moment): string[] =>
  (
    [
      ['webhook_deliveries_total', 35, 'outcome="failed"'],
      ['webhook_results_too_late_total', 4],
      ['webhook_endpoints_failing', 0],
      ['provider_calls_total', 9, 'provider="stripe"'],
      ['provider_operations_oldest_seconds', 1.6],
      ['provider_notifications_oldest_waiting_seconds', 1.6],
      ['provider_alarms_open', 0],
      ['disputes_evidence_due', 0],
      ['flow_rollouts_aborted_total', 0],
    ] as [string, number, string?][]
  )
    .filter(([metric, bound, part]) => !((seen(moment, metric, part) ?? -1) > bound))
    .map(([metric]) => metric);

it('alerts about partners fire from the metrics of API and worker, and no others', async () => {
  const targets: Target[] = [
    { job: 'payment-api', instance: 'api', url: api.url },
    { job: 'payment-worker', instance: 'worker', url: worker.workerUrl },
  ];
  const before = await scrape(targets);
  await Promise.all([
    failWebhooks(),
    notify(),
    pay(12, 'stripe', { payment_method: { token: 'pm_card_visa' } }),
    abortRollout(),
  ]);
  const after = await eventually(async () => {
    const moment = await scrape(targets);
    expect(missingIn(moment)).toEqual([]);
    expect(seen(moment, 'webhook_oldest_due_seconds')).toBe(0);
    return moment;
  }, EVERY_HALF_SECOND);
  const scenes = [
    { minute: 0, moment: before },
    { minute: 15, moment: after },
  ];
  expect(await firedIn({ scenes, stretch: STRETCH, endMinute: 25 })).toEqual(PROVOKED_BY_PARTNERS);
});
