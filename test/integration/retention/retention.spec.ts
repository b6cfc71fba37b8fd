import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsWorkerModule } from '../../../src/payments/payments-worker.module.js';
import { WebhooksWorkerModule } from '../../../src/webhooks/webhooks-worker.module.js';
import { BLOCK } from '../../../src/platform/maintenance/id-walk.js';
import { PRUNE_ATTEMPTS, PRUNE_DELIVERIES } from '../../../src/webhooks/history/retention.queries.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { forgetWorkers } from '../../support/app/scheduled-tasks.js';
import { eventually } from '../../support/eventually.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';
import { DAY_MS, earlyIn } from '../../support/early-in.js';

@Module({ imports: [PaymentsWorkerModule, WebhooksWorkerModule] })
class WorkerFeatures {}

const UNREACHABLE = 'http://127.0.0.1:4000/';

describe('retention', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let shop: ShopAnswer;
  let laneId: number;
  let worker: Engine | undefined;
  let made = 0;

  beforeAll(async () => {
    api = await startApi();
    client = await api.login();
    merchant = new Merchant(client);
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    await earlyIn(DAY_MS);
    shop = await merchant.createShop(`shop ${++made}`);
    await merchant.createFlow(shop.name, [shop.id]);
    await query('DELETE FROM pending_deliveries');
    await query('DELETE FROM webhook_deliveries');
    await query('DELETE FROM webhook_bodies');
    await query('DELETE FROM webhook_attempts');
    const [lane] = await query<{ id: number }>(
      'INSERT INTO webhook_lanes (shop_id, origin) VALUES ($1, $2) RETURNING id',
      [shop.id, 'http://127.0.0.1:4000'],
    );
    laneId = lane!.id;
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });

  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query<Row>(text, values)).rows;

  /** Jobs are due at once, whenever a worker last did them. */
  async function startWorker(env: Record<string, string> = {}): Promise<void> {
    await forgetWorkers(api.database.pool);
    worker = await startEngine(WorkerFeatures, api.database.url, env);
  }

  /** Deliveries created, and last attempted, so many days ago; each with two attempts of that time. Answers their ids. */
  async function deliveries(count: number, days: number, status: string, lastDays = days): Promise<number[]> {
    const rows = await query<{ id: number }>(
      `WITH made AS MATERIALIZED (
        SELECT nextval('webhook_deliveries_id_seq') AS id, n, now() - $4 * interval '1 day' AS created_at,
          now() - $6 * interval '1 day' AS last_attempt_at, (now() - $6 * interval '1 day')::date AS day
        FROM generate_series(1, $3) n
      ), bodies AS (
        INSERT INTO webhook_bodies (day, delivery_id, body) SELECT day, id, '{}' FROM made
      ), pending AS (
        INSERT INTO pending_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status,
          webhook_endpoint, body_day, body_bytes, attempts, attempts_in_run, due_at, created_at, last_attempt_at)
        SELECT id, 1, $1, $2, n, 'payment.status_changed', 'completed', '${UNREACHABLE}', day, 2, 2, 2,
          now() + interval '1 day', created_at, last_attempt_at
        FROM made WHERE $5 = 'pending'
      ), ended AS (
        INSERT INTO webhook_deliveries (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status,
          webhook_endpoint, body_day, body_bytes, status, attempts, attempts_in_run, next_attempt_at, created_at,
          last_attempt_at)
        SELECT id, 1, $1, $2, n, 'payment.status_changed', 'completed', '${UNREACHABLE}', day, 2, $5, 2, 2, NULL,
          created_at, last_attempt_at
        FROM made WHERE $5 <> 'pending'
      ), attempts AS (
        INSERT INTO webhook_attempts (delivery_id, number, started_at, duration_ms, response_body)
        SELECT id, 1, created_at, 1, 'an answer' FROM made UNION ALL SELECT id, 2, last_attempt_at, 1, 'another' FROM made
      )
      SELECT id FROM made ORDER BY id`,
      [shop.id, laneId, count, days, status, lastDays],
    );
    return rows.map(({ id }) => id);
  }
  const ids = async () => (await query<{ id: number }>('SELECT id FROM all_deliveries ORDER BY id')).map((r) => r.id);
  const attempts = () =>
    query<{ delivery_id: number; number: number }>(
      'SELECT delivery_id, number FROM webhook_attempts ORDER BY delivery_id, number',
    );

  it('removes old deliveries with their attempts, and none that is pending, young or tried lately', async () => {
    await deliveries(1_300, 100, 'delivered');
    const [waiting] = await deliveries(1, 100, 'pending');
    const [retried] = await deliveries(1, 100, 'failed', 1);
    await deliveries(700, 95, 'failed');
    const [young] = await deliveries(1, 80, 'delivered');
    await startWorker({ RETENTION_ATTEMPTS_DAYS: '0' });
    await eventually(async () => expect(await ids()).toEqual([waiting, retried, young]));
    expect(await attempts()).toEqual(
      [waiting, retried, young].flatMap((id) => [1, 2].map((number) => ({ delivery_id: id, number }))),
    );
  });

  it('removes old attempts before their delivery, but none of a pending one', async () => {
    const [old] = await deliveries(1, 40, 'failed');
    const [retried] = await deliveries(1, 40, 'delivered', 1);
    const [waiting] = await deliveries(1, 40, 'pending');
    const crowd = await deliveries(600, 40, 'delivered');
    await startWorker();
    const left = [
      { delivery_id: retried, number: 2 },
      { delivery_id: waiting, number: 1 },
      { delivery_id: waiting, number: 2 },
    ];
    await eventually(async () => expect(await attempts()).toEqual(left));
    expect(await ids()).toEqual([old, retried, waiting, ...crowd]);
    expect(dataOf(await client.get(`/webhooks/deliveries/${old}`))).toMatchObject({ attempts: [], status: 'failed' });
  });

  it('lets two workers prune at once, each in blocks of ids that the other has not', async () => {
    const at = async (id: number): Promise<number> => {
      await query(`SELECT setval('webhook_deliveries_id_seq', $1)`, [id]);
      return (await deliveries(1, 100, 'delivered'))[0]!;
    };
    const [last] = await query<{ id: number }>(`SELECT nextval('webhook_deliveries_id_seq')::integer AS id`);
    const block = Math.ceil(last!.id / BLOCK);
    const [one, other, next] = [await at(block * BLOCK), await at(block * BLOCK + 10), await at((block + 1) * BLOCK)];
    const [holder, helper] = [await api.database.pool.connect(), await api.database.pool.connect()];
    const values = (after: number, limit: number) => [after, Number.MAX_SAFE_INTEGER, new Date(), limit];
    for (const { text } of [PRUNE_ATTEMPTS, PRUNE_DELIVERIES]) {
      await holder.query('BEGIN');
      expect((await holder.query(text, values(0, 1))).rows).toMatchObject([{ last_id: one, is_ours: true }]);
      const skipped = { last_id: (block + 1) * BLOCK - 1, is_ours: false, pruned: 0 };
      expect((await helper.query(text, values(0, 10))).rows).toEqual([skipped]);
      await helper.query('BEGIN');
      const { rows } = await helper.query(text, values(skipped.last_id, 10));
      expect(rows).toMatchObject([{ last_id: next, is_ours: true }]);
      await helper.query('ROLLBACK');
      await holder.query('ROLLBACK');
      expect((await helper.query(text, values(next, 10))).rows).toEqual([{ last_id: null, is_ours: true, pruned: 0 }]);
    }
    holder.release();
    helper.release();
    expect(await ids()).toEqual([one, other, next]);
  });

  describe('of bodies', () => {
    const DAY = `to_char((now() AT TIME ZONE 'UTC')::date + n, 'YYYYMMDD')`;
    const partitions = async (): Promise<number[]> => {
      const rows = await query<{ n: number }>(
        `SELECT n FROM generate_series(-400, 20) n WHERE to_regclass('webhook_bodies_' || ${DAY}) IS NOT NULL ORDER BY n`,
      );
      return rows.map(({ n }) => n);
    };
    const aPartition = (days: number) =>
      query(`DO $$ DECLARE n int := ${days}; day date := (now() AT TIME ZONE 'UTC')::date + n; BEGIN
        EXECUTE format('CREATE TABLE webhook_bodies_%s PARTITION OF webhook_bodies FOR VALUES FROM (%L) TO (%L)',
          ${DAY}, day, day + 1); END $$`);
    const AHEAD = [0, 1, 2, 3, 4, 5, 6, 7];

    it('drops the partitions of days whose time is over, and makes those of the days to come', async () => {
      await aPartition(-92);
      await aPartition(-91);
      await query(`DO $$ DECLARE n int := 5; BEGIN EXECUTE 'DROP TABLE webhook_bodies_' || ${DAY}; END $$`);
      await deliveries(3, 100, 'delivered');
      await startWorker();
      // the database may have been created before midnight, with a partition more
      const expected = [-91, ...AHEAD];
      await eventually(async () => expect((await partitions()).filter((n) => n < -30 || n >= 0)).toEqual(expected));
    });

    it('drops none that something pending refers to', async () => {
      await aPartition(-120);
      const [waiting] = await deliveries(1, 120, 'pending');
      await aPartition(-110);
      await deliveries(1, 100, 'delivered');
      await startWorker();
      const old = async () => (await partitions()).filter((n) => n < -91);
      // that partitions were looked at shows in what lies in none
      await eventually(async () => expect(await query('SELECT FROM webhook_bodies_default')).toEqual([]));
      expect(await old()).toEqual([-120, -110]);
      await endDeliveries(api.database.pool, 'id = $1', [waiting], { status: 'failed' });
      await forgetWorkers(api.database.pool);
      await eventually(async () => expect(await old()).toEqual([]));
    });

    it('keeps one without a partition while a pending delivery shares it, and removes the others', async () => {
      const [owner] = await deliveries(1, 100, 'delivered');
      const [sharing] = await deliveries(1, 100, 'pending');
      await query('UPDATE pending_deliveries SET body_id = $1 WHERE id = $2', [owner, sharing]);
      const left = async () =>
        (await query<{ id: number }>('SELECT delivery_id AS id FROM webhook_bodies')).map((r) => r.id);
      await startWorker();
      await eventually(async () => expect(await left()).toEqual([owner]));
      await endDeliveries(api.database.pool, 'id = $1', [sharing], { status: 'failed' });
      await forgetWorkers(api.database.pool);
      await eventually(async () => expect(await left()).toEqual([]));
    });

    it('never refuses one whose day has no partition', async () => {
      const [id] = await deliveries(1, 60, 'failed');
      expect(dataOf(await client.get(`/webhooks/deliveries/${id}`))).toMatchObject({ request_body: '{}' });
      expect(await query('SELECT FROM webhook_bodies_default')).toHaveLength(1);
    });

    it('copies the body to the partition of today when a delivery is retried', async () => {
      const [id] = await deliveries(1, 60, 'failed');
      expect((await client.post(`/webhooks/deliveries/${id}/retry`)).status).toBe(202);
      const found = await query(`SELECT b.body FROM webhook_bodies b JOIN pending_deliveries d ON b.delivery_id = d.id
        WHERE b.day = (now() AT TIME ZONE 'UTC')::date AND d.body_day = b.day AND d.body_id IS NULL`);
      expect(found).toEqual([{ body: '{}' }]);
    });

    it('refuses to retry a delivery whose body was removed', async () => {
      const [id] = await deliveries(1, 60, 'failed');
      await query('DELETE FROM webhook_bodies');
      expect(await client.post(`/webhooks/deliveries/${id}/retry`)).toMatchObject({
        status: 409,
        body: { code: 'delivery_erased' },
      });
    });
  });

  it('keeps all of them when the setting says so', async () => {
    const kept = await deliveries(10, 10_000, 'failed');
    await query(`INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until, created_at)
      VALUES ('c', 'old', '', now(), now() - interval '169 h')`);
    const zero = { RETENTION_DELIVERIES_DAYS: '0', RETENTION_ATTEMPTS_DAYS: '0', RETENTION_NOTIFICATIONS_DAYS: '0' };
    await startWorker(zero);
    // that jobs have run shows in the key
    await eventually(async () => expect(await query(`SELECT FROM idempotency_keys WHERE key = 'old'`)).toEqual([]));
    expect(await ids()).toEqual(kept);
    expect(await attempts()).toHaveLength(20);
  });

  it('leaves the statistics as they are; what is gone is unknown to a retry and not counted by a redelivery', async () => {
    const payment = await merchant.pay(shop.name, { webhook_endpoint: UNREACHABLE });
    const stats = async () => dataOf<Record<string, unknown>>(await client.get(`/webhooks/shop/${shop.id}/stats`));
    const before = await stats();
    expect(before).toMatchObject({ total_payments: 1, payments_with_webhooks: 1 });
    const createdAt = new Date(Date.now() - 100 * 86_400_000);
    await endDeliveries(api.database.pool, 'payment_id = $1', [payment.id], { status: 'failed', createdAt });
    const [gone] = await ids();
    const [kept] = await deliveries(1, 80, 'delivered');
    await startWorker();
    await eventually(async () => expect(await ids()).toEqual([kept]));
    expect(await client.post(`/webhooks/deliveries/${gone}/retry`)).toMatchObject({
      status: 404,
      body: { code: 'delivery_not_found' },
    });
    const span = { from: '2000-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
    expect(dataOf(await client.post(`/webhooks/shop/${shop.id}/replay`, span))).toEqual({ count: 1 });
    expect(await stats()).toMatchObject({ total_payments: 1, payments_with_webhooks: 1 });
    expect(((await stats())['recent_webhooks'] as { id: number }[]).map(({ id }) => id)).toEqual([kept]);
  });

  it('keeps an old alarm until it is acknowledged', async () => {
    await query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data,
        outcome, reason, received_at, acknowledged_at)
      SELECT 'sandbox', $1, 'alarm_' || n, 'tx', 'completed', '{}', 'alarm', 'amount_differs', now() - interval '10 years',
        CASE WHEN n = 1 THEN now() END FROM generate_series(1, 2) n`,
      [shop.id],
    );
    const left = () => query(`SELECT notification_id FROM provider_notifications WHERE outcome = 'alarm'`);
    await startWorker();
    await eventually(async () => expect(await left()).toEqual([{ notification_id: 'alarm_2' }]));
    await query(`DELETE FROM provider_notifications WHERE outcome = 'alarm'`);
  });

  it('keeps a notification that waits for its payment', async () => {
    await query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data,
        outcome, received_at)
      SELECT 'sandbox', $1, o, 'tx', 'refunded', '{}', o, now() - interval '2 days'
      FROM unnest(ARRAY['waiting', 'ignored']) o`,
      [shop.id],
    );
    const left = async () =>
      (await query<{ outcome: string }>('SELECT outcome FROM provider_notifications')).map(({ outcome }) => outcome);
    await startWorker({ RETENTION_NOTIFICATIONS_DAYS: '1' });
    await eventually(async () => expect(await left()).not.toContain('ignored'));
    expect(await left()).toEqual(['waiting']);
    await query('DELETE FROM provider_notifications');
  });

  it('removes old notifications and keys, and no others', async () => {
    await query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, status, data, outcome, received_at)
      SELECT 'sandbox', $1, 'evt_' || n, 'tx', 'completed', '{}', 'ignored',
        now() - CASE WHEN n <= 1200 THEN interval '91 days' ELSE interval '89 days' END FROM generate_series(1, 1210) n`,
      [shop.id],
    );
    await query(`INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until, created_at)
      SELECT 'c', n::text, '', now(), now() - CASE WHEN n <= 1200 THEN interval '169 h' ELSE interval '167 h' END
      FROM generate_series(1, 1210) n`);
    await startWorker();
    const left = async () => [
      (await query('SELECT FROM provider_notifications')).length,
      (await query('SELECT FROM idempotency_keys')).length,
    ];
    await eventually(async () => expect(await left()).toEqual([10, 10]));
  });
});
