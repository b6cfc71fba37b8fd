import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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
  api = await startApi({
    MAX_WEBHOOK_ENDPOINTS_PER_MERCHANT: '30',
    RATE_LIMIT_PER_SECOND: '10000',
    WEBHOOK_ALLOWED_NETWORKS: '',
  });
  client = await api.login();
  const merchant = new Merchant(client);
  [shop, other] = [await merchant.createShop('Berlin'), await merchant.createShop('Zürich')];
  await merchant.createFlow('one', [shop.id]);
  await merchant.pay('one', { webhook_endpoint: 'https://payments.example/hooks' });
  [payments] = dataOf(await client.get<{ data: [EndpointAnswer] }>('/webhooks/endpoints'));
});
afterAll(() => api.stop());
beforeEach(async () => {
  await api.database.pool.query(`DELETE FROM failing_endpoints`);
  for (const { id } of await list('?limit=100&kind=standing')) await client.delete(`/webhooks/endpoints/${id}`);
});

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

describe('POST and PATCH of an endpoint', () => {
  it.each<[string, object, string]>([
    ['a missing address', { url: undefined }, 'url is required'],
    [
      'a private address',
      { url: 'http://10.0.0.1/hooks' },
      'url must not point to a private, local or reserved address',
    ],
    ['credentials in the address', { url: 'https://a:b@merchant.example' }, 'url must not carry credentials'],
    ['an unknown type', { event_types: ['payment.exploded'] }, 'event_types each item must be one of'],
    ['no type', { event_types: [] }, 'event_types should not be empty'],
    ['a repeated type', { event_types: ['shop.up', 'shop.up'] }, 'event_types all items must be unique'],
    ['too large a number', { shop_ids: [2 ** 63] }, 'shop_ids each item must not be greater than 9007199254740991'],
    ['no shop', { shop_ids: [] }, 'shop_ids should not be empty'],
    ['a shop that does not exist', { shop_ids: [NONE] }, 'shop_ids[0] is not a shop of yours'],
    ['a reserved header', { headers: { Signature: 'x' } }, 'headers header "Signature" is set by the service'],
    ['a header that is no text', { headers: { 'X-A': 1 } }, 'headers header "X-A" must have a string as its value'],
    ['an incomplete auth', { auth: { type: 'basic', username: 'a' } }, 'auth.password is required'],
    [
      'an auth of another type',
      { auth: { type: 'bearer', token: 'a', username: 'b' } },
      'auth.username is not a field of',
    ],
    [
      'a private token endpoint',
      { auth: { type: 'oauth2_client_credentials', token_url: 'http://10.0.0.1', client_id: 'a', client_secret: 'b' } },
      'auth.token_url must not point to a private',
    ],
    ['a format that does not exist', { format: 'xml' }, 'format must be one of'],
    ['no requests', { max_per_second: 0 }, 'max_per_second must not be less than 1'],
    ['control characters', { description: 'a\u0000b' }, 'description'],
    ['an unknown field', { shops: [1] }, 'shops'],
  ])('refuse %s', async (_, fields, error) => {
    const before = await list('?kind=standing');
    const answers = [await client.post('/webhooks/endpoints', { url: URL, ...fields })];
    if (!('url' in fields && fields.url === undefined)) {
      const { id } = await create();
      answers.push(await client.patch(`/webhooks/endpoints/${id}`, fields));
      await client.delete(`/webhooks/endpoints/${id}`);
    }
    for (const answer of answers)
      expect(refusalOf(answer)).toEqual([422, 'validation_failed', expect.stringContaining(error)]);
    expect(await list('?kind=standing')).toEqual(before);
  });

  it('refuse the secret of another format', async () => {
    const answer = await client.post('/webhooks/endpoints', { url: URL, secret: 'short' });
    expect(refusalOf(answer)).toEqual([422, 'validation_failed', expect.stringContaining('secret must be 24 to 200')]);
  });

  it('refuse a header for Authorization next to auth, also one by one', async () => {
    const [headers, auth] = [{ Authorization: 'Token x' }, { type: 'bearer', token: 'a' }];
    const { id } = await create({ headers });
    const { id: other } = await create({ auth });
    for (const answer of [
      await client.post('/webhooks/endpoints', { url: URL, headers, auth }),
      await client.patch(`/webhooks/endpoints/${id}`, { auth }),
      await client.patch(`/webhooks/endpoints/${other}`, { headers }),
    ])
      expect(refusalOf(answer)).toEqual([422, 'validation_failed', expect.stringContaining('together with auth')]);
    expect(await change(other, { headers, auth: null })).toMatchObject({ header_names: ['Authorization'], auth: null });
  });
});

describe('PATCH /webhooks/endpoints/{id}', () => {
  it('changes only the given fields', async () => {
    const before = await create({
      description: 'one',
      headers: { 'X-A': '1' },
      shop_ids: [shop.id],
      max_per_second: 5,
    });
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

  it('changes nothing without a field', async () => {
    const { secret: _, ...created } = await create();
    expect(await change(created.id, {})).toEqual(created);
    expect(await auditOf(created.id)).toHaveLength(1);
  });

  it('needs auth and headers again for another origin, and names each that is missing', async () => {
    const [auth, headers] = [{ type: 'bearer', token: 'a-token' }, { 'X-Key': 'a-key' }];
    const [elsewhere, again] = [
      'https://elsewhere.example/hooks',
      'must be given again, or be null, for another origin',
    ];
    const both = (await create({ auth, headers })).id;
    for (const [url, given, missing] of [
      [elsewhere, {}, ['auth', 'headers']],
      [elsewhere, { auth }, ['headers']],
      [elsewhere, { headers: null }, ['auth']],
      ['http://merchant.example/hooks', {}, ['auth', 'headers']],
      ['https://merchant.example:8443/hooks', {}, ['auth', 'headers']],
    ] as [string, object, string[]][]) {
      const answer = await client.patch(`/webhooks/endpoints/${both}`, { url, ...given });
      expect(refusalOf(answer)).toEqual([422, 'validation_failed', ...missing.map((field) => `${field} ${again}`)]);
    }
    const names = ['X-Key'];
    expect(await change(both, { url: 'https://merchant.example/other' })).toMatchObject({ header_names: names });
    expect(await change(both, { url: elsewhere, auth, headers })).toMatchObject({
      url: elsewhere,
      header_names: names,
    });
    expect(await change(both, { url: URL, auth: null, headers: null })).toMatchObject({ auth: null, header_names: [] });
    expect(await change(both, { url: elsewhere })).toMatchObject({ url: elsewhere });
  });

  it('keeps both of two concurrent changes', async () => {
    const { id } = await create();
    await Promise.all([change(id, { description: 'one' }), change(id, { max_per_second: 7 })]);
    expect(await read(id)).toMatchObject({ description: 'one', max_per_second: 7 });
  });
});

describe('open_payments of GET /webhooks/endpoints/{id}', () => {
  it('counts open payments of its shops without an address, up to 10,000 open payments', async () => {
    const [all, one] = [await create(), await create({ shop_ids: [other.id] })];
    const openOf = async () => [(await read(all.id))['open_payments'], (await read(one.id))['open_payments']];
    expect([...(await openOf()), (await read(payments.id))['open_payments']]).toEqual([0, 0, null]);
    const insert = (count: number, at: ShopAnswer, status: string, address: string | null) =>
      api.database.pool.query(
        `INSERT INTO payments (merchant_id, shop_id, flow_id, flow_version, payment_session_id, payment_provider, amount,
           currency, status, created_at, updated_at, expires_at, webhook_endpoint, webhook_lane_id)
         SELECT merchant_id, id, 0, 1, 'ps_open', 'sandbox', 1, 'EUR', $3, now(), now(), now(), $4,
           CASE WHEN $4::text IS NOT NULL THEN 0 END FROM shops, generate_series(1, $1) WHERE id = $2`,
        [count, at.id, status, address],
      );
    await insert(2, shop, 'pending', null);
    await insert(1, other, 'processing', null);
    await insert(1, other, 'completed', null);
    await insert(3, other, 'processing', URL);
    expect(await openOf()).toEqual([3, 1]);
    await insert(10_000, other, 'pending', URL);
    expect(await openOf()).toEqual([null, null]);
    await api.database.pool.query(`DELETE FROM payments WHERE payment_session_id = 'ps_open'`);
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

describe('Pause and resumption', () => {
  const send = (id: number, action: string) => client.post(`/webhooks/endpoints/${id}/${action}`);

  it('change the state once', async () => {
    const { id } = await create();
    for (const action of ['pause', 'pause']) expect(dataOf(await send(id, action))).toMatchObject({ state: 'paused' });
    for (const action of ['resume', 'resume'])
      expect(dataOf(await send(id, action))).toMatchObject({ state: 'active' });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual([
      'endpoint.resumed',
      'endpoint.paused',
      'endpoint.created',
    ]);
  });

  it('make a disabled endpoint active', async () => {
    const { id } = await create();
    const disable = `UPDATE webhook_endpoints SET status = 'disabled', status_reason = 'gone' WHERE id = $1`;
    await api.database.pool.query(disable, [id]);
    expect(await read(id)).toMatchObject({ state: 'disabled', state_reason: 'gone' });
    expect(dataOf(await send(id, 'resume'))).toMatchObject({ state: 'active', state_reason: null });
  });
});

describe('GET /webhooks/endpoints', () => {
  it('returns an empty list to a merchant without endpoints', async () => {
    const { body } = await (await api.loginAsAnotherMerchant()).get('/webhooks/endpoints');
    expect(body).toEqual({ success: true, data: [], pagination: { next_cursor: null, has_more: false } });
  });

  it('lists both kinds, and filters by kind, shop and status', async () => {
    const { id: narrow } = await create({ shop_ids: [other.id] });
    const { id: wide } = await create();
    const ids = async (query: string): Promise<number[]> => (await list(`?limit=100&${query}`)).map(({ id }) => id);
    expect(await ids('')).toEqual(expect.arrayContaining([wide, narrow, payments.id]));
    expect(await ids('kind=payment')).toEqual([payments.id]);
    expect(await ids('kind=standing')).not.toContain(payments.id);
    expect((await ids(`shop_id=${shop.id}`)).filter((id) => [wide, narrow, payments.id].includes(id))).toEqual([
      wide,
      payments.id,
    ]);
    expect((await ids(`shop_id=${other.id}`)).slice(0, 2)).toEqual([wide, narrow]);
    await api.database.pool.query(
      `INSERT INTO failing_endpoints (lane_id, merchant_id, endpoint_id, origin, failing_since, announced_at)
       SELECT $1, merchant_id, $1, 'https://merchant.example', now(), now() FROM shops WHERE id = $2`,
      [wide, shop.id],
    );
    expect(await ids('status=failing')).toEqual([wide]);
    expect(await ids('status=failing&kind=payment')).toEqual([]);
  });

  it('pages through all endpoints of both kinds, each once', async () => {
    for (let count = 0; count < 3; count++) await create();
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `/webhooks/endpoints?limit=2${cursor && `&cursor=${cursor}`}`;
      const { body } = await client.get<{ data: EndpointAnswer[]; pagination: { next_cursor: string | null } }>(path);
      seen.push(...body.data.map(({ id }) => id));
      cursor = body.pagination.next_cursor;
    }
    expect(seen).toEqual((await list('?limit=100')).map(({ id }) => id));
    expect(seen.length).toBeGreaterThan(3);
  });

  it('shows the deliveries of every origin that the endpoint had as pending', async () => {
    const { id } = await create({ shop_ids: [shop.id] });
    await new Merchant(client).pay('one');
    await change(id, { url: 'https://moved.example/hooks' });
    await new Merchant(client).pay('one');
    expect(await read(id)).toMatchObject({
      origin: 'https://moved.example',
      pending: 4,
      next_attempt_at: expect.any(String),
    });
    await change(id, { url: URL });
    const { rows } = await api.database.pool.query('SELECT id FROM webhook_lanes WHERE endpoint_id = $1', [id]);
    expect(rows).toHaveLength(2);
    const parked = `UPDATE pending_deliveries SET due_at = 'infinity' WHERE endpoint_id = $1`;
    await api.database.pool.query(parked, [id]);
    expect(await read(id)).toMatchObject({ pending: 4, next_attempt_at: null, oldest_due_at: null });
  });
});

describe('The secret', () => {
  it('appears only in answers to tokens with webhooks:secrets', async () => {
    const { id, secret } = await create();
    expect((await read(id)).secret).toBe(secret);
    expect((await read(id, await api.login('webhooks:read'))).secret).toBeNull();
    expect(JSON.stringify(await list())).not.toContain(secret);
    expect((await read(payments.id)).secret).toBeNull();
  });

  it('changes at once or later, with an overlap', async () => {
    const { id, secret } = await create();
    const rotate = async (body?: object): Promise<Record<string, string>> =>
      dataOf(await client.post(`/webhooks/endpoints/${id}/rotate-secret`, body));
    const first = await rotate();
    expect(first['secret']).toMatch(SECRET);
    expect(first['secret']).not.toBe(secret);
    expect(await read(id)).toMatchObject({
      secret: first['secret'],
      secret_active_from: null,
      previous_secret_expires_at: first['previous_secret_expires_at'],
    });
    const announced = await rotate({ activate_in_seconds: 3_600, overlap_seconds: 60 });
    expect(await read(id)).toMatchObject({
      secret: first['secret'],
      secret_active_from: announced['secret_active_from'],
      previous_secret_expires_at: announced['previous_secret_expires_at'],
    });
    const own = 'a-secret-of-the-merchant-for-it';
    const last = await rotate({ secret: own, overlap_seconds: 0 });
    expect(last).toMatchObject({ secret: own, previous_secret_expires_at: null });
    expect(await rotate({ secret: own })).toMatchObject({ secret: own, previous_secret_expires_at: null });
    expect((await auditOf(id))[0]).toMatchObject({
      action: 'endpoint.secret_rotated',
      fields: [],
      details: { overlap_seconds: 86_400, activate_in_seconds: 0 },
    });
    expect(JSON.stringify(await auditOf(id))).not.toContain(own);
  });
});

const ROUTES: [string, string][] = [
  ['PATCH', ''],
  ['POST', '/pause'],
  ['POST', '/resume'],
  ['POST', '/rotate-secret'],
  ['POST', '/test'],
  ['POST', '/conformance'],
  ['DELETE', ''],
];

describe.each(ROUTES)('%s /webhooks/endpoints/{id}%s', (method, path) => {
  const send = (id: number, as = client): Promise<ApiResponse> =>
    as.request(method, `/webhooks/endpoints/${id}${path}`);

  it('returns 404 for an unknown endpoint and for one of another merchant, which stays as it is', async () => {
    const { id } = await create();
    const before = await read(id);
    const stranger = await api.loginAsAnotherMerchant();
    for (const answer of [await send(NONE), await send(id, stranger)])
      expect(refusalOf(answer)).toEqual([404, 'endpoint_not_found']);
    expect(refusalOf(await stranger.get(`/webhooks/endpoints/${id}`))).toEqual([404, 'endpoint_not_found']);
    expect(await read(id)).toEqual(before);
  });

  it('returns 409 for the address of payments', async () => {
    expect(refusalOf(await send(payments.id))).toEqual([409, 'endpoint_not_standing']);
  });

  it('requires webhooks:write', async () => {
    const { id } = await create();
    const scopes = 'webhooks:read webhooks:secrets shops:write';
    expect(refusalOf(await send(id, await api.login(scopes)))).toEqual([403, 'insufficient_scope']);
  });
});

describe('A token that only writes', () => {
  it('sets no address, where it would read what is sent', async () => {
    const writer = await api.login('webhooks:write');
    const { id } = await create();
    for (const answer of [
      await writer.post('/webhooks/endpoints', { url: URL }),
      await writer.patch(`/webhooks/endpoints/${id}`, { url: URL }),
    ])
      expect(refusalOf(answer)).toEqual([403, 'insufficient_scope']);
  });
});

describe('An endpoint', () => {
  it('takes no shop of another merchant', async () => {
    const stranger = await api.loginAsAnotherMerchant();
    const answer = await stranger.post('/webhooks/endpoints', { url: URL, shop_ids: [shop.id] });
    expect(refusalOf(answer)).toEqual([422, 'validation_failed', 'shop_ids[0] is not a shop of yours']);
  });
});

describe('The limit of endpoints', () => {
  it('holds for concurrent creations, and a deleted endpoint makes room', async () => {
    const owner = await api.loginAsAnotherMerchant();
    const creations = Array.from({ length: 36 }, () => owner.post('/webhooks/endpoints', { url: URL }));
    const answers = await Promise.all(creations);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(refusalOf(answer)).toEqual([409, 'endpoint_limit_reached']);
    const [newest] = await list('', owner);
    await owner.delete(`/webhooks/endpoints/${newest!.id}`);
    expect((await owner.post('/webhooks/endpoints', { url: URL })).status).toBe(201);
  });
});
