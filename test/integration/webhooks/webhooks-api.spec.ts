import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { ApiClient } from '../../support/app/api-client.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { type Receiver, startReceiver } from '../../support/servers/receiver.js';

interface DeliveryAnswer {
  id: number;
  payment_id: number;
  payment_status: string;
  status: string;
  attempt_count: number;
}

interface PageAnswer {
  data: DeliveryAnswer[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

const UNKNOWN = 999_999_999;

describe('webhooks over HTTP', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let otherMerchant: ApiClient;
  let receiver: Receiver;
  let shop: ShopAnswer;
  let flowName: string;
  let shops = 0;

  beforeAll(async () => {
    [api, receiver] = await Promise.all([sharedApi(), startReceiver()]);
    client = await api.login();
    merchant = new Merchant(client);
    otherMerchant = await api.loginAsAnotherMerchant();
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

  /** Creates two deliveries, `processing` and `completed`. No worker runs, so they stay pending. */
  const pay = (): Promise<PaymentAnswer> => merchant.pay(flowName, { webhook_endpoint: `${receiver.url}/hooks` });
  const setStatus = (ids: number[], status: string) =>
    endDeliveries(api.database.pool, 'id = ANY ($1)', [ids], { status });
  const list = async (query = ''): Promise<PageAnswer> => {
    const response = await client.get<PageAnswer>(`/webhooks/shop/${shop.id}/deliveries${query}`);
    expect(response.status).toBe(200);
    return response.body;
  };

  describe('POST /webhooks/shop/{shopId}/test', () => {
    it('and tests of standing endpoints have a rate per merchant', async () => {
      const often = await api.loginAsAnotherMerchant();
      const { id: shopId } = await new Merchant(often).createShop('tests often');
      const { id } = dataOf<{ id: number }>(await often.post('/webhooks/endpoints', { url: `${receiver.url}/often` }));
      const requests = [
        () => often.post(`/webhooks/shop/${shopId}/test`, { webhook_endpoint: `${receiver.url}/often` }),
        () => often.post(`/webhooks/endpoints/${id}/test`, {}),
      ];
      const statuses: number[] = [];
      for (let test = 0; test < 120 && statuses.at(-1) !== 429; test++)
        statuses.push((await requests[test % 2]!()).status);
      expect(statuses.at(-1)).toBe(429);
      expect(statuses.length).toBeGreaterThan(20);
      expect((await requests[0]!()).headers.get('retry-after')).toBe('1');
      expect((await client.post(`/webhooks/shop/${shop.id}/test`, { webhook_endpoint: receiver.url })).status).toBe(
        200,
      );
    });

    const test = (body: unknown, caller = client, shopId = shop.id) =>
      caller.post(`/webhooks/shop/${shopId}/test`, body);

    it('sends one signed sample and reports the result', async () => {
      receiver.respondWith({ status: 202, body: 'thanks' });
      const result = dataOf<Record<string, unknown>>(await test({ webhook_endpoint: `${receiver.url}/try` }));
      const [request] = receiver.requests;
      expect(receiver.requests).toHaveLength(1);
      expect(request!.headers['webhook-test']).toBe('true');
      expect(result).toEqual({
        delivered: true,
        status_code: 202,
        duration_ms: expect.any(Number),
        error: null,
        error_message: null,
        signature: createHmac('sha256', shop.webhook_secret).update(request!.body).digest('hex'),
        request_body: request!.body.toString(),
        response_body: 'thanks',
      });
      expect(request!.headers['signature']).toBe(result.signature);
      const payload = new Webhook(shop.webhook_secret).verify(
        request!.body,
        request!.headers as Record<string, string>,
      );
      expect(request!.headers['webhook-shop-id']).toBe(String(shop.id));
      expect(payload).toMatchObject({
        event: 'payment.status_changed',
        test: true,
        payment: { id: 0, status: 'completed' },
        shop: { id: shop.id, name: shop.name },
      });
    });

    it.each([
      [500, { delivered: false, status_code: 500, error: null, response_body: 'no' }],
      [301, { delivered: false, status_code: 301, error: null, response_body: 'no' }],
    ])('reports the answer %i of a receiver as a result', async (status, expected) => {
      receiver.respondWith({ status, body: 'no' });
      expect(dataOf(await test({ webhook_endpoint: receiver.url }))).toMatchObject(expected);
      expect(receiver.requests).toHaveLength(1);
    });

    it.each([
      ['http://127.0.0.1:1/', 'forbidden_port'],
      ['http://10.0.0.1/', 'forbidden_address'],
      ['http://169.254.169.254/latest/meta-data', 'forbidden_address'],
    ])('reports the forbidden address %s as a result', async (endpoint, error) => {
      expect(dataOf(await test({ webhook_endpoint: endpoint }))).toMatchObject({
        delivered: false,
        status_code: null,
        error,
        response_body: null,
      });
    });

    it.each([
      [{}, 'webhook_endpoint'],
      [{ webhook_endpoint: 'nonsense' }, 'webhook_endpoint'],
      [{ webhook_endpoint: 'http://user:pw@example.com' }, 'webhook_endpoint'],
      [{ webhook_endpoint: 'http://example.com', more: 1 }, 'more'],
    ])('rejects %j', async (body, field) => {
      const response = await test(body);
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({ code: 'validation_failed', errors: [{ field }] });
    });

    it('returns 404 for a shop of another merchant', async () => {
      for (const response of [
        await test({ webhook_endpoint: receiver.url }, otherMerchant),
        await test({ webhook_endpoint: receiver.url }, client, UNKNOWN),
      ]) {
        expect(response).toMatchObject({ status: 404, body: { code: 'shop_not_found' } });
      }
      expect(receiver.requests).toHaveLength(0);
    });
  });

  describe('GET /webhooks/shop/{shopId}/stats', () => {
    it('returns zeros for a new shop', async () => {
      const response = await client.get(`/webhooks/shop/${shop.id}/stats`);
      expect(dataOf(response)).toEqual({
        shop_id: shop.id,
        shop_name: shop.name,
        total_payments: 0,
        payments_with_webhooks: 0,
        webhook_coverage_percentage: 0,
        recent_webhooks: [],
        webhook_secret: shop.webhook_secret,
      });
      expect(response.headers.get('cache-control')).toBe('no-store');
    });

    it('counts payments and shows the latest deliveries', async () => {
      const payments = await Promise.all([pay(), pay(), merchant.pay(flowName)]);
      const stats = dataOf<Record<string, unknown>>(await client.get(`/webhooks/shop/${shop.id}/stats`));
      expect(stats).toMatchObject({
        total_payments: 3,
        payments_with_webhooks: 2,
        webhook_coverage_percentage: 66.67,
      });
      const recent = stats.recent_webhooks as DeliveryAnswer[];
      expect(recent).toHaveLength(4);
      expect(recent.map(({ id }) => id)).toEqual(recent.map(({ id }) => id).sort((one, other) => other - one));
      expect(Object.keys(recent[0]!)).toEqual([
        'id',
        'webhook_id',
        'shop_id',
        'payment_id',
        'event',
        'payment_status',
        'endpoint_id',
        'webhook_endpoint',
        'status',
        'attempt_count',
        'attempts',
        'last_status_code',
        'last_error',
        'created_at',
        'last_attempt_at',
        'next_attempt_at',
        'delivered_at',
      ]);
      const withWebhook = payments.filter(({ webhook_endpoint: endpoint }) => endpoint !== null).map(({ id }) => id);
      expect(new Set(recent.map(({ payment_id }) => payment_id))).toEqual(new Set(withWebhook));
    });

    it('returns 404 for a shop of another merchant', async () => {
      expect((await otherMerchant.get(`/webhooks/shop/${shop.id}/stats`)).status).toBe(404);
    });
  });

  describe('GET /webhooks/shop/{shopId}/deliveries', () => {
    it('pages through all deliveries, newest first, each once', async () => {
      for (let payments = 0; payments < 4; payments++) await pay();
      const all = (await list()).data;
      await setStatus([all[1]!.id, all[4]!.id], 'delivered');
      await setStatus([all[2]!.id], 'failed');
      const seen: number[] = [];
      let cursor: string | null = null;
      do {
        const page: PageAnswer = await list(`?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
        seen.push(...page.data.map(({ id }) => id));
        cursor = page.pagination.next_cursor;
        expect(page.pagination.has_more).toBe(cursor !== null);
      } while (cursor !== null);
      expect(seen).toEqual(all.map(({ id }) => id));
      expect(seen).toHaveLength(8);
    });

    it('filters by status and payment', async () => {
      const [first, second] = [await pay(), await pay()];
      const firstDeliveries = (await list(`?payment_id=${first.id}`)).data;
      expect(firstDeliveries.map(({ payment_status: status }) => status)).toEqual(['completed', 'processing']);
      await setStatus([firstDeliveries[0]!.id], 'failed');
      expect((await list('?status=failed')).data.map(({ id }) => id)).toEqual([firstDeliveries[0]!.id]);
      expect((await list(`?status=pending&payment_id=${first.id}`)).data).toHaveLength(1);
      expect((await list(`?status=failed&payment_id=${second.id}`)).data).toEqual([]);
    });

    it.each(['?status=unknown', '?payment_id=x', '?limit=0', '?limit=101', '?cursor=x', '?other=1'])(
      'rejects %s',
      async (query) => {
        const response = await client.get(`/webhooks/shop/${shop.id}/deliveries${query}`);
        expect([400, 422]).toContain(response.status);
      },
    );

    it('shows no deliveries of another merchant', async () => {
      const payment = await pay();
      expect((await otherMerchant.get(`/webhooks/shop/${shop.id}/deliveries`)).status).toBe(404);
      const other = await merchant.createShop(`other ${shops}`);
      const response = await client.get<PageAnswer>(`/webhooks/shop/${other.id}/deliveries?payment_id=${payment.id}`);
      expect(response.body.data).toEqual([]);
    });
  });

  describe('GET /webhooks/deliveries/{id}', () => {
    it('shows the exact body and every attempt', async () => {
      await pay();
      const [latest] = (await list()).data;
      await api.database.pool.query(
        `INSERT INTO webhook_attempts VALUES ($1, 1, '2026-11-21T01:02:03.456Z', 42, 500, NULL, 'oops'), ($1, 2, now(), 3000, NULL, 'timeout', NULL)`,
        [latest!.id],
      );
      const detail = dataOf<Record<string, unknown>>(await client.get(`/webhooks/deliveries/${latest!.id}`));
      const [, stored] = await api.deliveriesOf(latest!.payment_id);
      expect(detail).toMatchObject({
        ...latest,
        request_body: stored!.request_body,
        attempts: [
          {
            number: 1,
            started_at: '2026-11-21T01:02:03.456Z',
            duration_ms: 42,
            status_code: 500,
            error: null,
            error_message: null,
            response_body: 'oops',
          },
          {
            number: 2,
            duration_ms: 3000,
            status_code: null,
            error: 'timeout',
            error_message: null,
            response_body: null,
          },
        ],
      });
    });

    it('returns 404 for an unknown delivery and for one of another merchant', async () => {
      await pay();
      const [latest] = (await list()).data;
      for (const response of [
        await client.get(`/webhooks/deliveries/${UNKNOWN}`),
        await otherMerchant.get(`/webhooks/deliveries/${latest!.id}`),
        await otherMerchant.post(`/webhooks/deliveries/${latest!.id}/retry`),
      ]) {
        expect(response).toMatchObject({ status: 404, body: { code: 'delivery_not_found' } });
      }
    });
  });

  describe('POST /webhooks/shop/{shopId}/replay', () => {
    const replay = (body: unknown, caller = client) => caller.post(`/webhooks/shop/${shop.id}/replay`, body);
    const runningStatuses = async () =>
      dataOf<{ status: string }[]>(await client.get('/webhooks/redeliveries'))
        .map(({ status }) => status)
        .sort();
    afterEach(() =>
      api.database.pool.query(
        'DELETE FROM webhook_redeliveries WHERE merchant_id = (SELECT merchant_id FROM shops WHERE id = $1)',
        [shop.id],
      ),
    );
    const allTime = { from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00+02:00' };

    it('redelivers the finished deliveries of the time range, with one status or both', async () => {
      for (let payments = 0; payments < 3; payments++) await pay();
      const ids = (await list()).data.map(({ id }) => id);
      await setStatus(ids.slice(0, 3), 'delivered');
      await setStatus(ids.slice(3, 5), 'failed');
      const failedOnly = await replay({ ...allTime, status: 'failed' });
      expect(failedOnly.status).toBe(202);
      expect(dataOf(failedOnly)).toEqual({ count: 2 });
      expect(await runningStatuses()).toEqual(['failed']);
      expect(dataOf(await replay(allTime))).toEqual({ count: 5 });
      expect(await runningStatuses()).toEqual(['delivered', 'failed']);
    });

    it('extends a running request with the same filter', async () => {
      await pay();
      await setStatus([(await list()).data[0]!.id], 'failed');
      for (const request of [allTime, allTime, { ...allTime, status: 'failed' }])
        expect(dataOf(await replay(request))).toEqual({ count: 1 });
      expect(await runningStatuses()).toEqual(['failed']);
    });

    it('allows ten running filters, including those of redeliveries', async () => {
      await pay();
      const { data } = await list();
      await setStatus([data[0]!.id], 'failed');
      await setStatus([data[1]!.id], 'delivered');
      for (let at = 1; at <= 9; at++) {
        const from = `2000-01-0${at}T00:00:00Z`;
        expect((await client.post('/webhooks/redeliver', { shop_id: shop.id, from })).status).toBe(202);
      }
      expect(await replay(allTime)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
      expect((await replay({ ...allTime, status: 'delivered' })).status).toBe(202);
    });

    it('includes the start of the time range and excludes its end, to the millisecond', async () => {
      for (let payments = 0; payments < 5; payments++) await pay();
      const ids = (await list()).data.map(({ id }) => id).reverse();
      await setStatus(ids, 'delivered');
      const start = Date.now();
      const at = (position: number) => new Date(start + position).toISOString();
      for (const [position, id] of ids.entries()) {
        await api.database.pool.query('UPDATE webhook_deliveries SET created_at = $2 WHERE id = $1', [
          id,
          at(position),
        ]);
      }
      expect(dataOf(await replay({ from: at(2), to: at(5) }))).toEqual({ count: 3 });
    });

    it.each([
      [{}, 'from'],
      [{ from: '2026-01-01T00:00:00Z' }, 'to'],
      [{ from: 'yesterday', to: '2026-01-01T00:00:00Z' }, 'from'],
      [{ from: '2026-W01-1T00:00:00Z', to: '2026-02-01T00:00:00Z' }, 'from'],
      [{ from: '2026-01-01', to: '2026-01-02T00:00:00Z' }, 'from'],
      [{ from: '2026-01-01T00:00:00', to: '2026-01-02T00:00:00Z' }, 'from'],
      [{ from: '2026-01-02T00:00:00Z', to: '2026-01-02T00:00:00Z' }, 'to'],
      [{ ...allTime, status: 'pending' }, 'status'],
      [{ ...allTime, more: 1 }, 'more'],
    ])('rejects %j', async (body, field) => {
      const response = await replay(body);
      expect(response.status).toBe(422);
      expect((response.body as { errors: { field: string }[] }).errors[0]!.field).toBe(field);
    });

    it('returns 404 for a shop of another merchant', async () => {
      expect((await replay(allTime, otherMerchant)).status).toBe(404);
    });
  });

  it.each([
    ['GET', '/webhooks/shop/1/stats'],
    ['GET', '/webhooks/shop/1/deliveries'],
    ['GET', '/webhooks/deliveries/1'],
    ['POST', '/webhooks/shop/1/test'],
    ['POST', '/webhooks/shop/1/replay'],
    ['POST', '/webhooks/deliveries/1/retry'],
    ['POST', '/webhooks/redeliver'],
  ])('require a token with the right scope for %s %s', async (method, path) => {
    expect((await new ApiClient(api.url).request(method, path)).status).toBe(401);
    const wrongScope = method === 'GET' ? 'webhooks:write' : 'webhooks:read';
    const limited = await ApiClient.login(api.url, 'merchant-one', 'secret-of-merchant-one', wrongScope);
    const body = method === 'GET' ? undefined : {};
    expect((await limited.request(method, path, body)).status).toBe(403);
  });
});
