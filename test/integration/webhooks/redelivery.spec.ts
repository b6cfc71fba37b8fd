import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { MAX_WAITING } from '../../../src/webhooks/history/redelivery-pace.js';
import {
  ADVANCE_JOB,
  END_JOB,
  NEXT_JOBS,
  type RedeliveryJob,
} from '../../../src/webhooks/history/redelivery-jobs.queries.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { RedeliveryBatches } from '../../support/app/redelivery-batches.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';
import { eventually } from '../../support/eventually.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { startEngine } from './engine-harness.js';

const MAX_FAILING = 200;

interface Counts {
  waiting: number;
  failing: number;
  delivered: number;
  failed: number;
}

describe('POST /webhooks/redeliver', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let receiver: Receiver;
  let shop: ShopAnswer;
  let flowName: string;
  let shops = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([startApi(), startReceiver()]);
    client = await api.login();
    merchant = new Merchant(client);
  });
  afterAll(async () => {
    await api.stop();
    await receiver.stop();
  });
  beforeEach(async () => {
    const name = `shop ${++shops}`;
    shop = await merchant.createShop(name);
    flowName = (await merchant.createFlow(name, [shop.id])).name;
    receiver.requests.length = 0;
    receiver.respondWith(200);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await query('DELETE FROM webhook_redeliveries');
    await query('DELETE FROM pending_deliveries');
    await query('DELETE FROM webhook_deliveries');
  });

  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query(text, values)).rows as Row[];
  const redeliver = (filter: object = {}, caller = client) => caller.post('/webhooks/redeliver', filter);
  const countOf = async (filter: object = {}): Promise<number> => {
    const response = await redeliver({ ...filter, dry_run: true });
    expect(response.status).toBe(200);
    return dataOf<{ count: number }>(response).count;
  };

  /** Creates finished deliveries of a shop from an hour ago, each of another payment. */
  async function ended(count: number, status: string, of = shop, endpoint = `${receiver.url}/hooks`): Promise<void> {
    const [lane] = await query<{ id: number }>(
      `INSERT INTO webhook_lanes (shop_id, origin) VALUES ($1, $2) ON CONFLICT (shop_id, origin)
       DO UPDATE SET origin = excluded.origin RETURNING id`,
      [of.id, new URL(endpoint).origin],
    );
    await query(
      `INSERT INTO webhook_deliveries (merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        request_body, status, next_attempt_at, attempts, attempts_in_run, created_at, last_attempt_at)
       SELECT merchant_id, id, $2, 1000000 + n, 'e', 'completed', $3, '{"n":' || n || '}', $4, NULL, 4, 4,
        now() - interval '1 hour', now() - interval '30 minutes'
       FROM shops, generate_series(1, $5::int) n WHERE id = $1`,
      [of.id, lane!.id, endpoint, status, count],
    );
  }

  const counts = async (): Promise<Counts> => {
    const [row] = await query<Counts>(
      `SELECT count(*) FILTER (WHERE status = 'pending' AND attempts_in_run = 0)::int AS waiting,
        count(*) FILTER (WHERE status = 'pending' AND attempts_in_run > 0)::int AS failing,
        count(*) FILTER (WHERE status = 'delivered')::int AS delivered, count(*) FILTER (WHERE status = 'failed')::int AS failed
       FROM all_deliveries WHERE shop_id = $1`,
      [shop.id],
    );
    return row!;
  };
  /** Ends the first of the deliveries that are in the queue like an attempt of each. Returns their ids. */
  const end = (status: string, most = 1_000): Promise<number[]> =>
    endDeliveries(
      api.database.pool,
      'id IN (SELECT id FROM pending_deliveries WHERE shop_id = $1 ORDER BY id LIMIT $2)',
      [shop.id, most],
      { status, attempts: 5 },
    );
  /** Runs batches until no job is left, and delivers what they put into the queue. Returns the ids in their order. */
  async function deliverAll(batches = new RedeliveryBatches(api)): Promise<number[]> {
    const sent: number[] = [];
    for (let round = 0; (await query('SELECT FROM webhook_redeliveries')).length > 0; round++) {
      expect(round).toBeLessThan(100);
      await batches.run();
      sent.push(...(await end('delivered')));
    }
    return sent;
  }
  const idsOf = async (): Promise<string[]> =>
    (
      await query<{ id: string }>('SELECT webhook_id(id, created_at) AS id FROM all_deliveries WHERE shop_id = $1', [
        shop.id,
      ])
    )
      .map(({ id }) => id)
      .sort();

  describe('with dry_run', () => {
    it('changes nothing', async () => {
      await ended(3, 'failed');
      const before = await api.database.dump();
      expect(await countOf()).toBe(3);
      expect(await api.database.dump()).toBe(before);
    });

    it('counts failed deliveries by default, or those with the given status', async () => {
      await ended(3, 'failed');
      await ended(2, 'delivered');
      expect([await countOf(), await countOf({ status: 'failed' }), await countOf({ status: 'delivered' })]).toEqual([
        3, 3, 2,
      ]);
    });

    it('counts deliveries of one shop or all, to one address or any', async () => {
      const other = await merchant.createShop(`other ${shops}`);
      await ended(2, 'failed');
      await ended(3, 'failed', other);
      await ended(4, 'failed', other, `${receiver.url}/other`);
      const filters = [
        {},
        { shop_id: shop.id },
        { shop_id: other.id },
        { webhook_endpoint: `${receiver.url}/hooks` },
        { shop_id: other.id, webhook_endpoint: `${receiver.url}/other` },
      ];
      const found: number[] = [];
      for (const filter of filters) found.push(await countOf(filter));
      expect(found).toEqual([9, 2, 7, 5, 4]);
    });

    it('counts deliveries of a time range', async () => {
      await ended(2, 'failed');
      const agoS = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();
      const found = [
        await countOf({ from: agoS(4_000) }),
        await countOf({ from: agoS(3_000) }),
        await countOf({ to: agoS(3_000) }),
        await countOf({ to: agoS(4_000) }),
      ];
      expect(found).toEqual([2, 0, 2, 0]);
    });

    it('excludes deliveries whose body is erased', async () => {
      await ended(2, 'failed');
      await query(`UPDATE webhook_deliveries SET request_body = '' WHERE payment_id = 1000001`);
      expect(await countOf()).toBe(1);
    });

    it('counts thousands of deliveries, and none of another merchant', async () => {
      await ended(4_500, 'failed');
      expect(await countOf()).toBe(4_500);
      const otherMerchant = await api.loginAsAnotherMerchant();
      expect(dataOf(await redeliver({ dry_run: true }, otherMerchant))).toEqual({ count: 0 });
      expect(await redeliver({ shop_id: shop.id }, otherMerchant)).toMatchObject({
        status: 404,
        body: { code: 'shop_not_found' },
      });
    });
  });

  it('delivers each delivery once, with the same webhook-id, and delays no new delivery', async () => {
    let release = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (release = resolve));
    receiver.respondWith(async ({ body }) => {
      if (!body.includes('"payment"') && receiver.requests.length > 20) await isOver;
      return 200;
    });
    await ended(60, 'failed');
    await ended(5, 'delivered');
    const ids = await idsOf();
    const response = await redeliver({ shop_id: shop.id });
    expect([response.status, dataOf(response)]).toEqual([202, { count: 60 }]);
    const env = { WEBHOOK_REDELIVERIES_PER_SECOND: '10000' };
    const worker = await startEngine(WebhooksWorkerModule, api.database.url, env);
    try {
      await eventually(() => receiver.requests.length > 20);
      const { id } = await merchant.pay(flowName, { webhook_endpoint: `${receiver.url}/hooks` });
      const fresh = `SELECT FROM webhook_deliveries WHERE payment_id = $1 AND status = 'delivered'`;
      await eventually(async () => expect(await query(fresh, [id])).toHaveLength(2));
      expect((await counts()).failed).toBeGreaterThan(0);
      release();
      await eventually(async () =>
        expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 67, failed: 0 }),
      );
    } finally {
      release();
      await worker.stop();
    }
    const received = receiver.requests.map(({ headers }) => String(headers['webhook-id']));
    expect([received.length, new Set(received).size]).toEqual([62, 62]);
    expect(await idsOf()).toEqual(expect.arrayContaining(ids));
  });

  it('delivers each finished delivery of a replay once, and none outside the time range', async () => {
    await ended(20, 'failed');
    await ended(10, 'delivered');
    const [from, to] = [4_000, 3_000].map((seconds) => new Date(Date.now() - seconds * 1_000).toISOString());
    const replay = (span: object) => client.post(`/webhooks/shop/${shop.id}/replay`, span);
    expect(dataOf(await replay({ from: to, to: new Date().toISOString() }))).toEqual({ count: 0 });
    expect(dataOf(await replay({ from, to }))).toEqual({ count: 30 });
    expect(dataOf(await replay({ from, to }))).toEqual({ count: 30 });
    const sent = await deliverAll();
    expect([sent.length, new Set(sent).size]).toEqual([30, 30]);
    expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 30, failed: 0 });
  });

  it('keeps the trace of each delivery, even on another day', async () => {
    await earlyIn(DAY_MS);
    await ended(2, 'failed');
    const traces = await query<{ traceparent: string }>(
      `WITH bodies AS (
        INSERT INTO webhook_bodies (day, delivery_id, body, traceparent)
        SELECT (now() AT TIME ZONE 'UTC')::date - n::int, id, '{}', 'of ' || id
        FROM (SELECT id, row_number() OVER () - 1 AS n FROM webhook_deliveries WHERE shop_id = $1) d
        RETURNING day, delivery_id, traceparent
      ), headers AS (
        UPDATE webhook_deliveries d SET body_day = b.day, body_bytes = 2, request_body = NULL
        FROM bodies b WHERE d.id = b.delivery_id
      )
      SELECT traceparent FROM bodies ORDER BY traceparent`,
      [shop.id],
    );
    expect((await redeliver({ shop_id: shop.id })).status).toBe(202);
    await deliverAll();
    const kept = `SELECT b.traceparent FROM all_deliveries d JOIN webhook_bodies b ON b.delivery_id = d.id AND
      b.day = (now() AT TIME ZONE 'UTC')::date WHERE d.shop_id = $1 ORDER BY b.traceparent`;
    expect(await query(kept, [shop.id])).toEqual(traces);
    await query('DELETE FROM webhook_bodies');
  });

  it('delivers each delivery once for repeated requests', async () => {
    await ended(60, 'delivered');
    const filter = { shop_id: shop.id, status: 'delivered' };
    await Promise.all([redeliver(filter), redeliver(filter)]);
    const batches = new RedeliveryBatches(api);
    await batches.run();
    const sent = await end('delivered', 5);
    expect((await redeliver(filter)).status).toBe(202);
    sent.push(...(await deliverAll(batches)));
    expect([sent.length, new Set(sent).size]).toEqual([60, 60]);
  });

  it('sends deliveries that failed during a running request with the same filter', async () => {
    await ended(60, 'failed');
    await redeliver({ shop_id: shop.id });
    const batches = new RedeliveryBatches(api);
    await batches.run();
    const again = await end('failed', 5);
    await query(
      `UPDATE webhook_deliveries SET last_attempt_at = now() WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE shop_id = $1 ORDER BY id DESC LIMIT 3)`,
      [shop.id],
    );
    await ended(4, 'failed');
    const { failed } = await counts();
    expect(dataOf(await redeliver({ shop_id: shop.id }))).toEqual({ count: failed });
    const sent = await deliverAll(batches);
    expect([sent.length, new Set(sent).size]).toEqual([64, 64]);
    expect(sent).toEqual(expect.arrayContaining(again));
    expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 64, failed: 0 });
  });

  it('sends deliveries that succeeded during a running request, and repeats none of that request', async () => {
    await ended(60, 'delivered');
    const filter = { shop_id: shop.id, status: 'delivered' };
    expect(dataOf(await redeliver(filter))).toEqual({ count: 60 });
    const batches = new RedeliveryBatches(api);
    await batches.run();
    const sent = await end('delivered', 5);
    await ended(4, 'delivered');
    const { count } = dataOf<{ count: number }>(await redeliver(filter));
    expect([count >= 4, count <= 64 - 5]).toEqual([true, true]);
    sent.push(...(await deliverAll(batches)));
    expect([sent.length, new Set(sent).size]).toEqual([64, 64]);
  });

  it('keeps a request that arrives during a step of the same job', async () => {
    const jobs = () => query<RedeliveryJob>(NEXT_JOBS.text, [10]);
    await ended(2, 'failed');
    await redeliver({ shop_id: shop.id });
    const [read] = await jobs();
    await ended(1, 'failed');
    expect(dataOf(await redeliver({ shop_id: shop.id }))).toEqual({ count: 3 });
    await query(ADVANCE_JOB.text, [read!.id, read!.last_id + 1_000, 2, read!.requested_at]);
    await query(END_JOB.text, [read!.id, read!.requested_at]);
    expect(await jobs()).toMatchObject([{ id: read!.id, after_id: read!.first_id, redelivered: 2 }]);
    const [again] = await jobs();
    await query(END_JOB.text, [again!.id, again!.requested_at]);
    expect(await jobs()).toEqual([]);
  });

  it('redelivers a few at a time, and more when those have been tried', async () => {
    await ended(50, 'failed');
    await redeliver({ shop_id: shop.id });
    const batches = new RedeliveryBatches(api);
    expect(await batches.run()).toMatchObject({ rows: MAX_WAITING, more: true });
    expect(await batches.run()).toMatchObject({ rows: 0, more: true });
    expect(await counts()).toMatchObject({ waiting: MAX_WAITING, failed: 50 - MAX_WAITING });
    await end('delivered', 5);
    expect(await batches.run()).toMatchObject({ rows: 5, more: true });
    expect(batches.notified).toHaveLength(2);
  });

  it('limits the rate of a merchant, and of all merchants to twice that', async () => {
    const otherMerchants = [await api.loginAsAnotherMerchant(), await api.loginAsAnotherMerchant()];
    const otherShops = await Promise.all(otherMerchants.map((each) => new Merchant(each).createShop(`other ${shops}`)));
    for (const each of [shop, ...otherShops]) await ended(16, 'failed', each);
    for (const caller of [client, ...otherMerchants]) await redeliver({}, caller);
    // the rate limits of the API read this clock, too: one that is ahead would leave them in debt after the test
    const [start, perSecond] = [performance.now() - 4_000, 2];
    const now = jest.spyOn(performance, 'now').mockReturnValue(start);
    const batches = new RedeliveryBatches(api, { perSecond });
    const redelivered: { total: number; most: number }[] = [];
    for (let quarters = 0; quarters < 16; quarters++) {
      now.mockReturnValue(start + quarters * 250);
      await batches.run();
      const [row] = await query<{ total: number; most: number }>(
        `SELECT sum(redelivered)::int AS total, max(redelivered)::int AS most,
          -- a new delivery, so that the pace is not idle
          nextval('webhook_deliveries_id_seq') FROM webhook_redeliveries`,
      );
      redelivered.push(row!);
      expect(row!.most).toBeLessThanOrEqual((quarters / 4) * perSecond + 1);
      expect(row!.total).toBeLessThanOrEqual((quarters / 4) * 2 * perSecond + 1);
    }
    expect(redelivered.at(-1)!.total).toBeGreaterThanOrEqual(14);
  });

  it('continues where a worker stopped', async () => {
    await ended(50, 'failed');
    await redeliver({ shop_id: shop.id });
    await new RedeliveryBatches(api).run();
    const sent = await end('delivered', 10);
    expect((await counts()).failed).toBeGreaterThan(0);
    sent.push(...(await deliverAll()));
    expect([sent.length, new Set(sent).size]).toEqual([50, 50]);
  });

  it('continues for other merchants while one merchant’s deliveries are locked, and for that one afterwards', async () => {
    await ended(2, 'failed');
    const otherMerchant = await api.loginAsAnotherMerchant();
    const otherShop = await new Merchant(otherMerchant).createShop(`other ${shops}`);
    await ended(2, 'failed', otherShop);
    await redeliver();
    await redeliver({}, otherMerchant);
    const batches = new RedeliveryBatches(api, { lockTimeoutMs: 50 });
    const holder = await api.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM webhook_deliveries WHERE shop_id = $1 FOR UPDATE', [shop.id]);
      expect(await batches.run()).toMatchObject({ rows: 2 });
      expect(await counts()).toMatchObject({ waiting: 0, failed: 2 });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    expect(await batches.run()).toMatchObject({ rows: 2 });
    expect(await counts()).toMatchObject({ waiting: 2, failed: 0 });
  });

  it('pauses while a receiver fails', async () => {
    await ended(MAX_FAILING + 100, 'failed');
    await redeliver({ shop_id: shop.id });
    const batches = new RedeliveryBatches(api);
    let rows = 0;
    for (let round = 0; round < 20; round++) {
      rows = (await batches.run()).rows;
      if (rows === 0) break;
      await query('UPDATE pending_deliveries SET attempts = attempts + 1, attempts_in_run = attempts_in_run + 1');
    }
    const { waiting, failing, failed } = await counts();
    expect([rows, waiting]).toEqual([0, 0]);
    expect(failing).toBeGreaterThanOrEqual(MAX_FAILING);
    expect(failing).toBeLessThan(MAX_FAILING + MAX_WAITING);
    expect(failed).toBeGreaterThan(0);
    // its progress is kept, and it continues when the receiver has answered
    await end('delivered');
    expect((await batches.run()).rows).toBeGreaterThan(0);
  });

  it.each([
    ['ends', false, 0],
    ['runs', true, 2],
  ])('%s a recovery of an address of payments where the setting is %s', async (_, redeliversOnRecovery, waiting) => {
    await ended(2, 'failed');
    await query(
      `INSERT INTO webhook_redeliveries (merchant_id, lane_id, filter_hash, status, created_from, created_to, first_id,
        after_id, last_id, failed_from, max_runs)
      SELECT DISTINCT merchant_id, lane_id, 'recovery', 'failed', '-infinity'::timestamptz, 'infinity'::timestamptz, 0, 0,
        pg_sequence_last_value('webhook_deliveries_id_seq'), '-infinity'::timestamptz, 2
      FROM webhook_deliveries WHERE shop_id = $1`,
      [shop.id],
    );
    expect(await new RedeliveryBatches(api, { redeliversOnRecovery }).run()).toMatchObject({ rows: waiting });
    expect(await counts()).toMatchObject({ waiting, failed: 2 - waiting });
    expect(await query('SELECT FROM webhook_redeliveries')).toHaveLength(redeliversOnRecovery ? 1 : 0);
  });

  it('allows a merchant ten running requests', async () => {
    await ended(1, 'failed');
    const statuses: number[] = [];
    for (let day = 1; day <= 11; day++) {
      const from = `2020-01-${String(day).padStart(2, '0')}T00:00:00Z`;
      statuses.push((await redeliver({ from })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(202), 429]);
  });

  it.each([
    [{ status: 'other' }, 'status'],
    [{ status: 'pending' }, 'endpoint_id'],
    [{ shop_id: 0 }, 'shop_id'],
    [{ webhook_endpoint: 'nonsense' }, 'webhook_endpoint'],
    [{ from: 'yesterday' }, 'from'],
    [{ from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'to'],
    [{ dry_run: 'yes' }, 'dry_run'],
    [{ more: 1 }, 'more'],
  ])('rejects %j', async (filter, field) => {
    expect(await redeliver(filter)).toMatchObject({ status: 422, body: { errors: [{ field }] } });
  });

  it('brings the retries of one endpoint forward', async () => {
    await ended(3, 'failed');
    await query(`WITH gone AS (DELETE FROM webhook_deliveries RETURNING *)
      INSERT INTO pending_deliveries (id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, attempts, body_day,
        body_bytes, event, payment_status, webhook_endpoint)
      SELECT id, now() + interval '15 minutes', lane_id, payment_id, merchant_id, shop_id, created_at, 3, now()::date, 2,
        event, payment_status, webhook_endpoint FROM gone`);
    await query(
      `INSERT INTO webhook_bodies (day, delivery_id, body) SELECT body_day, id, '{}' FROM pending_deliveries`,
    );
    const [{ lane_id: endpointId }] = (await query('SELECT lane_id FROM pending_deliveries LIMIT 1')) as [
      { lane_id: number },
    ];
    expect(await countOf({ status: 'pending', endpoint_id: endpointId })).toBe(3);
    expect((await redeliver({ status: 'pending', endpoint_id: endpointId })).status).toBe(202);
    await new RedeliveryBatches(api).run();
    const due = 'SELECT id FROM pending_deliveries WHERE due_at <= now() AND attempts = 3';
    expect(await query(due)).toHaveLength(3);
    expect(await query('SELECT FROM webhook_redeliveries')).toHaveLength(1);
    await end('delivered');
    await deliverAll();
  });
});
