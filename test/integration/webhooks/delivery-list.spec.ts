import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ReplicaReads } from '../../../src/platform/database/replica-reads.js';
import { LIST_DELIVERIES } from '../../../src/webhooks/history/delivery-list.queries.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';

interface Listed {
  id: number;
  shop_id: number;
  status: string;
  webhook_endpoint: string;
  created_at: string;
}

interface PageAnswer {
  data: Listed[];
  pagination: { next_cursor: string | null; has_more: boolean };
}

const HOOKS = 'http://127.0.0.1:9000/hooks';
const OTHER = 'http://127.0.0.1:9000/other';
const START = Date.parse('2026-11-21T06:00:00Z');
const at = (minute: number): string => new Date(START + minute * 60_000).toISOString();

describe('GET /webhooks/deliveries', () => {
  let api: TestApi;
  let client: ApiClient;
  let merchant: Merchant;
  let shops: ShopAnswer[];
  let made = 0;

  beforeAll(async () => {
    api = await startApi();
    client = await api.login();
    merchant = new Merchant(client);
  });
  afterAll(() => api.stop());
  beforeEach(async () => {
    shops = [await merchant.createShop(`one ${++made}`), await merchant.createShop(`two ${made}`)];
    const ours = 'merchant_id = (SELECT merchant_id FROM shops WHERE id = $1)';
    for (const table of ['pending_deliveries', 'webhook_deliveries', 'webhook_redeliveries'])
      await query(`DELETE FROM ${table} WHERE ${ours}`, [shops[0]!.id]);
  });

  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await api.database.pool.query(text, values)).rows as Row[];

  /** Creates deliveries of a shop, one per minute from `minute`, each of another payment. Returns their ids, newest first. */
  async function deliveries(
    shop: ShopAnswer,
    status: string,
    count: number,
    { endpoint = HOOKS, minute = 0 }: { endpoint?: string; minute?: number } = {},
  ): Promise<number[]> {
    const [lane] = await query<{ id: number }>(
      `INSERT INTO webhook_lanes (shop_id, origin) VALUES ($1, $2) ON CONFLICT (shop_id, origin)
       DO UPDATE SET origin = excluded.origin RETURNING id`,
      [shop.id, new URL(endpoint).origin],
    );
    const [table, due, state, value] =
      status === 'pending'
        ? ['pending_deliveries', 'due_at', 'attempts', `'0'`]
        : ['webhook_deliveries', 'delivered_at', 'status, next_attempt_at', `'${status}', NULL`];
    const rows = await query<{ id: number }>(
      `INSERT INTO ${table} (id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
        body_day, body_bytes, created_at, ${due}, ${state})
       SELECT nextval('webhook_deliveries_id_seq'), merchant_id, id, $2, 1000000 + n, 'e', 'completed', $3, now()::date, 2,
        $4::timestamptz + n * interval '1 minute', now(), ${value}
       FROM shops, generate_series(0, $5::int - 1) n WHERE id = $1 RETURNING id`,
      [shop.id, lane!.id, endpoint, at(minute), count],
    );
    return rows.map(({ id }) => id).reverse();
  }

  async function page(filter: Record<string, string | number> = {}, caller = client): Promise<PageAnswer> {
    const text = new URLSearchParams(
      Object.entries(filter).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await caller.get<PageAnswer>(`/webhooks/deliveries?${text.toString()}`);
    expect(response.status).toBe(200);
    return response.body;
  }
  const idsOf = (filter: Record<string, string | number> = {}): Promise<number[]> => walked({ limit: 100, ...filter });

  /** Returns all ids, page after page. */
  async function walked(filter: Record<string, string | number>): Promise<number[]> {
    const ids: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { data, pagination } = await page({ ...filter, ...(cursor && { cursor }) });
      ids.push(...data.map(({ id }) => id));
      cursor = pagination.next_cursor;
    }
    return ids;
  }

  it('lists deliveries of all shops, newest first, with the shop of each', async () => {
    const first = await deliveries(shops[0]!, 'failed', 2);
    const second = await deliveries(shops[1]!, 'pending', 1);
    const third = await deliveries(shops[0]!, 'delivered', 1);
    const { data, pagination } = await page();
    expect(data.map(({ id }) => id)).toEqual([...third, ...second, ...first]);
    expect(data.map(({ shop_id: id }) => id)).toEqual([shops[0]!.id, shops[1]!.id, shops[0]!.id, shops[0]!.id]);
    expect(data.map(({ status }) => status)).toEqual(['delivered', 'pending', 'failed', 'failed']);
    expect(pagination).toEqual({ next_cursor: null, has_more: false });
  });

  it.each([1, 2, 3, 7])('pages through all deliveries, %i at a time, each once', async (limit) => {
    const made: number[] = [];
    for (const [shop, status, count] of [
      [0, 'failed', 3],
      [1, 'pending', 4],
      [1, 'delivered', 1],
      [0, 'failed', 2],
      [0, 'pending', 1],
      [1, 'failed', 5],
    ] as const)
      made.unshift(...(await deliveries(shops[shop]!, status, count)));
    expect(await walked({ limit })).toEqual(made);
  });

  it('filters by shop, status, address and payment', async () => {
    const failed = await deliveries(shops[0]!, 'failed', 2);
    const pending = await deliveries(shops[0]!, 'pending', 1);
    const elsewhere = await deliveries(shops[1]!, 'failed', 1, { endpoint: OTHER });
    expect(await idsOf({ shop_id: shops[0]!.id })).toEqual([...pending, ...failed]);
    expect(await idsOf({ status: 'failed' })).toEqual([...elsewhere, ...failed]);
    expect(await idsOf({ status: 'pending' })).toEqual(pending);
    expect(await idsOf({ webhook_endpoint: OTHER })).toEqual(elsewhere);
    expect(await idsOf({ webhook_endpoint: 'http://127.0.0.1:9001/never-used' })).toEqual([]);
    expect(await idsOf({ payment_id: 1_000_001 })).toEqual([failed[0]]);
    expect(await idsOf({ payment_id: 1_000_000, shop_id: shops[1]!.id })).toEqual(elsewhere);
    expect(await idsOf({ payment_id: 1_000_000, webhook_endpoint: HOOKS, status: 'pending' })).toEqual(pending);
  });

  it('includes the start of the time range and excludes its end, also for pending deliveries', async () => {
    const failed = await deliveries(shops[0]!, 'failed', 10);
    const pending = await deliveries(shops[0]!, 'pending', 10, { minute: 10 });
    const all = [...pending, ...failed];
    const between = (from: number, to: number) => [...all].reverse().slice(from, to).reverse();
    expect(await idsOf({ from: at(2), to: at(5) })).toEqual(between(2, 5));
    expect(await idsOf({ from: at(8), to: at(13) })).toEqual(between(8, 13));
    expect(await idsOf({ from: at(18) })).toEqual(between(18, 20));
    expect(await idsOf({ to: at(1) })).toEqual(between(0, 1));
    expect(await idsOf({ from: at(8), to: at(13), payment_id: 1_000_009 })).toEqual([failed[0]]);
    expect(await walked({ from: at(3), to: at(17), limit: 2 })).toEqual(between(3, 17));
  });

  it('finds few deliveries of an address among many, across short pages', async () => {
    const [oldest] = await deliveries(shops[0]!, 'failed', 1, { endpoint: OTHER });
    await deliveries(shops[0]!, 'failed', 21_000);
    const [newest] = await deliveries(shops[0]!, 'failed', 1, { endpoint: OTHER });
    const first = await page({ webhook_endpoint: OTHER, status: 'failed' });
    expect(first.data.map(({ id }) => id)).toEqual([newest]);
    expect(first.pagination.has_more).toBe(true);
    expect(await walked({ webhook_endpoint: OTHER, status: 'failed' })).toEqual([newest, oldest]);
  });

  it('runs two statements per page for an address without deliveries', async () => {
    await deliveries(shops[0]!, 'failed', 9_000);
    await deliveries(shops[0]!, 'failed', 1, { endpoint: OTHER });
    await query(`DELETE FROM webhook_deliveries WHERE webhook_endpoint = $1`, [OTHER]);
    const asked = jest.spyOn(api.get(ReplicaReads), 'query');
    const { data, pagination } = await page({ webhook_endpoint: OTHER, status: 'failed' });
    expect([data, pagination.has_more]).toEqual([[], true]);
    expect(asked.mock.calls.filter(([{ name }]) => name === LIST_DELIVERIES.name)).toHaveLength(2);
    expect(await walked({ webhook_endpoint: OTHER, status: 'failed' })).toEqual([]);
  });

  it('finds the deliveries that POST /webhooks/redeliver counts with the same filters', async () => {
    await deliveries(shops[0]!, 'failed', 12);
    await deliveries(shops[1]!, 'failed', 6, { endpoint: OTHER });
    await deliveries(shops[1]!, 'delivered', 3);
    const filters: Record<string, string | number>[] = [
      { status: 'failed' },
      { status: 'delivered' },
      { status: 'failed', shop_id: shops[1]!.id },
      { status: 'failed', webhook_endpoint: OTHER, from: at(1), to: at(4) },
    ];
    for (const filter of filters) {
      const { count } = dataOf<{ count: number }>(
        await client.post('/webhooks/redeliver', { ...filter, dry_run: true }),
      );
      expect([filter, (await idsOf(filter)).length]).toEqual([filter, count]);
    }
  });

  it.each([
    ['status=unknown', 400],
    ['shop_id=x', 400],
    ['webhook_endpoint=nothing', 400],
    ['from=yesterday', 400],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 422],
    ['cursor=x', 400],
    ['other=1', 400],
    ['shop_id=999999999', 404],
  ])('rejects %s', async (text, status) => {
    expect(await client.get(`/webhooks/deliveries?${text}`)).toMatchObject({ status });
  });

  it('shows no deliveries of another merchant', async () => {
    await deliveries(shops[0]!, 'failed', 2);
    const otherMerchant = await api.loginAsAnotherMerchant();
    const filters: Record<string, string | number>[] = [{}, { payment_id: 1_000_000 }, { webhook_endpoint: HOOKS }];
    for (const filter of filters) expect((await page(filter, otherMerchant)).data).toEqual([]);
    expect(await otherMerchant.get(`/webhooks/deliveries?shop_id=${shops[0]!.id}`)).toMatchObject({ status: 404 });
  });

  describe('GET /webhooks/redeliveries', () => {
    const running = async (caller = client) => dataOf<object[]>(await caller.get('/webhooks/redeliveries'));

    it('lists running requests, one entry each', async () => {
      await deliveries(shops[0]!, 'failed', 2);
      await deliveries(shops[1]!, 'failed', 1, { endpoint: OTHER });
      expect(await running()).toEqual([]);
      await client.post('/webhooks/redeliver', { from: at(0), to: at(9) });
      await query('UPDATE webhook_redeliveries SET redelivered = 2 WHERE shop_id = $1', [shops[0]!.id]);
      await client.post('/webhooks/redeliver', { webhook_endpoint: OTHER });
      const common = { status: 'failed', requested_at: expect.any(String), endpoint_id: null };
      expect(await running()).toEqual([
        { ...common, shop_id: shops[1]!.id, webhook_endpoint: OTHER, from: null, to: null, redelivered: 0 },
        { ...common, shop_id: null, webhook_endpoint: null, from: at(0), to: at(9), redelivered: 2 },
      ]);
    });

    it('shows no requests of another merchant', async () => {
      await deliveries(shops[0]!, 'failed', 1);
      await client.post('/webhooks/redeliver', {});
      expect(await running(await api.loginAsAnotherMerchant())).toEqual([]);
    });
  });
});
