import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Statement } from '../../../src/platform/database/database.js';
import { LIST_NOTIFICATIONS, LIST_PAYMENT_NOTIFICATIONS } from '../../../src/payments/store/notification.queries.js';
import type { TestApi } from '../../support/app/api-app.js';
import { Merchant, NOTIFICATION_SECRET, type ShopAnswer } from '../../support/app/merchant.js';
import { sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let shop: ShopAnswer;

beforeAll(async () => {
  const checkout = await sharedCheckout(['Berlin']);
  ({ api, merchant } = checkout);
  [shop] = checkout.shops as [ShopAnswer];
});
afterAll(() => api.stop());

const waiting = () =>
  merchant.pay('checkout', { payment_method: { token: 'tok_pending' }, webhook_endpoint: 'http://127.0.0.1:4000/' });
const stored = async () =>
  (
    await api.database.pool.query<{ notification_id: string; outcome: string; reason: string | null }>(
      'SELECT notification_id, outcome, reason FROM provider_notifications ORDER BY id',
    )
  ).rows;

interface NotificationPage {
  data: Record<string, unknown>[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

const tryList = (query: Record<string, unknown>) =>
  merchant.api.get<NotificationPage>(
    `/providers/notifications?${new URLSearchParams(query as Record<string, string>).toString()}`,
  );
const list = async (query: Record<string, unknown>) => {
  const { status, body } = await tryList(query);
  expect(status).toBe(200);
  return body;
};

describe('a provider’s notification', () => {
  it('changes the status and is forwarded to the merchant as original_webhook', async () => {
    const payment = await waiting();
    const response = await merchant.notify(payment, { id: 'evt_1', status: 'completed', data: { a: [1] } });
    expect(response.body).toEqual({ success: true, data: { received: true } });
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    expect((await merchant.history(payment.id)).at(-1)).toMatchObject({ cause: 'provider_notification' });
    const body = JSON.parse((await api.deliveriesOf(payment.id)).at(-1)!.request_body) as Record<string, unknown>;
    expect(body['original_webhook']).toMatchObject({ provider: 'sandbox', data: { a: [1] } });
  });

  it('changes the payment once for any number of concurrent repeats', async () => {
    const payment = await waiting();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => merchant.notify(payment, { id: 'evt_many', status: 'failed' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200));
    expect((await stored()).filter((row) => row.notification_id === 'evt_many')).toHaveLength(1);
    expect((await api.deliveriesOf(payment.id)).map((delivery) => delivery.payment_status)).toEqual([
      'processing',
      'failed',
    ]);
  });

  it('gets 401 for every wrong signature, and nothing is stored', async () => {
    const payment = await waiting();
    const before = await stored();
    const body = JSON.stringify({
      id: 'evt_bad',
      provider_transaction_id: payment.provider_transaction_id,
      status: 'failed',
    });
    const right = createHmac('sha256', NOTIFICATION_SECRET).update(body).digest('hex');
    const path = `/providers/sandbox/notifications/${shop.id}`;
    const attempts: [string, string, Record<string, string>][] = [
      [path, body, {}],
      [path, body, { signature: '' }],
      [path, body, { signature: right.slice(0, -2) }],
      [path, body, { signature: '0'.repeat(64) }],
      [
        path,
        body,
        {
          signature: 'ü'
            .repeat(3)
            .normalize('NFKD')
            .replace(/[^\x20-\x7e]/g, 'u'),
        },
      ],
      [path, `${body} `, { signature: right }],
      [path, 'not json', { signature: right }],
      ['/providers/sandbox/notifications/987654', body, { signature: right }],
    ];
    for (const [url, text, headers] of attempts) {
      const response = await merchant.api.post(url, text, headers);
      expect([response.status, (response.body as { code: string }).code]).toEqual([401, 'invalid_signature']);
    }
    expect(await stored()).toEqual(before);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });

  it('gets 401 for a shop without a secret, with any signature', async () => {
    const noSecret = await merchant.createShop('Without a secret', { provider_credentials: {} });
    for (const secret of ['', 'no secret', 'undefined', NOTIFICATION_SECRET]) {
      expect((await merchant.sendNotification(noSecret.id, '{}', secret)).body).toMatchObject({
        code: 'invalid_signature',
      });
    }
  });

  it('with a valid signature gets an error that describes its fault', async () => {
    expect((await merchant.sendNotification(shop.id, 'not json')).body).toMatchObject({ code: 'malformed_json' });
    expect((await merchant.sendNotification(shop.id, '[]')).body).toMatchObject({ code: 'validation_failed' });
    const { body } = await merchant.sendNotification(shop.id, '{"id":"","status":"paid","data":1}');
    expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toEqual([
      'id',
      'provider_transaction_id',
      'status',
      'data',
    ]);
    const elsewhere = await merchant.api.post(`/providers/acme/notifications/${shop.id}`, '{}');
    expect(elsewhere.body).toMatchObject({ status: 404, code: 'provider_not_found' });
  });

  it('never reaches a payment of another shop', async () => {
    const payment = await waiting();
    const other = new Merchant(await api.loginAsAnotherMerchant());
    const theirs = await other.createShop('Theirs');
    const body = JSON.stringify({
      id: 'evt_x',
      provider_transaction_id: payment.provider_transaction_id,
      status: 'completed',
    });
    await other.sendNotification(theirs.id, body);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });

  it('succeeds with a duplicate key: the last one counts', async () => {
    const payment = await waiting();
    const about = `"provider_transaction_id":"${payment.provider_transaction_id}"`;
    const body = `{"id":"evt_twice",${about},"status":"failed","data":{"a":1,"a":2},"st\\u0061tus":"completed"}`;
    expect((await merchant.sendNotification(shop.id, body)).status).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
  });

  it('gets an error if it is too large or not storable, and nothing is stored', async () => {
    const payment = await waiting();
    const before = await stored();
    const about = `"provider_transaction_id":"${payment.provider_transaction_id}","status":"completed"`;
    const tooLarge = `{"id":"evt_large",${about},"data":{"x":"${'x'.repeat(262_144)}"}}`;
    expect((await merchant.sendNotification(shop.id, tooLarge)).body).toMatchObject({ code: 'payload_too_large' });
    const nested = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    for (const data of [nested, '{"x":"\\u0000"}', '{"x":"\\ud800"}', '{"__proto__":{}}', '{"x":1e400}']) {
      const { status, body } = await merchant.sendNotification(shop.id, `{"id":"evt_bad",${about},"data":${data}}`);
      expect([data.slice(0, 20), status, (body as { code: string }).code]).toEqual([
        data.slice(0, 20),
        422,
        'validation_failed',
      ]);
    }
    expect(await stored()).toEqual(before);
  });
});

describe('GET /providers/notifications', () => {
  let other: ShopAnswer;

  beforeAll(async () => {
    other = await merchant.createShop('Paris');
    await merchant.createFlow('paris', [other.id]);
    const payment = await merchant.pay('paris', { payment_method: { token: 'tok_pending' } });
    await merchant.notify(payment, { id: 'evt_a', status: 'failed', data: { card: '4111' } });
    await merchant.notify(payment, { id: 'evt_b', status: 'completed' });
    await merchant.sendNotification(other.id, '{"id":"evt_c","provider_transaction_id":"sbx_none","status":"failed"}');
    const second = await merchant.pay('paris', { payment_method: { token: 'tok_pending' } });
    await merchant.notify(second, { id: 'evt_d', status: 'completed' });
  });

  const idsOf = ({ data }: NotificationPage) => data.map((one) => one['notification_id']);

  it('lists notifications with their outcomes, newest first, without their data', async () => {
    const { data, pagination } = await list({ shop_id: other.id });
    expect(data).toEqual([
      expect.objectContaining({ notification_id: 'evt_d', outcome: 'applied', reason: null }),
      {
        id: expect.any(Number),
        provider: 'sandbox',
        notification_id: 'evt_c',
        provider_transaction_id: 'sbx_none',
        reference: null,
        payment_id: null,
        status: 'failed',
        outcome: 'waiting',
        reason: 'unknown_payment',
        received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        acknowledged_at: null,
      },
      expect.objectContaining({ notification_id: 'evt_b', outcome: 'ignored', reason: 'payment_is_failed' }),
      expect.objectContaining({ notification_id: 'evt_a', outcome: 'applied', payment_id: expect.any(Number) }),
    ]);
    expect(pagination).toEqual({ next_cursor: null, has_more: false });
  });

  it('filters by outcome and by payment', async () => {
    const { data } = await list({ shop_id: other.id });
    const paymentId = data.at(-1)!['payment_id'];
    expect(idsOf(await list({ shop_id: other.id, outcome: 'ignored' }))).toEqual(['evt_b']);
    expect(idsOf(await list({ shop_id: other.id, outcome: 'waiting' }))).toEqual(['evt_c']);
    expect(idsOf(await list({ shop_id: other.id, outcome: 'applied' }))).toEqual(['evt_d', 'evt_a']);
    expect(idsOf(await list({ shop_id: other.id, payment_id: paymentId }))).toEqual(['evt_b', 'evt_a']);
    expect(idsOf(await list({ shop_id: other.id, payment_id: paymentId, outcome: 'applied' }))).toEqual(['evt_a']);
    expect(idsOf(await list({ shop_id: other.id, payment_id: 999_999 }))).toEqual([]);
    expect(idsOf(await list({ shop_id: shop.id, payment_id: paymentId }))).toEqual([]);
  });

  it.each([{}, { outcome: 'applied' }])('returns every page with %j', async (filter) => {
    const all = idsOf(await list({ shop_id: other.id, ...filter }));
    const seen: unknown[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ shop_id: other.id, ...filter, limit: 1, ...(cursor && { cursor }) });
      seen.push(...idsOf(page));
      cursor = page.pagination.next_cursor;
    } while (cursor !== null && seen.length < 10);
    expect(seen).toEqual(all);
  });

  it.each([
    [{}, 'shop_id'],
    [{ shop_id: 'x' }, 'shop_id'],
    [{ shop_id: 0 }, 'shop_id'],
    [{ shop_id: '1e300' }, 'shop_id'],
    [{ shop_id: 1, payment_id: -1 }, 'payment_id'],
    [{ shop_id: 1, payment_id: '9'.repeat(30) }, 'payment_id'],
    [{ shop_id: 1, outcome: 'lost' }, 'outcome'],
    [{ shop_id: 1, limit: 101 }, 'limit'],
    [{ shop_id: 1, cursor: 'x' }, 'cursor'],
    [{ shop_id: 1, status: 'failed' }, 'status'],
  ])('refuses the query %j', async (query, field) => {
    const { status, body } = await tryList(query);
    expect([status, body]).toMatchObject([400, { code: 'malformed_request', errors: [{ field }] }]);
  });

  it('reads only one page of a long list', async () => {
    const { database } = api;
    await database.pool.query(
      `INSERT INTO provider_notifications (provider, shop_id, notification_id, provider_transaction_id, payment_id, status, data, received_at, outcome)
       SELECT 'sandbox', 1000000 + n % 50, 'n' || n, 't' || n, 1000000 + n % 2000, 'failed', '{}', now(), CASE n % 1000 WHEN 7 THEN 'ignored' ELSE 'applied' END
       FROM generate_series(1, 20000) n`,
    );
    await database.pool.query('ANALYZE provider_notifications');
    const cases: [Statement, unknown[]][] = [
      [LIST_NOTIFICATIONS, [1_000_007, ['applied', 'ignored'], Number.MAX_SAFE_INTEGER, 21]],
      [LIST_NOTIFICATIONS, [1_000_008, ['ignored'], Number.MAX_SAFE_INTEGER, 21]],
      [LIST_PAYMENT_NOTIFICATIONS, [1_000_007, ['applied', 'ignored'], Number.MAX_SAFE_INTEGER, 21, 1_000_007]],
    ];
    for (const [{ text }, values] of cases) {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${text}`,
        values,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toMatch(/provider_notifications_(shop_id_outcome_id|payment_id_id)/);
      expect(plan).not.toMatch(/Seq Scan|_pkey/);
      const removed = /Rows Removed by Filter: (\d+)/.exec(plan)?.[1] ?? '0';
      expect(Number(removed)).toBeLessThan(25);
    }
  });
});
