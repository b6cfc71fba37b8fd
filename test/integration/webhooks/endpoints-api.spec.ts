import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../../src/platform/database/database.js';
import { type AttemptOutcome, EndpointOutcomes } from '../../../src/webhooks/endpoint/health/endpoint-outcomes.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';

interface EndpointAnswer {
  id: number;
  shop_id: number;
  origin: string;
  status: string;
  errors: object[];
  hours?: object[];
}

let api: TestApi;
let client: ApiClient;
let merchant: Merchant;
let shop: ShopAnswer;
let other: ShopAnswer;

const ORIGINS = ['http://127.0.0.1:4001', 'http://127.0.0.1:4002', 'http://127.0.0.1:4003'];

/** Creates three endpoints of one shop and one of another, each with two deliveries of a payment. No worker sends them. */
beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  merchant = new Merchant(client);
  [shop, other] = [await merchant.createShop('Berlin'), await merchant.createShop('Zürich')];
  await merchant.createFlow('one', [shop.id]);
  await merchant.createFlow('other', [other.id]);
  for (const origin of ORIGINS) await merchant.pay('one', { webhook_endpoint: `${origin}/hooks?order=1` });
  await merchant.pay('other', { webhook_endpoint: `${ORIGINS[0]}/hooks` });
});
afterAll(() => api.stop());

const list = async (query = ''): Promise<EndpointAnswer[]> =>
  dataOf(await client.get<{ data: EndpointAnswer[] }>(`/webhooks/endpoints${query}`));
const at = async (origin: string): Promise<EndpointAnswer> =>
  (await list(`?shop_id=${shop.id}`)).find((endpoint) => endpoint.origin === origin)!;

/** Counts attempts like a worker. */
async function count(laneId: number, attempts: Partial<AttemptOutcome>[]): Promise<void> {
  const outcomes = new EndpointOutcomes(api.get(Database));
  const common = { laneId, deliveryId: 1, startedAt: new Date(), durationMs: 10, error: null } as const;
  for (const attempt of attempts) outcomes.add({ ...common, status: 'delivered', statusCode: 200, ...attempt });
  await outcomes.beforeApplicationShutdown();
}

describe('GET /webhooks/endpoints', () => {
  it('lists endpoints of all shops, newest first, without path and query', async () => {
    const endpoints = await list();
    expect(endpoints.map(({ shop_id: shopId, origin }) => [shopId, origin])).toEqual([
      [other.id, ORIGINS[0]],
      ...[...ORIGINS].reverse().map((origin) => [shop.id, origin]),
    ]);
    expect(JSON.stringify(endpoints)).not.toContain('order');
  });

  it('pages through all endpoints, each once', async () => {
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await client.get<{ data: EndpointAnswer[]; pagination: { next_cursor: string | null } }>(
        `/webhooks/endpoints?limit=3${cursor}`,
      );
      seen.push(...body.data.map(({ id }) => id));
      if (body.pagination.next_cursor === null) break;
      cursor = `&cursor=${body.pagination.next_cursor}`;
    }
    expect(seen).toEqual((await list()).map(({ id }) => id));
  });

  it('shows pending deliveries and their due times before the first attempt', async () => {
    expect(await at(ORIGINS[2]!)).toMatchObject({
      status: 'healthy',
      failing_since: null,
      attempts: 0,
      success_rate: null,
      answer_ms_p50: null,
      pending: 2,
      oldest_due_at: expect.any(String),
      next_attempt_at: expect.any(String),
      errors: [],
    });
  });

  it('shows the results of the last day, in total and by hour', async () => {
    const { id } = await at(ORIGINS[0]!);
    const early = new Date(Date.now() - 60_000);
    await count(id, [
      ...Array.from({ length: 95 }, () => ({})),
      ...Array.from({ length: 2 }, () => ({ durationMs: 800 })),
      { status: 'pending', statusCode: 503, durationMs: 900, startedAt: early, deliveryId: 3 },
      { status: 'pending', statusCode: null, error: 'timeout', durationMs: 3_000, deliveryId: 7 },
      { status: 'failed', statusCode: null, error: 'timeout', errorMessage: 'late', durationMs: 3_000, deliveryId: 8 },
    ]);
    const endpoint = await at(ORIGINS[0]!);
    expect(endpoint).toMatchObject({ attempts: 100, delivered: 97, failed: 1, success_rate: 97 });
    expect(endpoint).toMatchObject({ answer_ms_p50: expect.closeTo(10, -1), answer_ms_p95: expect.closeTo(10, -1) });
    expect(endpoint.errors).toEqual([
      { code: 'timeout', attempts: 2, last_at: expect.any(String), last_delivery_id: 8, last_message: 'late' },
      { code: '503', attempts: 1, last_at: early.toISOString(), last_delivery_id: 3, last_message: null },
    ]);
    const byHour = dataOf<EndpointAnswer>(await client.get(`/webhooks/endpoints/${id}`));
    expect(byHour).toMatchObject({ id, shop_name: 'Berlin', attempts: 100 });
    expect(byHour.hours).toEqual([
      expect.objectContaining({ attempts: 100, delivered: 97, failed: 1, answer_ms_p50: expect.any(Number) }),
    ]);
  });

  it('excludes counts that are older than a day', async () => {
    const { id } = await at(ORIGINS[1]!);
    await count(id, [{}, { status: 'pending', statusCode: 500 }]);
    for (const table of ['endpoint_hours', 'endpoint_errors'])
      await api.database.pool.query(`UPDATE ${table} SET hour = hour - interval '24 hours' WHERE lane_id = $1`, [id]);
    expect(await at(ORIGINS[1]!)).toMatchObject({ attempts: 0, errors: [] });
  });

  it.each([
    [null, 'erring'],
    ['now()', 'failing'],
  ])('filters by status: announced_at %s is %s', async (announced, status) => {
    const { id } = await at(ORIGINS[1]!);
    await api.database.pool.query(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, shop_id, origin, failing_since, announced_at)
      SELECT $1, merchant_id, id, $2, now(), ${announced} FROM shops WHERE id = $3
      ON CONFLICT (lane_id) DO UPDATE SET announced_at = excluded.announced_at`,
      [id, ORIGINS[1], shop.id],
    );
    expect(await list(`?status=${status}`)).toMatchObject([{ id, status, failing_since: expect.any(String) }]);
    expect((await list('?status=healthy')).map((endpoint) => endpoint.id)).not.toContain(id);
  });

  it('shows no endpoints of another merchant', async () => {
    const otherMerchant = await api.loginAsAnotherMerchant();
    expect(dataOf(await otherMerchant.get('/webhooks/endpoints'))).toEqual([]);
    expect((await otherMerchant.get(`/webhooks/endpoints?shop_id=${shop.id}`)).status).toBe(404);
  });
});

describe('GET /webhooks/endpoints/{id}', () => {
  it('returns 404 for another merchant’s endpoint and for an unknown one', async () => {
    const { id } = await at(ORIGINS[0]!);
    const otherMerchant = await api.loginAsAnotherMerchant();
    const answers = [
      await otherMerchant.get(`/webhooks/endpoints/${id}`),
      await client.get('/webhooks/endpoints/987654321'),
    ];
    for (const { status, body } of answers) expect([status, body]).toMatchObject([404, { code: 'endpoint_not_found' }]);
  });
});
