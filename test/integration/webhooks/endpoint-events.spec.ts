import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { ANNOUNCE_FAILING, PRUNE_EVENTS } from '../../../src/webhooks/endpoint/health/endpoint-events.queries.js';
import type { AttemptRecord } from '../../../src/webhooks/engine/delivery-store.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { Database } from '../../../src/platform/database/database.js';
import type { NewDelivery } from '../../support/app/append-deliveries.js';
import { eventually } from '../../support/eventually.js';
import { startReceiver } from '../../support/servers/receiver.js';
import { type Engine, EngineHarness, type TestShop } from './engine-harness.js';

interface EventRow {
  type: string;
  merchant_id: number;
  shop_id: number;
  payment_id: number | null;
  data: Record<string, unknown>;
}

const MINUTE_MS = 60_000;
const FIVE_MINUTES_MS = 5 * MINUTE_MS;

let harness: EngineHarness;
let producer: Engine;
let shop: TestShop;
let store: PostgresDeliveryStore;
let deliveryTo: (fields?: Partial<NewDelivery>) => NewDelivery;
let origins = 0;
let origin: string;
let payments = 0;

beforeAll(async () => {
  harness = await EngineHarness.create('postgres');
  producer = await harness.startProducer();
  store = new PostgresDeliveryStore(producer.get(Database));
});
afterAll(() => harness.stop());

beforeEach(async () => {
  await harness.clear(producer);
  await sql('DELETE FROM webhook_events');
  await sql('DELETE FROM failing_endpoints');
  shop = await harness.aShop(producer);
  origin = `http://127.0.0.1:${2_000 + ++origins}`;
  deliveryTo = await harness.deliveriesTo(producer, shop, `${origin}/hooks?customer=ada`);
});

const sql = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await harness.database.pool.query(text, values)).rows as Row[];

const events = (): Promise<EventRow[]> =>
  sql<EventRow>('SELECT type, merchant_id, shop_id, payment_id, data FROM webhook_events ORDER BY event_position, id');

const types = async (): Promise<string[]> => (await events()).map(({ type }) => type);

const announce = (afterMs = FIVE_MINUTES_MS): Promise<unknown[]> =>
  harness.database.database.query(ANNOUNCE_FAILING, [afterMs, 100]);

interface Outcome {
  status: AttemptRecord['status'];
  statusCode?: number | null;
}

/** Claims a delivery with `attempts` previous attempts. Returns the record of its attempt, which is not stored yet. */
async function ended({ status, statusCode = 500 }: Outcome, attempts = 0, to = deliveryTo): Promise<AttemptRecord> {
  const paymentId = ++payments;
  const delivery = to({ paymentId });
  await producer.append(delivery);
  if (attempts > 0)
    await sql('UPDATE pending_deliveries SET attempts = $1 WHERE payment_id = $2', [attempts, paymentId]);
  const claims = [{ laneId: delivery.laneId, quota: 1, maxBytes: Infinity, withSuccessors: false }];
  // a concurrent call may claim this delivery before its own is visible
  const { id, attempts: before, lease } = await eventually(async () => (await store.claim(claims, 5_000))[0] ?? null);
  return {
    id,
    attempts: before,
    lease,
    status,
    waitMs: MINUTE_MS,
    statusCode,
    error: statusCode === null ? 'connect_failed' : null,
    startedAt: Date.now() / 1_000,
    durationMs: 0,
    responseBody: null,
  };
}

/** Makes an attempt as in `ended`, and records it. */
async function attempt(outcome: Outcome, attempts = 0): Promise<AttemptRecord> {
  const record = await ended(outcome, attempts);
  await store.record([record]);
  return record;
}

const fail = (attempts: number) => attempt({ status: 'pending' }, attempts);
const SUCCESS: Outcome = { status: 'delivered', statusCode: 200 };
const succeed = () => attempt(SUCCESS);

/** Moves all times into the past, as if `ms` had passed. */
async function pass(ms: number): Promise<void> {
  const earlier = (column: string) => `SET ${column} = ${column} - $1 * interval '1 ms'`;
  await sql(`UPDATE failing_endpoints ${earlier('failing_since')}`, [ms]);
  await sql(`UPDATE webhook_deliveries ${earlier('delivered_at')}`, [ms]);
}

describe('a delivery that failed for good', () => {
  it('causes one event, without the path of its address', async () => {
    const record = await attempt({ status: 'failed', statusCode: 410 }, 3);
    await store.record([record]);
    expect(await events()).toEqual([
      {
        type: 'delivery.failed',
        merchant_id: shop.merchantId,
        shop_id: shop.shopId,
        payment_id: payments,
        data: {
          delivery_id: record.id,
          event: 'payment.status_changed',
          payment_status: 'completed',
          endpoint_id: null,
          webhook_endpoint: origin,
          attempts: 4,
          last_status_code: 410,
          last_error: null,
        },
      },
    ]);
  });

  it('causes an event of the worker at the end of its schedule', async () => {
    const receiver = await startReceiver(500);
    const worker = await harness.startWorker();
    const delivery = (await harness.deliveriesTo(producer, shop, receiver.url))();
    await worker.deliver(delivery);
    await eventually(async () => expect(await types()).toEqual(['delivery.failed']));
    const [event] = await events();
    expect(event).toMatchObject({ payment_id: delivery.paymentId, data: { attempts: 4, last_status_code: 500 } });
    await receiver.stop();
  });

  it('causes an event, while successful and retried deliveries cause none', async () => {
    await succeed();
    await fail(0);
    expect(await events()).toEqual([]);
  });
});

describe('an endpoint without a 2xx', () => {
  it('causes one event after five minutes, and one when it recovers', async () => {
    await fail(1);
    expect(await announce()).toEqual([]);
    await pass(FIVE_MINUTES_MS);
    await Promise.all([announce(), announce(), announce()]);
    await announce();
    expect(await types()).toEqual(['endpoint.failing']);
    await fail(3);
    await announce();
    await succeed();
    await succeed();
    expect(await events()).toEqual([
      {
        type: 'endpoint.failing',
        merchant_id: shop.merchantId,
        shop_id: shop.shopId,
        payment_id: null,
        data: {
          endpoint_id: null,
          webhook_endpoint: origin,
          failing_since: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          last_status_code: 500,
          last_error: null,
        },
      },
      expect.objectContaining({
        type: 'endpoint.recovered',
        payment_id: null,
        data: {
          endpoint_id: null,
          webhook_endpoint: origin,
          failing_since: expect.any(String),
          recovered_at: expect.stringMatching(/Z$/),
        },
      }),
    ]);
  });

  it('recovers in a statement that also records deliveries to other endpoints', async () => {
    await fail(1);
    await pass(FIVE_MINUTES_MS);
    await announce();
    const elsewhere = await harness.deliveriesTo(producer, shop, `http://127.0.0.1:${2_000 + ++origins}/hooks`);
    const records = [await ended(SUCCESS), await ended(SUCCESS, 0, elsewhere), await ended(SUCCESS)];
    const recorded = await store.record(records);
    expect(recorded.map(({ id }) => id).sort()).toEqual(records.map(({ id }) => id).sort());
    expect(await types()).toEqual(['endpoint.failing', 'endpoint.recovered']);
    expect(await sql('SELECT 1 FROM failing_endpoints')).toEqual([]);
  });

  it('fails again after it recovered', async () => {
    for (const _ of [1, 2]) {
      await fail(1);
      await pass(FIVE_MINUTES_MS);
      await announce();
      await succeed();
    }
    expect(await types()).toEqual(['endpoint.failing', 'endpoint.recovered', 'endpoint.failing', 'endpoint.recovered']);
  });

  it('causes no event when a delivery succeeds within five minutes', async () => {
    await fail(1);
    await succeed();
    await pass(FIVE_MINUTES_MS);
    await announce();
    expect(await events()).toEqual([]);
  });

  it('stays unmarked after the first attempt of a delivery', async () => {
    await fail(0);
    expect(await sql('SELECT * FROM failing_endpoints')).toEqual([]);
  });

  it('causes an event after an unseen success only if an attempt fails after that', async () => {
    const failing = await fail(1);
    const [mark] = await sql<object>('SELECT * FROM failing_endpoints');
    await succeed();
    await sql('INSERT INTO failing_endpoints SELECT * FROM json_populate_record(NULL::failing_endpoints, $1)', [
      JSON.stringify(mark),
    ]);
    await sql(`UPDATE failing_endpoints SET failing_since = now() - interval '10 minutes'`);
    const failedAt = (at: string) =>
      sql(`UPDATE pending_deliveries SET last_attempt_at = ${at} WHERE id = $1`, [failing.id]);
    await failedAt(`now() - interval '9 minutes'`);
    await announce();
    expect(await events()).toEqual([]);
    await failedAt('now()');
    await announce();
    expect(await types()).toEqual(['endpoint.failing']);
  });

  it('recovers after its announcement, even if that has a later transaction id', async () => {
    await fail(1);
    await pass(FIVE_MINUTES_MS);
    await harness.database.database.transaction(async (transaction) => {
      await transaction.query({ name: '', text: 'SELECT pg_current_xact_id()::text' });
      await announce();
      const late = deliveryTo({ paymentId: ++payments });
      await producer.append(late);
      const [claimed] = await store.claim(
        [{ laneId: late.laneId, quota: 1, maxBytes: Infinity, withSuccessors: false }],
        5_000,
      );
      await new PostgresDeliveryStore(transaction as unknown as Database).record([
        {
          id: claimed!.id,
          attempts: 0,
          lease: claimed!.lease,
          status: 'delivered',
          waitMs: 0,
          statusCode: 200,
          error: null,
          startedAt: Date.now() / 1_000,
          durationMs: 0,
          responseBody: null,
        },
      ]);
    });
    expect(await types()).toEqual(['endpoint.failing', 'endpoint.recovered']);
  });

  it('gets one mark from workers that fail and succeed concurrently', async () => {
    const outcomes = Array.from({ length: 40 }, (_, index) => (index % 4 === 0 ? succeed() : fail(2)));
    await Promise.all(outcomes);
    expect(await types()).toEqual([]);
    const marks = await sql<{ lane_id: number }>('SELECT lane_id FROM failing_endpoints');
    expect(marks.length).toBeLessThanOrEqual(1);
  });
});

describe('the log', () => {
  let warn: jest.SpiedFunction<Logger['warn']>;

  beforeEach(() => {
    warn = jest.spyOn(Logger.prototype, 'warn');
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const lines = (msg: string): unknown[] =>
    warn.mock.calls.map(([line]) => line as { msg: string }).filter((line) => line.msg === msg);

  it('warns once when an endpoint starts to fail, for any number of workers, and once when it recovers', async () => {
    const about = { laneId: deliveryTo().laneId, shopId: shop.shopId, origin };
    const fails500 = { msg: 'endpoint fails, retrying', ...about, statusCode: 500 };
    await Promise.all(Array.from({ length: 10 }, () => fail(1)));
    await Promise.all(Array.from({ length: 10 }, () => attempt({ status: 'failed' }, 3)));
    expect(lines(fails500.msg)).toEqual([fails500]);
    expect(lines('endpoint recovered')).toEqual([]);
    for (let i = 0; i < 3; i++) await succeed();
    const failingSince = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
    expect(lines('endpoint recovered')).toEqual([{ msg: 'endpoint recovered', ...about, failingSince }]);
    await attempt({ status: 'pending', statusCode: null }, 1);
    expect(lines(fails500.msg)).toEqual([fails500, { ...fails500, statusCode: null, error: 'connect_failed' }]);
  });

  it('contains no warning about an endpoint whose deliveries succeed, some with the second attempt', async () => {
    await succeed();
    await fail(0);
    await succeed();
    expect(warn).not.toHaveBeenCalled();
  });
});

describe('events of deliveries and endpoints', () => {
  it('expire after their retention period, oldest first', async () => {
    for (const _ of [1, 2, 3]) await attempt({ status: 'failed' }, 3);
    await sql(`UPDATE webhook_events SET created_at = now() - interval '2 days'
      WHERE id <> (SELECT max(id) FROM webhook_events)`);
    const prune = () => harness.database.database.query(PRUNE_EVENTS, [new Date(Date.now() - 24 * 60 * MINUTE_MS), 1]);
    expect([(await prune()).length, (await prune()).length, (await prune()).length]).toEqual([1, 1, 0]);
    expect((await events()).map(({ payment_id: id }) => id)).toEqual([payments]);
  });
});
