import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_WAITING, MAX_WAITING_IDLE } from '../../../src/webhooks/deliveries/redelivery-pace.js';
import {
  ADVANCE_JOB,
  END_JOB,
  NEXT_JOBS,
  type RedeliveryJob,
} from '../../../src/webhooks/deliveries/redelivery-jobs.queries.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';
import { eventually } from '../../support/eventually.js';
import { type ReceivedRequest, type Receiver, startReceiver } from '../../support/servers/receiver.js';
import { type Engine, startEngine } from './engine-harness.js';

const MAX_FAILING = 200;
/** More deliveries than one step redelivers. */
const OTHERS = MAX_WAITING + 8;

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
  const workers: Engine[] = [];

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
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await query('DELETE FROM webhook_redeliveries');
    await query('DELETE FROM pending_deliveries');
    await query('DELETE FROM webhook_deliveries');
    await forgetWorkers(api.database.pool);
  });

  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query(text, values)).rows as Row[];
  const startWorker = async (
    env: Record<string, string> = {},
    lockTimeoutMs: number | 'as served' = 'as served',
  ): Promise<Engine> => {
    const fast = { WEBHOOK_REDELIVERIES_PER_SECOND: '10000', ...env };
    const worker = await startEngine(WebhooksWorkerModule, api.database.url, fast, { lockTimeoutMs });
    workers.push(worker);
    return worker;
  };
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
  const redelivered = () =>
    eventually(async () => expect(await query('SELECT 1 FROM webhook_redeliveries')).toEqual([]));
  /** Answers the first matching requests at once, and the others after a call of the returned function. */
  const holdAfter = (answered: number, isHeld: (request: ReceivedRequest) => boolean = () => true): (() => void) => {
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    let seen = 0;
    receiver.respondWith(async (request) => {
      if (isHeld(request) && ++seen > answered) await isOver;
      return 200;
    });
    return end;
  };
  const idsReceived = () => receiver.requests.map(({ headers }) => String(headers['webhook-id']));
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

  it('delivers each delivery once, with the same webhook-id', async () => {
    await ended(40, 'failed');
    await ended(5, 'delivered');
    const ids = await idsOf();
    const response = await redeliver({ shop_id: shop.id });
    expect([response.status, dataOf(response)]).toEqual([202, { count: 40 }]);
    await startWorker();
    await redelivered();
    await eventually(async () => expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 45, failed: 0 }));
    expect(new Set(idsReceived()).size).toBe(40);
    expect(receiver.requests).toHaveLength(40);
    expect(await idsOf()).toEqual(ids);
  });

  it('delivers each finished delivery of a replay once, and none outside the time range', async () => {
    await ended(20, 'failed');
    await ended(10, 'delivered');
    const [from, to] = [4_000, 3_000].map((seconds) => new Date(Date.now() - seconds * 1_000).toISOString());
    const replay = (span: object) => client.post(`/webhooks/shop/${shop.id}/replay`, span);
    expect(dataOf(await replay({ from: to, to: new Date().toISOString() }))).toEqual({ count: 0 });
    expect(dataOf(await replay({ from, to }))).toEqual({ count: 30 });
    expect(dataOf(await replay({ from, to }))).toEqual({ count: 30 });
    await startWorker();
    await redelivered();
    await eventually(async () => expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 30, failed: 0 }));
    expect(new Set(idsReceived()).size).toBe(30);
    expect(receiver.requests).toHaveLength(30);
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
    await startWorker();
    await redelivered();
    const kept = `SELECT b.traceparent FROM all_deliveries d JOIN webhook_bodies b ON b.delivery_id = d.id AND
      b.day = (now() AT TIME ZONE 'UTC')::date WHERE d.shop_id = $1 ORDER BY b.traceparent`;
    expect(await query(kept, [shop.id])).toEqual(traces);
    await query('DELETE FROM webhook_bodies');
  });

  it('delivers each delivery once for repeated requests', async () => {
    await ended(60, 'delivered');
    const filter = { shop_id: shop.id, status: 'delivered' };
    await Promise.all([redeliver(filter), redeliver(filter)]);
    let again: ReturnType<typeof redeliver> | undefined;
    // the job cannot end before this request: only a few deliveries wait for an answer
    receiver.respondWith(async () => (await (again ??= redeliver(filter)), 200));
    await startWorker();
    await redelivered();
    expect((await again!).status).toBe(202);
    await eventually(async () => expect((await counts()).delivered).toBe(60));
    expect(receiver.requests).toHaveLength(60);
  });

  it('sends deliveries that failed during a running request with the same filter', async () => {
    let [seen, isHeld] = [0, true];
    let end = (): void => undefined;
    const isOver = new Promise<void>((resolve) => (end = resolve));
    receiver.respondWith(async () => {
      if (++seen <= 5) return 410; // sent again, and failed again
      if (isHeld) await isOver;
      return 200;
    });
    await ended(60, 'failed');
    await redeliver({ shop_id: shop.id });
    await startWorker();
    const failedAgain = `SELECT id FROM webhook_deliveries WHERE shop_id = $1 AND last_attempt_at > now() - interval '10 minutes'`;
    await eventually(async () => expect(await query(failedAgain, [shop.id])).toHaveLength(5));
    await query(
      `UPDATE webhook_deliveries SET last_attempt_at = now() WHERE id IN (
        SELECT id FROM webhook_deliveries WHERE shop_id = $1 ORDER BY id DESC LIMIT 3)`,
      [shop.id],
    );
    await ended(4, 'failed');
    const [before] = await query<{ failed: number }>(
      `SELECT count(*)::int AS failed FROM webhook_deliveries WHERE shop_id = $1`,
      [shop.id],
    );
    const { count } = dataOf<{ count: number }>(await redeliver({ shop_id: shop.id }));
    expect(count).toBeLessThanOrEqual(before!.failed);
    expect(count).toBeGreaterThanOrEqual(5 + 3 + 4);
    isHeld = false;
    end();
    await redelivered();
    await eventually(async () => expect(await counts()).toEqual({ waiting: 0, failing: 0, delivered: 64, failed: 0 }));
    expect(receiver.requests).toHaveLength(64 + 5);
  });

  it('sends deliveries that succeeded during a running request, and repeats none of that request', async () => {
    const end = holdAfter(5);
    await ended(60, 'delivered');
    const filter = { shop_id: shop.id, status: 'delivered' };
    expect(dataOf(await redeliver(filter))).toEqual({ count: 60 });
    await startWorker();
    await eventually(() => receiver.requests.length > 5);
    await ended(4, 'delivered');
    const { count } = dataOf<{ count: number }>(await redeliver(filter));
    expect([count >= 4, count <= 64 - 5]).toEqual([true, true]);
    end();
    await redelivered();
    await eventually(() => receiver.requests.length === 64);
    await eventually(async () => expect((await counts()).delivered).toBe(64));
    expect(new Set(idsReceived()).size).toBe(64);
    expect(receiver.requests).toHaveLength(64);
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

  it('redelivers a few at a time, so that new deliveries are not delayed', async () => {
    const end = holdAfter(20, (request) => !request.body.includes('"payment"'));
    await ended(150, 'failed');
    await redeliver({ shop_id: shop.id });
    await startWorker();
    await eventually(() => receiver.requests.length > 20);
    const payment = await merchant.pay(flowName, { webhook_endpoint: `${receiver.url}/hooks` });
    let most = 0;
    await eventually(async () => {
      most = Math.max(most, (await counts()).waiting);
      expect(await api.deliveriesOf(payment.id)).toHaveLength(2);
      const fresh = await query(`SELECT 1 FROM webhook_deliveries WHERE payment_id = $1 AND status = 'delivered'`, [
        payment.id,
      ]);
      expect(fresh).toHaveLength(2);
    });
    expect((await counts()).failed).toBeGreaterThan(0);
    end();
    // two new deliveries in addition to the redelivered ones
    expect(most).toBeLessThanOrEqual(MAX_WAITING + 2);
  });

  it('limits the rate of a merchant, and of all merchants to twice that', async () => {
    const otherMerchants = [await api.loginAsAnotherMerchant(), await api.loginAsAnotherMerchant()];
    const otherShops = await Promise.all(otherMerchants.map((each) => new Merchant(each).createShop(`other ${shops}`)));
    for (const each of [shop, ...otherShops]) await ended(20, 'failed', each);
    for (const caller of [client, ...otherMerchants]) await redeliver({}, caller);
    await startWorker({ WEBHOOK_REDELIVERIES_PER_SECOND: '2' });
    const polls: { seconds: number; redelivered: number; most: number }[] = [];
    await eventually(async () => {
      const [poll] = await query<{ seconds: number; redelivered: number; most: number }>(
        `SELECT extract(epoch FROM clock_timestamp() - min(requested_at))::float8 AS seconds,
          sum(redelivered)::int AS redelivered, max(redelivered)::int AS most,
          -- a new delivery, so that the pace is not idle
          nextval('webhook_deliveries_id_seq')
        FROM webhook_redeliveries`,
      );
      polls.push(poll!);
      return poll!.redelivered >= 8;
    });
    for (const { seconds, redelivered: total, most } of polls) {
      expect(most).toBeLessThanOrEqual(seconds * 2 + 1);
      expect(total).toBeLessThanOrEqual(seconds * 4 + 1);
    }
  });

  it('continues where a worker stopped', async () => {
    const end = holdAfter(10);
    await ended(100, 'failed');
    await redeliver({ shop_id: shop.id });
    const first = await startWorker();
    await eventually(() => receiver.requests.length > 10);
    const stopped = first.stop();
    end();
    await stopped;
    expect((await counts()).failed).toBeGreaterThan(0);
    await forgetWorkers(api.database.pool);
    await startWorker();
    await redelivered();
    await eventually(async () => expect((await counts()).delivered).toBe(100));
    expect(new Set(idsReceived()).size).toBe(100);
  });

  it('continues for other merchants while one merchant’s deliveries are locked, and for that one afterwards', async () => {
    await ended(2, 'failed');
    const otherMerchant = await api.loginAsAnotherMerchant();
    const otherShop = await new Merchant(otherMerchant).createShop(`other ${shops}`);
    await ended(OTHERS, 'failed', otherShop);
    await redeliver();
    await redeliver({}, otherMerchant);
    const holder = await api.database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM webhook_deliveries WHERE shop_id = $1 FOR UPDATE', [shop.id]);
      // each step for the locked shop waits 50 ms, and the pause until the next step is nine times as long
      await startWorker({}, 50);
      await eventually(() => receiver.requests.length === OTHERS);
      expect(await counts()).toMatchObject({ failed: 2, delivered: 0 });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    await redelivered();
    await eventually(async () => expect((await counts()).delivered).toBe(2));
    expect(receiver.requests).toHaveLength(OTHERS + 2);
  });

  it('pauses while a receiver fails', async () => {
    receiver.respondWith(500);
    await ended(MAX_FAILING + 100, 'failed');
    await redeliver({ shop_id: shop.id });
    await startWorker({ WEBHOOK_RETRY_DELAYS_MS: '600000' });
    await eventually(async () => expect((await counts()).failing).toBeGreaterThanOrEqual(MAX_FAILING));
    const steppedAt = async (): Promise<number> =>
      (await query<{ at: number }>('SELECT extract(epoch FROM stepped_at)::float8 AS at FROM webhook_redeliveries'))[0]!
        .at;
    const before = await steppedAt();
    // a further step runs, and redelivers nothing
    await eventually(async () => expect(await steppedAt()).toBeGreaterThan(before + 1));
    const { waiting, failing, failed } = await counts();
    // on a machine so slow that there was no new delivery for ten seconds, the pace is idle
    expect(waiting + failing).toBeLessThanOrEqual(MAX_FAILING + MAX_WAITING_IDLE);
    expect(failed).toBeGreaterThan(0);
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
    await startWorker();
    await eventually(async () => expect((await counts()).delivered).toBe(3));
    await redelivered();
  });
});
