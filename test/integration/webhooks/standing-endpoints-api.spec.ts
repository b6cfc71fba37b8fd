import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import type { ApiClient, ApiResponse } from '../../support/app/api-client.js';
import { dataOf, Merchant, type ShopAnswer } from '../../support/app/merchant.js';

const URL = 'https://merchant.example/hooks?key=1';
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const NONE = 987_654_321;

interface EndpointAnswer {
  id: number;
  kind: string;
  url: string | null;
  shop_ids: number[] | null;
  state: string | null;
  secret?: string | null;
  [field: string]: unknown;
}

let api: TestApi;
let client: ApiClient;
let shop: ShopAnswer;
let other: ShopAnswer;
/** The address of payments of `shop`. */
let payments: EndpointAnswer;

beforeAll(async () => {
  api = await startApi({ MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT: '30' });
  client = await api.login();
  const merchant = new Merchant(client);
  [shop, other] = [await merchant.createShop('Berlin'), await merchant.createShop('Zürich')];
  await merchant.createFlow('one', [shop.id]);
  await merchant.pay('one', { webhook_endpoint: 'https://payments.example/hooks' });
  [payments] = dataOf(await client.get<{ data: [EndpointAnswer] }>('/webhooks/endpoints'));
});
afterAll(() => api.stop());

const create = async (fields: object = {}): Promise<EndpointAnswer & { secret: string }> =>
  dataOf(await client.post('/webhooks/endpoints', { url: URL, ...fields }));
const read = async (id: number, as = client): Promise<EndpointAnswer> =>
  dataOf(await as.get(`/webhooks/endpoints/${id}`));
const list = async (query = '', as = client): Promise<EndpointAnswer[]> =>
  dataOf(await as.get(`/webhooks/endpoints${query}`));
const change = async (id: number, fields: object): Promise<EndpointAnswer> =>
  dataOf(await client.patch(`/webhooks/endpoints/${id}`, fields));
const refusalOf = ({ status, body }: ApiResponse): unknown[] => {
  const { code, errors = [] } = body as { code?: string; errors?: { field: string; message: string }[] };
  return [status, code, ...errors.map(({ field, message }) => `${field} ${message}`)];
};
const auditOf = async (id: number): Promise<{ action: string; fields: string[]; details: object }[]> =>
  dataOf(await client.get(`/audit?object_type=endpoint&object_id=${id}`));

describe('POST /webhooks/endpoints', () => {
  it('creates an endpoint with defaults, and shows the generated secret', async () => {
    const { secret, ...endpoint } = await create();
    expect(secret).toMatch(SECRET);
    expect(endpoint).toMatchObject({
      kind: 'standing',
      shop_id: null,
      shop_name: null,
      origin: 'https://merchant.example',
      url: URL,
      description: null,
      shop_ids: null,
      event_types: ['payment.status_changed'],
      format: 'json',
      header_names: [],
      auth: null,
      max_per_second: null,
      redeliver_on_recovery: true,
      state: 'active',
      state_reason: null,
      status: 'healthy',
      pending: 0,
    });
    expect(await auditOf(endpoint.id)).toMatchObject([{ action: 'endpoint.created' }]);
  });

  it('takes every field, and returns no value of headers and authentication', async () => {
    const fields = {
      description: 'Order service',
      shop_ids: [shop.id],
      event_types: ['refund.created', 'dispute.opened'],
      format: 'slack',
      max_per_second: 50,
      redeliver_on_recovery: false,
    };
    const created = await create({
      ...fields,
      headers: { 'X-Environment': 'header-value' },
      auth: { type: 'basic', username: 'orders', password: 'the-password' },
      secret: 'a-secret-of-the-merchant-for-it',
    });
    const none = { token_url: null, client_id: null, scope: null };
    const shown = { ...fields, header_names: ['X-Environment'], auth: { type: 'basic', username: 'orders', ...none } };
    expect(created).toMatchObject({ ...shown, secret: 'a-secret-of-the-merchant-for-it' });
    const answers = JSON.stringify([created, await read(created.id), await list(), await auditOf(created.id)]);
    expect(answers).not.toMatch(/header-value|the-password/);
    expect(await read(created.id)).toMatchObject(shown);
  });
});

describe('PATCH /webhooks/endpoints/{id}', () => {
  it('changes only the given fields', async () => {
    const before = await create({ description: 'one', headers: { 'X-A': '1' }, shop_ids: [shop.id], max_per_second: 5 });
    const after = await change(before.id, { description: 'two', redeliver_on_recovery: false });
    const { secret: _, updated_at: __, ...same } = before;
    expect(after).toMatchObject({ ...same, description: 'two', redeliver_on_recovery: false });
    const [entry] = await auditOf(before.id);
    expect(entry).toMatchObject({ action: 'endpoint.updated', fields: ['description', 'redeliver_on_recovery'] });
  });

  it('removes what is null', async () => {
    const { id } = await create({
      ...{ description: 'one', headers: { 'X-A': '1' }, shop_ids: [other.id], max_per_second: 5 },
      auth: { type: 'bearer', token: 'a-token' },
    });
    const none = { description: null, headers: null, shop_ids: null, max_per_second: null, auth: null };
    const { headers: _, ...shown } = none;
    expect(await change(id, none)).toMatchObject({ ...shown, header_names: [] });
  });

  it('is refused for the address of payments', async () => {
    const answer = await client.patch(`/webhooks/endpoints/${payments.id}`, { description: 'x' });
    expect(refusalOf(answer)).toEqual([409, 'endpoint_not_standing']);
  });
});

describe('DELETE /webhooks/endpoints/{id}', () => {
  it('removes the endpoint from every answer', async () => {
    const { id } = await create();
    expect((await client.delete(`/webhooks/endpoints/${id}`)).status).toBe(204);
    expect(refusalOf(await client.get(`/webhooks/endpoints/${id}`))).toEqual([404, 'endpoint_not_found']);
    expect((await list()).map((endpoint) => endpoint.id)).not.toContain(id);
    expect(refusalOf(await client.delete(`/webhooks/endpoints/${id}`))).toEqual([404, 'endpoint_not_found']);
    expect((await auditOf(id))[0]).toMatchObject({ action: 'endpoint.deleted' });
  });
});

it('finds no unknown endpoint', async () => {
  expect(refusalOf(await client.get(`/webhooks/endpoints/${NONE}`))).toEqual([404, 'endpoint_not_found']);
});
