import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { EndpointOutcomes } from '../../../src/webhooks/endpoint/health/endpoint-outcomes.js';
import { ALARM_REASONS } from '../../../src/shared/alarm.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { eventually } from '../../support/eventually.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';
import { HOUR_MS, earlyIn } from '../../support/early-in.js';

interface Counts {
  approved: number;
  declined: number;
  failed: number;
}

interface OverviewAnswer {
  at: string;
  approvals: { from: string; shops: (Counts & { shop_id: number; shop_name: string; hours: Counts[] })[] };
  deliveries: { from: string; minutes: { delivered: number; retried: number; failed: number }[] };
  open: Record<string, unknown>;
}

interface OpenWorkAnswer {
  operations: object[];
  notifications: object[];
  alarms: { id: number }[];
}

const INSERT_CELLS = `INSERT INTO approval_cells (merchant_id, by_bin, shop_id, hour, currency, country, scheme, funding,
  issuer_country, bin, outcome, decline_code, attempts, answers, answered_ms)`;

const byId = (one: { id: number }, other: { id: number }): number => one.id - other.id;

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;

beforeAll(async () => {
  api = await sharedApi();
});
afterAll(() => api.stop());

beforeEach(async () => {
  await earlyIn(HOUR_MS);
  client = await api.loginAsAnotherMerchant();
  merchant = new Merchant(client);
});

const overview = async (): Promise<OverviewAnswer> => dataOf(await client.get('/insights/overview'));
const openWork = async (): Promise<OpenWorkAnswer> => dataOf(await client.get('/insights/open-work'));
const pay = (token: string, fields: object = {}) => merchant.pay('checkout', { payment_method: { token }, ...fields });

async function createShop(): Promise<void> {
  shop = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [shop.id]);
}

const NOTHING = {
  pending_deliveries: 0,
  failed_deliveries: 0,
  oldest_due_delivery_at: null,
  failing_endpoints: 0,
  open_operations: 0,
  oldest_operation_at: null,
  waiting_notifications: 0,
  oldest_notification_at: null,
  alarms: 0,
  oldest_alarm_at: null,
};

describe('GET /insights/overview', () => {
  it('returns only times for a new merchant', async () => {
    const { approvals, deliveries, open } = await overview();
    expect(approvals.shops).toEqual([]);
    expect(deliveries.minutes).toHaveLength(60);
    expect(open).toEqual(NOTHING);
    expect(Date.parse(approvals.from) % 3_600_000).toBe(0);
  });

  it('lists the 100 shops with the most outcomes', async () => {
    await createShop();
    await api.database.pool.query(
      `WITH many AS (
        INSERT INTO shops (merchant_id, name, webhook_secret, provider, provider_credentials)
        SELECT merchant_id, 'shop ' || n, webhook_secret, provider, provider_credentials
        FROM shops, generate_series(1, 120) n WHERE id = $1 RETURNING id, merchant_id)
      ${INSERT_CELLS} SELECT merchant_id, false, id, date_trunc('hour', now(), 'UTC') - interval '2 hours', 'EUR', '', '', '', '', '',
        'approved', '', id - $1, 0, 0 FROM many`,
      [shop.id],
    );
    const { shops } = (await overview()).approvals;
    expect(shops).toHaveLength(100);
    expect(Math.min(...shops.map(({ approved }) => approved))).toBe(21);
  });

  it('counts approvals of each shop by hour, also those that no cell counts yet', async () => {
    await createShop();
    await merchant.createShop('Zürich');
    for (const token of ['tok_success', 'tok_success', 'tok_decline']) await pay(token);
    await api.database.pool.query(
      `${INSERT_CELLS} SELECT s.merchant_id, by_bin, s.id, date_trunc('hour', now(), 'UTC') - make_interval(hours => h), 'EUR', country,
        '', '', '', '', o.outcome, o.outcome, o.attempts, 0, 0
      FROM shops s, unnest(ARRAY[0, 5, 23, 24]) h, unnest(ARRAY['DE', 'FR']) country, (VALUES (false), (true)) g (by_bin),
        LATERAL (VALUES ('approved', 10 + h), ('soft_declined', 2), ('unknown', 1), ('processing', 7)) o (outcome, attempts)
      WHERE s.id = $1`,
      [shop.id],
    );
    const { approvals } = await overview();
    expect(approvals.shops.map((each) => [each.shop_name, each.approved, each.declined, each.failed])).toEqual([
      ['Berlin', 2 + 2 * (10 + 15 + 33), 1 + 2 * 6, 2 * 3],
      ['Zürich', 0, 0, 0],
    ]);
    const { hours } = approvals.shops[0]!;
    expect(hours).toHaveLength(24);
    expect([hours[23], hours[18], hours[0], hours[1]]).toMatchObject([
      { approved: 22, declined: 5 },
      { approved: 30 },
      { approved: 66 },
      { approved: 0 },
    ]);
  });

  it('counts deliveries by minute, and pending work', async () => {
    await createShop();
    await pay('tok_success', { webhook_endpoint: 'http://127.0.0.1:4001/hooks' });
    const { rows } = await api.database.pool.query<{ id: number }>('SELECT id FROM webhook_lanes WHERE shop_id = $1', [
      shop.id,
    ]);
    const outcomes = new EndpointOutcomes(api.get(Database));
    const attempt = { laneId: rows[0]!.id, deliveryId: 1, startedAt: new Date(), durationMs: 1, error: null };
    outcomes.add({ ...attempt, status: 'delivered', statusCode: 200 });
    outcomes.add({ ...attempt, status: 'pending', statusCode: 500 });
    await outcomes.beforeApplicationShutdown();
    const { deliveries, open } = await overview();
    // a new minute may have begun
    expect(deliveries.minutes.slice(-2)).toContainEqual({ delivered: 1, retried: 1, failed: 0 });
    expect(open).toMatchObject({ pending_deliveries: 2, oldest_due_delivery_at: expect.any(String) });
  });

  it.each([
    [0, 0],
    [10_000, 0],
    [10_000, 10_000],
  ])(
    'tells the oldest due delivery to an address of payments, with %d further ones, and %d of another merchant due first',
    async (more, others) => {
      await createShop();
      const now = new Date();
      await api.database.pool.query(
        `INSERT INTO pending_deliveries (due_at, lane_id, endpoint_id, payment_id, merchant_id, shop_id, created_at, body_day,
          body_bytes, event, payment_status, webhook_endpoint)
        SELECT $1::timestamptz - interval '1 day', 0, 0, n, 0, 0, now(), now()::date, 1, 'e', 'completed', '' FROM generate_series(1, $2) n`,
        [now, others],
      );
      await api.database.pool.query(
        `WITH lane AS (
        INSERT INTO webhook_lanes (shop_id, endpoint_id, merchant_id, origin)
        SELECT CASE WHEN e.id IS NULL THEN s.id END, e.id, CASE WHEN e.id IS NOT NULL THEN s.merchant_id END, 'http://a'
        FROM shops s CROSS JOIN LATERAL (VALUES (NULL::bigint), (s.id)) AS e (id) WHERE s.id = $1 RETURNING id, endpoint_id
      )
      INSERT INTO pending_deliveries (due_at, lane_id, endpoint_id, payment_id, merchant_id, shop_id, created_at, body_day, body_bytes,
        event, payment_status, webhook_endpoint)
      SELECT $2::timestamptz + d.hours * interval '1 hour', lane.id, coalesce(lane.endpoint_id, 0), 1, s.merchant_id, s.id, now(),
        now()::date, 1, 'e', 'completed', ''
      FROM shops s, (VALUES (1, false), (-3, true), (-1, false) UNION ALL SELECT 2, false FROM generate_series(1, $3))
        AS d (hours, is_standing) JOIN lane ON d.is_standing = (lane.endpoint_id IS NOT NULL)
      WHERE s.id = $1`,
        [shop.id, now, more],
      );
      const { open } = await overview();
      expect(open.pending_deliveries).toBe(Math.min(10_000, more + 3));
      expect(open.oldest_due_delivery_at).toBe(new Date(now.getTime() - HOUR_MS).toISOString());
      await api.database.pool.query('DELETE FROM pending_deliveries WHERE shop_id IN ($1, 0)', [shop.id]);
    },
  );

  it('counts the failed deliveries of the last 24 hours, without older ones and those of other merchants', async () => {
    await createShop();
    const webhookEndpoint = 'http://127.0.0.1:4001/hooks';
    for (let count = 0; count < 3; count++) await pay('tok_success', { webhook_endpoint: webhookEndpoint });
    const { pool } = api.database;
    const end = (place: number, ending: Parameters<typeof endDeliveries>[3]) =>
      endDeliveries(
        pool,
        'id = (SELECT id FROM pending_deliveries WHERE shop_id = $1 ORDER BY id LIMIT 1 OFFSET $2)',
        [shop.id, place],
        ending,
      );
    await end(0, { status: 'failed', createdAt: new Date(Date.now() - 24.1 * HOUR_MS) });
    await end(0, { status: 'failed', createdAt: new Date(Date.now() - 23.9 * HOUR_MS) });
    await end(0, { status: 'delivered' });
    await end(0, { status: 'failed' });
    expect((await overview()).open).toMatchObject({ failed_deliveries: 2, pending_deliveries: 2 });
  });

  it('counts endpoints that were announced as failing', async () => {
    await createShop();
    await api.database.pool.query(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, announced_at)
      SELECT 1000000 + n, merchant_id, id, 'http://a', now(), CASE WHEN n = 1 THEN now() END
      FROM shops, generate_series(1, 2) n WHERE id = $1`,
      [shop.id],
    );
    expect((await overview()).open).toMatchObject({ failing_endpoints: 1 });
  });

  it('counts operations without an outcome and waiting notifications, and lists them', async () => {
    await createShop();
    const payment = await pay('tok_pending');
    const unknown = { ...payment, provider_transaction_id: 'of-no-payment' };
    expect((await merchant.notify(unknown, { id: 'evt_early', status: 'completed' })).status).toBe(200);
    await eventually(async () =>
      expect((await overview()).open).toMatchObject({
        open_operations: 1,
        oldest_operation_at: expect.any(String),
        waiting_notifications: 1,
        oldest_notification_at: expect.any(String),
      }),
    );
    const { operations, notifications } = await openWork();
    expect(operations).toMatchObject([
      { payment_id: payment.id, shop_id: shop.id, shop_name: 'Berlin', kind: 'charge', state: 'pending' },
    ]);
    expect(notifications).toMatchObject([
      { shop_id: shop.id, notification_id: 'evt_early', payment_id: null, provider_transaction_id: 'of-no-payment' },
    ]);
  });

  it('lists alarms until they are acknowledged, and counts the others', async () => {
    await createShop();
    const payment = await pay('tok_success');
    const { rows } = await api.database.pool.query<{ id: number; reason: string }>(
      `INSERT INTO provider_notifications (shop_id, provider, notification_id, payment_id, status, amount, currency, data,
        outcome, reason, received_at)
      SELECT $1, 'sandbox', reason, $2, 'completed', '5', 'EUR', '{}', 'alarm', reason, now() FROM unnest($3::text[]) reason
      RETURNING id, reason`,
      [shop.id, payment.id, ALARM_REASONS],
    );
    const listed = { shop_id: shop.id, shop_name: 'Berlin', payment_id: payment.id, amount: 5 };
    const alarms = rows.map((row) => expect.objectContaining({ ...row, ...listed }));
    expect(rows.map(({ reason }) => reason)).toEqual(ALARM_REASONS);
    const stranger = await api.loginAsAnotherMerchant();
    const foreign = await stranger.post(`/providers/notifications/${rows[0]!.id}/acknowledge`);
    expect(foreign.body).toMatchObject({ status: 404 });
    expect((await openWork()).alarms.toSorted(byId)).toEqual(alarms);

    for (const { id, reason } of rows.slice(1)) {
      const first = await client.post<{ data: object }>(`/providers/notifications/${id}/acknowledge`);
      expect([first.status, first.body.data]).toMatchObject([200, { id, acknowledged_at: expect.any(String) }]);
      expect((await client.post(`/providers/notifications/${id}/acknowledge`)).body).toEqual(first.body);
      const { data } = (await client.get<{ data: object[] }>(`/audit?action=alarm.acknowledged&object_id=${id}`)).body;
      expect(data).toMatchObject([{ details: { payment_id: payment.id, reason } }]);
    }
    expect((await openWork()).alarms).toEqual(alarms.slice(0, 1));
    expect((await overview()).open).toMatchObject({ alarms: 1, oldest_alarm_at: expect.any(String) });
  });

  it('refuses to acknowledge a notification that is not an alarm, or does not exist', async () => {
    await createShop();
    const payment = await pay('tok_pending');
    await merchant.notify(payment, { id: 'evt_done', status: 'completed' });
    const { data } = (await client.get<{ data: { id: number }[] }>(`/providers/notifications?shop_id=${shop.id}`)).body;
    expect((await client.post(`/providers/notifications/${data[0]!.id}/acknowledge`)).body).toMatchObject({
      status: 409,
      code: 'not_an_alarm',
    });
    expect((await client.post('/providers/notifications/999999999/acknowledge')).body).toMatchObject({
      code: 'notification_not_found',
    });
  });

  it('reads once for concurrent requests', async () => {
    await createShop();
    const answers = await Promise.all(Array.from({ length: 10 }, () => overview()));
    expect(new Set(answers.map(({ at }) => at)).size).toBe(1);
  });
});
