import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Database } from '../../../src/platform/database/database.js';
import { RECORD_EVENT } from '../../../src/payments/store/event-sql.js';
import { ERASE_DELIVERIES } from '../../../src/webhooks/history/delivery-erasure.queries.js';
import { ANNOUNCE_FAILING } from '../../../src/webhooks/endpoint/health/endpoint-events.queries.js';
import { RETRY_ENDED } from '../../../src/webhooks/history/redelivery.queries.js';
import type { ClaimedRow } from '../../../src/webhooks/engine/delivery-store.js';
import { PostgresDeliveryStore } from '../../../src/webhooks/engine/postgres-delivery-store.js';
import { StoredBodies } from '../../../src/webhooks/outbox/stored-bodies.service.js';
import { APPEND_DELIVERIES, appendValues, type NewDelivery } from '../../support/app/append-deliveries.js';
import { aDelivery } from '../../support/app/builders.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';
import { attemptRecord } from './delivery-store-conformance.js';

const MINUTE_MS = 60_000;
const LEASE_MS = MINUTE_MS;
const OWN_LANE = 1_000;
const MERCHANT = 1;
const SHOP = 1;
const PAYMENT = 7;

interface PendingRow {
  id: number;
  lane_id: number;
  endpoint_id: number;
  payment_status: string | null;
}

describe('deliveries of one change to several endpoints', () => {
  let database: TestDatabase;
  let store: PostgresDeliveryStore;

  beforeEach(async () => {
    await earlyIn(DAY_MS);
    database = await createTestDatabase();
    store = new PostgresDeliveryStore(database.database as unknown as Database);
  });
  afterEach(() => database.drop());

  const sql = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await database.pool.query<Row>(text, values)).rows;

  /** A standing endpoint that nothing is sent to. Returns its id, which is also that of its lane. */
  async function anEndpoint(
    fields: { merchant?: number; shops?: number[] | null; types?: string[]; status?: string } = {},
  ) {
    const { merchant = MERCHANT, shops = null, types = ['payment.status_changed'], status = 'active' } = fields;
    const [{ id }] = (await sql<{ id: number }>(
      `WITH lane AS (
        INSERT INTO webhook_lanes (id, endpoint_id, merchant_id, origin)
        SELECT id, id, $1::bigint, 'https://standing.example' FROM nextval('webhook_lanes_id_seq') id RETURNING id
      )
      INSERT INTO webhook_endpoints (id, merchant_id, lane_id, url, shop_ids, event_types, status, sealed_secret)
      SELECT id, $1, id, 'https://standing.example/', $2, $3, $4, '' FROM lane RETURNING id`,
      [merchant, shops, types, status],
    )) as [{ id: number }];
    return id;
  }

  const aChange = (fields: Partial<NewDelivery> = {}): NewDelivery =>
    aDelivery({
      merchantId: MERCHANT,
      shopId: SHOP,
      laneId: OWN_LANE,
      paymentId: PAYMENT,
      webhookEndpoint: 'https://own.example/',
      ...fields,
    });
  const withoutAddress = { webhookEndpoint: null as unknown as string, laneId: null as unknown as number };
  const append = (...changes: NewDelivery[]) => database.database.query(APPEND_DELIVERIES, appendValues(changes));
  const pending = () => sql<PendingRow>('SELECT * FROM pending_deliveries ORDER BY id');
  const bodies = async () =>
    (await sql<{ body: string }>('SELECT body FROM webhook_bodies ORDER BY day, delivery_id')).map(({ body }) => body);
  const claim = (laneId: number, quota = 100, withSuccessors = false): Promise<ClaimedRow[]> =>
    store.claim([{ laneId, quota, maxBytes: Infinity, withSuccessors }], LEASE_MS);
  const end = (laneId: number, status = 'delivered') =>
    endDeliveries(database.pool, 'lane_id = $1', [laneId], { status });
  const erase = () => database.database.query(ERASE_DELIVERIES, [[PAYMENT]]);
  const retry = (id: number) => database.database.query(RETRY_ENDED, [id, MERCHANT, null, null]);

  it('go to every endpoint of the merchant that chose the event and the shop', async () => {
    const chosen = [await anEndpoint(), await anEndpoint({ shops: [SHOP, 2] }), await anEndpoint({ status: 'paused' })];
    await anEndpoint({ shops: [2] });
    await anEndpoint({ merchant: 2 });
    await anEndpoint({ merchant: 2, shops: [SHOP] });
    await anEndpoint({ types: ['refund.created'] });
    await anEndpoint({ status: 'deleted' });
    await append(aChange(), aChange(withoutAddress));
    const rows = await pending();
    expect(rows.map(({ endpoint_id: id }) => id)).toEqual([0, ...chosen, ...chosen]);
    expect(await bodies()).toHaveLength(2);
  });

  it('carry the same body at every endpoint, of several changes each', async () => {
    const endpoints = [await anEndpoint(), await anEndpoint()];
    const [first, second] = [aChange({ requestBody: 'first' }), aChange({ requestBody: 'second', ...withoutAddress })];
    await append(first, second);
    for (const laneId of endpoints)
      expect((await claim(laneId, 1, true)).map((row) => [row.request_body, row.predecessor_id === null])).toEqual([
        ['first', true],
        ['second', false],
      ]);
    expect((await claim(OWN_LANE, 1, true)).map((row) => row.request_body)).toEqual(['first']);
  });

  it('wait for earlier ones of the payment at the same endpoint only', async () => {
    const [broken, healthy] = [await anEndpoint(), await anEndpoint()];
    await append(aChange({ requestBody: 'first' }));
    await append(aChange({ requestBody: 'second' }));
    const [held] = await claim(broken);
    expect(held).toMatchObject({ request_body: 'first' });
    expect(await claim(broken)).toEqual([]);
    const [sent] = (await claim(healthy)) as [ClaimedRow];
    await store.record([attemptRecord(sent)]);
    expect(await claim(healthy)).toMatchObject([{ request_body: 'second' }]);
    expect(await claim(broken)).toEqual([]);
  });

  it('keep their order when their endpoint moves to another origin', async () => {
    const endpoint = await anEndpoint();
    await append(aChange({ requestBody: 'first' }));
    const [{ id: moved }] = (await sql<{ id: number }>(
      `WITH lane AS (INSERT INTO webhook_lanes (endpoint_id, merchant_id, origin) VALUES ($1, $2, 'https://new.example') RETURNING id)
       UPDATE webhook_endpoints SET lane_id = (SELECT id FROM lane) WHERE id = $1 RETURNING lane_id AS id`,
      [endpoint, MERCHANT],
    )) as [{ id: number }];
    await append(aChange({ requestBody: 'second' }));
    expect(await claim(moved)).toEqual([]);
    const [first] = (await claim(endpoint)) as [ClaimedRow];
    expect(first.request_body).toBe('first');
    await store.record([attemptRecord(first)]);
    await store.dueLanes();
    expect(await claim(moved)).toMatchObject([{ request_body: 'second' }]);
  });

  it('store the body of their change once', async () => {
    for (let i = 0; i < 50; i += 1) await anEndpoint();
    const at = [1, 2, 3].map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
    const requestBodies = at.map((time) => JSON.stringify({ timestamp: time.toISOString() }));
    await append(...requestBodies.map((requestBody) => aChange({ requestBody })));
    await end(OWN_LANE);
    const changes = at.map((time) => ({ paymentId: PAYMENT, status: 'completed', at: time }));
    expect(await new StoredBodies(database.database as unknown as Database).find(changes)).toEqual(requestBodies);
  });

  describe('when their customer is erased', () => {
    it('keep the body until none of them is pending', async () => {
      const endpoint = await anEndpoint();
      await append(aChange({ requestBody: 'personal' }));
      await end(OWN_LANE);
      await erase();
      expect(await bodies()).toEqual(['personal']);
      await end(endpoint);
      await erase();
      expect(await bodies()).toEqual(['']);
    });

    it('keep the body for one that is redelivered at the same time', async () => {
      const endpoint = await anEndpoint();
      await append(aChange({ requestBody: 'personal' }));
      await end(OWN_LANE);
      const [id] = await end(endpoint);
      await database.database.transaction(async (transaction) => {
        await transaction.query(RETRY_ENDED, [id, MERCHANT, null, null]);
        await erase();
      });
      expect(await claim(endpoint)).toMatchObject([{ request_body: 'personal' }]);
      await end(endpoint);
      await erase();
      expect(await bodies()).toEqual(['']);
    });

    it('lose all copies of the body that redeliveries on other days left', async () => {
      const endpoint = await anEndpoint();
      await append(aChange({ requestBody: 'personal' }));
      const ids = [...(await end(OWN_LANE)), ...(await end(endpoint))];
      for (const id of ids) {
        await sql('UPDATE webhook_bodies SET day = day - 1');
        await sql('UPDATE webhook_deliveries SET body_day = body_day - 1');
        await sql('UPDATE pending_deliveries SET body_day = body_day - 1');
        await retry(id);
      }
      expect(await bodies()).toEqual(['personal', 'personal', 'personal']);
      await end(OWN_LANE);
      await erase();
      await end(endpoint);
      await erase();
      expect(await bodies()).toEqual(['', '', '']);
    });
  });

  it('send their own copy of the body when they are redelivered on another day', async () => {
    const endpoint = await anEndpoint();
    await append(aChange({ requestBody: 'body' }));
    const [own] = await end(OWN_LANE);
    await sql('UPDATE webhook_bodies SET day = day - 3');
    await sql('UPDATE pending_deliveries SET body_day = body_day - 3');
    await sql('UPDATE webhook_deliveries SET body_day = body_day - 3');
    await retry(own!);
    expect(await claim(OWN_LANE)).toMatchObject([{ request_body: 'body' }]);
    expect(await claim(endpoint)).toMatchObject([{ request_body: 'body' }]);
    const [again] = await end(endpoint);
    await retry(again!);
    await sql('DELETE FROM webhook_bodies WHERE day < current_date');
    expect(await claim(endpoint)).toMatchObject([{ request_body: 'body' }]);
  });

  it('announce no failing endpoint after a success that its mark did not see', async () => {
    const endpoint = await anEndpoint();
    await append(aChange(withoutAddress), aChange({ ...withoutAddress, paymentId: PAYMENT + 1 }));
    const [delivered, failed] = (await claim(endpoint)) as [ClaimedRow, ClaimedRow];
    await store.record([attemptRecord(delivered)]);
    await sql(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, endpoint_id, origin, failing_since)
       VALUES ($1, $2, $1, 'https://standing.example', now() - interval '10 minutes')`,
      [endpoint, MERCHANT],
    );
    const announce = () => database.database.query(ANNOUNCE_FAILING, [MINUTE_MS, 100]);
    expect(await announce()).toEqual([]);
    await store.record([
      attemptRecord(failed, { status: 'failed', statusCode: 500, startedAt: Date.now() / 1_000 + 60 }),
    ]);
    expect(await announce()).toHaveLength(1);
  });

  it('carry any text that JSON can have', async () => {
    const endpoint = await anEndpoint({ types: ['dispute.opened'] });
    await sql(
      `INSERT INTO payments (id, merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider,
        amount, currency, status, created_at, updated_at, expires_at)
      VALUES ($1, $2, $3, 1, 1, 'ps', 'sandbox', 1, 'EUR', 'completed', now(), now(), now())`,
      [PAYMENT, MERCHANT, SHOP],
    );
    const data = { id: 3, reason: 'a\u0000b \ud800 "c"\n' };
    await database.database.query(RECORD_EVENT, [PAYMENT, 1, 'dispute.opened', JSON.stringify(data)]);
    const [row] = (await claim(endpoint)) as [ClaimedRow];
    expect(JSON.parse(row.request_body)).toMatchObject({ event: 'dispute.opened', payment_id: PAYMENT, data });
  });

  it('report the failures of broken endpoints to each other once', async () => {
    const types = ['payment.status_changed', 'delivery.failed'];
    const endpoints = [await anEndpoint({ types }), await anEndpoint({ types }), await anEndpoint({ types })];
    await append(aChange(withoutAddress));
    const written: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const claimed = (await Promise.all(endpoints.map((laneId) => claim(laneId)))).flat();
      written.push(claimed.length);
      await store.record(claimed.map((row) => attemptRecord(row, { status: 'failed', statusCode: 500 })));
    }
    // an endpoint gets the changes of one payment one after the other
    expect(written).toEqual([3, 3, 3, 0]);
  });
});
