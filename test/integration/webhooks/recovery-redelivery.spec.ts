import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM } from '../../../src/audit/audit-context.js';
import { DISABLE_FAILING } from '../../../src/webhooks/endpoint/health/endpoint-events.queries.js';
import { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';
import { EndpointStates } from '../../../src/webhooks/endpoint/health/endpoint-states.service.js';
import { aDelivery } from '../../support/app/builders.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';
import { aStandingEndpoint } from '../../support/app/standing-endpoint.js';
import { makeTasksDue } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness, type TestShop } from './engine-harness.js';

const HOUR_MS = 3_600_000;
/** Attempts of a run of the schedule. */
const RUN = 4;

let harness: EngineHarness;
let producer: Engine;
/** The worker for all tests that do not stop it. */
let usual: Engine | undefined;
let receiver: Receiver;
let shop: TestShop;
let deliveryTo: (fields?: Partial<NewDelivery>) => NewDelivery;

beforeAll(async () => {
  harness = await EngineHarness.create('postgres');
  producer = await harness.startProducer();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  shop = await harness.aShop(producer);
  deliveryTo = await harness.deliveriesTo(producer, shop, `${receiver.url}/hooks`);
});
afterEach(async () => {
  await harness.clear(producer, ...(usual ? [usual] : []));
  await receiver.stop();
  for (const table of ['failing_endpoints', 'webhook_events', 'webhook_redeliveries'])
    await sql(`DELETE FROM ${table}`);
});

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await harness.database.pool.query(text, values)).rows as Row[];
const countOf = async (status: string): Promise<number> =>
  (await harness.deliveries()).filter((delivery) => delivery.status === status).length;
/** Polls while all scheduled tasks are due, so that a request for a redelivery is found at once. */
const soon = (check: () => Promise<void>) =>
  eventually(async () => {
    await makeTasksDue(harness.database.pool);
    await check();
  });
const becomes = (status: string, count: number) => soon(async () => expect(await countOf(status)).toBe(count));
const aWorker = async (): Promise<Engine> => (usual ??= await harness.startWorker());
async function stopUsual(): Promise<void> {
  await usual?.stop();
  usual = undefined;
}
const jobs = (): Promise<{ lane_id: number; max_runs: number }[]> =>
  sql('SELECT lane_id, max_runs FROM webhook_redeliveries');
const anEndpoint = (redeliverOnRecovery = true): Promise<number> =>
  aStandingEndpoint(harness.database.pool, producer.get(ReceiverSecrets), shop.merchantId, `${receiver.url}/standing`, {
    redeliverOnRecovery,
  });
const toNoAddress = { laneId: 0, webhookEndpoint: null as unknown as string };
const aChange = (): NewDelivery => aDelivery({ merchantId: shop.merchantId, shopId: shop.shopId, ...toNoAddress });
const stateOf = (id: number) => sql('SELECT status, status_reason FROM webhook_endpoints WHERE id = $1', [id]);

/** Delivers once, and then fails `count` deliveries for good. */
async function outage(count: number, make = deliveryTo): Promise<Engine> {
  const worker = await aWorker();
  await worker.deliver(make());
  await becomes('delivered', 1);
  receiver.respondWith(500);
  await worker.deliver(...Array.from({ length: count }, () => make()));
  await becomes('failed', count);
  receiver.respondWith(200);
  return worker;
}

describe('an address of payments that answers again', () => {
  it('gets what failed for good since it failed', async () => {
    const worker = await outage(3);
    await worker.deliver(deliveryTo());
    await becomes('delivered', 5);
    expect((await harness.deliveries()).map(({ attempts }) => attempts)).toEqual([1, RUN + 1, RUN + 1, RUN + 1, 1]);
    await soon(async () => expect(await jobs()).toEqual([]));
  });

  it('gets nothing again if it had never answered with a 2xx', async () => {
    receiver.respondWith(500);
    const worker = await aWorker();
    await worker.deliver(deliveryTo());
    await becomes('failed', 1);
    receiver.respondWith(200);
    await worker.deliver(deliveryTo());
    await becomes('delivered', 1);
    expect(await jobs()).toEqual([]);
  });

  it('gets it from another worker if the one that recorded the success is gone', async () => {
    const worker = await outage(2);
    await worker.deliver(deliveryTo());
    await eventually(async () => expect(await countOf('delivered')).toBeGreaterThan(1));
    await stopUsual();
    const [first, second] = await Promise.all([harness.startWorker(), harness.startWorker()]);
    await becomes('delivered', 4);
    await Promise.all([first.stop(), second.stop()]);
    // one redelivery of each, although two workers ran
    expect((await harness.deliveries()).map(({ attempts }) => attempts)).toEqual([1, RUN + 1, RUN + 1, 1]);
  });

  it('gets a delivery that it rejects only once more', async () => {
    const worker = await outage(0);
    const rejected = deliveryTo();
    receiver.respondWith((request) => (request.body.toString().includes(`"id":${rejected.paymentId},`) ? 500 : 200));
    await worker.deliver(rejected);
    const isRejected = () =>
      harness.deliveries().then((all) => all.find((one) => one.payment_id === rejected.paymentId)!);
    for (let round = 0; round < 4; round++) {
      await eventually(async () => expect((await isRejected()).status).toBe('failed'));
      await worker.deliver(deliveryTo());
      await eventually(async () => expect(await sql('SELECT FROM failing_endpoints')).toEqual([]));
      await soon(async () => expect(await jobs()).toEqual([]));
    }
    expect((await isRejected()).attempts).toBe(2 * RUN);
  });
});

describe('a standing endpoint', () => {
  it('gets what failed for good when it answers again', async () => {
    await anEndpoint();
    const worker = await outage(2, aChange);
    await worker.deliver(aChange());
    await becomes('delivered', 4);
  });

  it('gets nothing again if it does not want it', async () => {
    await anEndpoint(false);
    const worker = await outage(2, aChange);
    await worker.deliver(aChange());
    await becomes('delivered', 2);
    expect(await jobs()).toEqual([]);
  });

  it('becomes disabled by a 410, once, and gets everything after it is resumed', async () => {
    const id = await anEndpoint();
    receiver.respondWith(410);
    const worker = await aWorker();
    await worker.deliver(aChange(), aChange());
    await eventually(async () => expect(await stateOf(id)).toEqual([{ status: 'disabled', status_reason: 'gone' }]));
    await worker.deliver(aChange());
    const events = await sql<{ data: object }>(`SELECT data FROM webhook_events WHERE type = 'endpoint.disabled'`);
    expect(events).toMatchObject([{ data: { endpoint_id: id, webhook_endpoint: receiver.url, reason: 'gone' } }]);
    expect(
      await sql(`SELECT actor FROM audit_entries WHERE action = 'endpoint.disabled' AND object_id = $1`, [String(id)]),
    ).toEqual([{ actor: 'system' }]);
    receiver.respondWith(200);
    await producer.get(EndpointStates).resume(shop.merchantId, id, SYSTEM);
    await becomes('delivered', 3);
  });

  it('becomes disabled when it has failed for too long, but not by one old failure', async () => {
    const id = await anEndpoint();
    await outage(1, aChange);
    await stopUsual();
    const disable = () => harness.database.database.query(DISABLE_FAILING, [120 * HOUR_MS, 10]);
    await sql(`UPDATE webhook_endpoints SET status_changed_at = now() - interval '300 hours' WHERE id = $1`, [id]);
    expect(await disable()).toEqual([]);
    await sql(`UPDATE failing_endpoints SET failing_since = now() - interval '121 hours'`);
    await sql(`UPDATE webhook_deliveries SET delivered_at = delivered_at - interval '200 hours'`);
    await sql(`UPDATE webhook_deliveries SET last_attempt_at = now() - interval '121 hours' WHERE status = 'failed'`);
    expect(await disable()).toEqual([]);
    await sql(`UPDATE webhook_deliveries SET last_attempt_at = now() - interval '1 hour' WHERE status = 'failed'`);
    expect(await disable()).toEqual([{ id }]);
    expect(await disable()).toEqual([]);
    expect(await stateOf(id)).toEqual([{ status: 'disabled', status_reason: 'failing' }]);
    // a resumption gives it the same time again
    await producer.get(EndpointStates).resume(shop.merchantId, id, SYSTEM);
    expect(await disable()).toEqual([]);
  });
});
