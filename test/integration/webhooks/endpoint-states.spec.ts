import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM } from '../../../src/audit/audit-context.js';
import { FIND_DELIVERY } from '../../../src/webhooks/history/delivery-views.queries.js';
import { COUNT_PENDING, READ_DUE } from '../../../src/webhooks/outbox/backlog.queries.js';
import { DeliveryErasureService } from '../../../src/webhooks/history/delivery-erasure.service.js';
import { Database } from '../../../src/platform/database/database.js';
import { ReceiverSecrets } from '../../../src/webhooks/endpoint/secrets/receiver-secrets.service.js';
import { EndpointStates } from '../../../src/webhooks/endpoint/health/endpoint-states.service.js';
import {
  END_EXPIRED,
  PARK_DUE,
  RELEASE_PARKED,
  type ReleasedRow,
} from '../../../src/webhooks/endpoint/parked-deliveries.queries.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';
import { aDelivery } from '../../support/app/builders.js';
import { holdDelivery } from '../../support/app/end-deliveries.js';
import { aStandingEndpoint } from '../../support/app/standing-endpoint.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness, type TestShop } from './engine-harness.js';

interface PendingRow {
  id: number;
  is_parked: boolean;
  attempts: number;
}

let harness: EngineHarness;
let producer: Engine;
let states: EndpointStates;
let receiver: Receiver;
let shop: TestShop;
let endpointId: number;

beforeAll(async () => {
  harness = await EngineHarness.create('postgres');
  [producer, receiver] = await Promise.all([harness.startProducer(), startReceiver()]);
  states = producer.get(EndpointStates);
});
afterAll(async () => {
  await harness.stop();
  await receiver.stop();
});
beforeEach(async () => {
  shop = await harness.aShop(producer);
  endpointId = await anEndpoint();
  receiver.requests.length = 0;
  receiver.respondWith(200);
});
afterEach(async () => {
  await harness.clear(producer);
  await sql('DELETE FROM failing_endpoints');
});

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await harness.database.pool.query(text, values)).rows as Row[];
const anEndpoint = (of = shop): Promise<number> =>
  aStandingEndpoint(harness.database.pool, producer.get(ReceiverSecrets), of.merchantId, `${receiver.url}/standing`);

/** A change of a payment without an address of its own: only standing endpoints get it. */
const aChange = (fields: Partial<NewDelivery> = {}): NewDelivery =>
  aDelivery({
    merchantId: shop.merchantId,
    shopId: shop.shopId,
    laneId: 0,
    webhookEndpoint: null as unknown as string,
    ...fields,
  });
const changes = (count: number): NewDelivery[] => Array.from({ length: count }, () => aChange());

const pending = (): Promise<PendingRow[]> =>
  sql(
    `SELECT id, due_at = 'infinity' AS is_parked, attempts FROM pending_deliveries WHERE endpoint_id = $1 ORDER BY id`,
    [endpointId],
  );
const parked = async (): Promise<number> => (await pending()).filter(({ is_parked: isParked }) => isParked).length;
const failed = (): Promise<{ last_error: string; attempts: number }[]> =>
  sql(`SELECT last_error, attempts FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'failed'`, [endpointId]);
const delivered = async (): Promise<number> =>
  (await sql(`SELECT FROM webhook_deliveries WHERE endpoint_id = $1 AND status = 'delivered'`, [endpointId])).length;
const stateOf = async (id = endpointId) =>
  (
    await sql<{ status: string; status_reason: string | null }>(
      'SELECT status, status_reason FROM webhook_endpoints WHERE id = $1',
      [id],
    )
  )[0];
const audited = (): Promise<{ action: string; actor: string }[]> =>
  sql("SELECT action, actor FROM audit_entries WHERE object_type = 'endpoint' AND object_id = $1 ORDER BY id", [
    String(endpointId),
  ]);
const release = async (limit = 500): Promise<ReleasedRow> =>
  (await harness.database.database.query<ReleasedRow>(RELEASE_PARKED, [limit]))[0]!;
const park = async (limit = 500): Promise<number> =>
  (await harness.database.database.query<{ rows: number }>(PARK_DUE, [limit]))[0]!.rows;

const pause = () => states.pause(shop.merchantId, endpointId, SYSTEM);
const resume = () => states.resume(shop.merchantId, endpointId, SYSTEM);
const remove = () => states.delete(shop.merchantId, endpointId, SYSTEM);

describe('a change of an endpoint’s state', () => {
  it('writes one audit entry each, and a repetition changes nothing', async () => {
    await pause();
    await pause();
    await resume();
    await resume();
    await remove();
    expect(await audited()).toEqual([
      { action: 'endpoint.paused', actor: 'system' },
      { action: 'endpoint.resumed', actor: 'system' },
      { action: 'endpoint.deleted', actor: 'system' },
    ]);
  });

  it('refuses another merchant, and after a deletion', async () => {
    await expect(states.pause(shop.merchantId + 1, endpointId, SYSTEM)).rejects.toMatchObject({
      code: 'endpoint_not_found',
    });
    await remove();
    await expect(resume()).rejects.toMatchObject({ code: 'endpoint_not_found' });
  });

  it('leaves a disabled endpoint disabled when it is paused', async () => {
    await sql(`UPDATE webhook_endpoints SET status = 'disabled', status_reason = 'gone' WHERE id = $1`, [endpointId]);
    await pause();
    expect(await stateOf()).toEqual({ status: 'disabled', status_reason: 'gone' });
    await resume();
    expect(await stateOf()).toEqual({ status: 'active', status_reason: null });
  });
});

describe('a paused endpoint', () => {
  it('gets nothing until it is resumed, and then everything in the order of each payment', async () => {
    const worker = await harness.startWorker();
    await pause();
    const first = aChange();
    await worker.deliver(first, aChange({ paymentId: first.paymentId, paymentStatus: 'refunded' }), aChange());
    await eventually(async () => expect(await parked()).toBe(3));
    expect(receiver.requests).toEqual([]);
    await resume();
    await eventually(async () => expect(await delivered()).toBe(3));
    const firstChanges = receiver.requests.filter(
      ({ body }) => (JSON.parse(body.toString()) as { payment: { id: number } }).payment.id === first.paymentId,
    );
    expect(firstChanges).toHaveLength(2);
    expect(await pending()).toEqual([]);
  });

  it('parks due deliveries, also those that a transaction committed after the change', async () => {
    await producer.append(...changes(3));
    const client = await harness.database.pool.connect();
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
         event, payment_status, webhook_endpoint, endpoint_id)
       SELECT now(), $1, 1000000000, $2, $3, now(), now()::date, 1, 'e', 'completed', 'http://x', $1`,
      [endpointId, shop.merchantId, shop.shopId],
    );
    await pause();
    expect(await park()).toBe(3);
    await client.query('COMMIT');
    client.release();
    expect(await park(1)).toBe(1);
    expect(await park()).toBe(0);
    expect(await parked()).toBe(4);
  });

  it('keeps a retry that is not due and a delivery that a worker holds', async () => {
    await producer.append(...changes(2));
    const [retry, held] = await pending();
    await sql(`UPDATE pending_deliveries SET due_at = now() + interval '1 hour', attempts = 1 WHERE id = $1`, [
      retry!.id,
    ]);
    await holdDelivery(harness.database.pool, held!.id);
    await pause();
    expect(await park()).toBe(0);
    expect(await parked()).toBe(0);
  });

  it('counts as no overdue delivery, and shows no time of a next attempt', async () => {
    await pause();
    await producer.append(...changes(2));
    const { database } = harness.database;
    expect(await database.query(READ_DUE)).toEqual([{ lanes: 0, oldest_seconds: 0 }]);
    expect(await database.query(COUNT_PENDING)).toEqual([{ rows: 0, parked: 2 }]);
    const [{ id }] = (await pending()) as [PendingRow];
    expect(await database.query(FIND_DELIVERY, [id, shop.merchantId])).toMatchObject([
      { status: 'pending', next_attempt_at: null },
    ]);
  });
});

describe('a resumed endpoint', () => {
  it('gets its parked deliveries oldest first, in portions', async () => {
    await pause();
    await producer.append(...changes(450));
    await resume();
    expect(await release()).toEqual({ rows: 200, lane_ids: [endpointId] });
    const rows = await pending();
    expect(rows.slice(0, 200).every(({ is_parked: isParked }) => !isParked)).toBe(true);
    expect(rows.slice(200).every(({ is_parked: isParked }) => isParked)).toBe(true);
  });

  it('keeps at most 1,000 due deliveries while others are parked', async () => {
    await pause();
    await producer.append(...changes(1_300));
    await resume();
    for (let batch = 0; batch < 8; batch++) await release();
    expect((await pending()).length - (await parked())).toBe(1_000);
    expect(await release()).toEqual({ rows: 0, lane_ids: [] });
  });

  it('gets a new change only after the parked ones of its payment', async () => {
    await pause();
    const earlier = changes(250);
    await producer.append(...earlier);
    await resume();
    await producer.append(aChange({ paymentId: earlier.at(-1)!.paymentId }));
    await release();
    // it cannot be claimed, and is parked so that no claim reads it
    expect((await pending()).at(-1)).toMatchObject({ is_parked: true });
    await release();
    expect(await parked()).toBe(0);
  });

  it('gets each delivery once from two workers of which one stops meanwhile', async () => {
    await pause();
    await producer.append(...changes(300));
    const [first] = await Promise.all([harness.startWorker(), harness.startWorker()]);
    await resume();
    await eventually(() => receiver.requests.length > 20);
    await first.stop();
    await eventually(async () => expect(await delivered()).toBe(300));
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(300);
    expect(receiver.requests).toHaveLength(300);
  });
});

describe('a deleted endpoint', () => {
  it('ends pending deliveries, also one that is written later', async () => {
    await producer.append(...changes(2));
    await pause();
    await producer.append(aChange());
    await remove();
    await sql(
      `INSERT INTO pending_deliveries (due_at, lane_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
         event, payment_status, webhook_endpoint, endpoint_id)
       SELECT now() + interval '1 hour', $1, 1000000001, $2, $3, now(), now()::date, 1, 'e', 'completed', 'http://x', $1`,
      [endpointId, shop.merchantId, shop.shopId],
    );
    await harness.startWorker();
    await eventually(async () => expect(await pending()).toEqual([]));
    expect(await failed()).toEqual(Array(4).fill({ last_error: 'endpoint_deleted', attempts: 0 }));
    expect(receiver.requests).toEqual([]);
  });

  it('causes no further reads when nothing can be pending any longer', async () => {
    await remove();
    await sql(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, endpoint_id, origin, failing_since)
      VALUES ($1, $2, $1, 'http://x', now())`,
      [endpointId, shop.merchantId],
    );
    await sql(
      `INSERT INTO webhook_redeliveries (merchant_id, lane_id, filter_hash, status, created_from, created_to, first_id,
         after_id, last_id) VALUES ($2, $1, 'recovery', 'failed', '-infinity', 'infinity', 0, 0, 1)`,
      [endpointId, shop.merchantId],
    );
    await sql(`UPDATE webhook_endpoints SET status_changed_at = now() - interval '2 hours' WHERE id = $1`, [
      endpointId,
    ]);
    await harness.startWorker();
    await eventually(async () =>
      expect(await sql('SELECT is_ended FROM webhook_endpoints WHERE id = $1', [endpointId])).toEqual([
        { is_ended: true },
      ]),
    );
    expect(await sql('SELECT FROM failing_endpoints')).toEqual([]);
    expect(await sql('SELECT FROM webhook_redeliveries')).toEqual([]);
  });
});

describe('parked deliveries', () => {
  it('end when they are older than deliveries are kept', async () => {
    await pause();
    await producer.append(...changes(2));
    const [old] = await pending();
    await sql(`UPDATE pending_deliveries SET created_at = now() - interval '91 days' WHERE id = $1`, [old!.id]);
    const before = new Date(Date.now() - 90 * 86_400_000);
    expect(await harness.database.database.query(END_EXPIRED, [before, 500])).toEqual([{ rows: 1 }]);
    expect(await failed()).toEqual([{ last_error: 'parked_too_long', attempts: 0 }]);
    expect(await parked()).toBe(1);
  });

  it('end and are redacted with the erasure of their customer', async () => {
    await pause();
    const [erased, other] = [aChange(), aChange()];
    await producer.append(erased, other);
    const erase = () =>
      producer
        .get(Database)
        .transaction((transaction) => producer.get(DeliveryErasureService).erase(transaction, [erased.paymentId]));
    expect(await erase()).toBe(0);
    expect(await failed()).toEqual([{ last_error: 'customer_erased', attempts: 0 }]);
    expect(await sql('SELECT request_body FROM all_deliveries WHERE payment_id = $1', [erased.paymentId])).toEqual([
      { request_body: '' },
    ]);
    expect(await parked()).toBe(1);
  });
});
