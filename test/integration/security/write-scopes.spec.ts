import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient, ApiResponse } from '../../support/app/api-client.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { endDeliveries } from '../../support/app/end-deliveries.js';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';

const HOOK = 'http://127.0.0.1:4000/hooks/path-of-the-address?key=query';
const ELSEWHERE = 'http://127.0.0.1:4001/elsewhere';
const CUSTOMER = { email: 'victim@example.com', phone: '+49 151 12345678', address: 'Secret Street 1' };
/** Fields that another caller gave with the payment. */
const PRIVATE = /victim|49 151|Secret|private|path-of|holder/;

let api: TestApi;
let all: Merchant;
let shop: ShopAnswer;
let made = 0;

beforeAll(async () => {
  api = await sharedApi();
  all = new Merchant(await api.login());
  shop = await all.createShop('Berlin');
  await all.createFlow('checkout', [shop.id]);
});
afterAll(() => api.stop());

const aPayment = async (fields: Record<string, unknown> = {}): Promise<PaymentAnswer> => {
  const reference = `user-${++made}`;
  const customer = { ...CUSTOMER, reference };
  const payment = await all.pay('checkout', {
    customer,
    metadata: { note: 'private' },
    webhook_endpoint: HOOK,
    ...fields,
  });
  await api.database.pool.query('UPDATE payments SET provider_metadata = $2 WHERE id = $1', [
    payment.id,
    { holder: 'x' },
  ]);
  return payment;
};
const customerOf = ({ customer }: PaymentAnswer) => customer as { id: number; reference: string };
const refusalOf = ({ status, body, headers }: ApiResponse) => [
  status,
  (body as { code: string }).code,
  headers.get('www-authenticate'),
];
const lacks = (scope: string) => [403, 'insufficient_scope', expect.stringContaining(`scope="${scope}"`)];

describe('A token with payments:write only', () => {
  let narrow: Merchant;
  let client: ApiClient;
  beforeAll(async () => {
    client = await api.login('payments:write');
    narrow = new Merchant(client);
  });

  it.each([
    ['sync', {}],
    ['sync', { payment_method: { token: 'tok_requires_action' }, return_url: 'https://shop.example/private' }],
    ['refund', {}],
    ['capture', { capture: 'manual' }],
    ['cancel', { payment_method: { token: 'tok_pending' } }],
  ])('gets the state of the payment from %s, and no fields of other callers (case %#)', async (action, fields) => {
    const payment = await aPayment(fields);
    const answer = await client.post<{ data: PaymentAnswer }>(`/payments/${payment.id}/${action}`);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).not.toMatch(PRIVATE);
    const { id, amount, currency, shop: at } = payment;
    const customer = { id: customerOf(payment).id };
    const withheld = { metadata: {}, provider_metadata: {}, webhook_endpoint: null, next_action: null };
    expect(answer.body.data).toMatchObject({ id, amount, currency, shop: at, ...withheld });
    expect(answer.body.data.customer).toEqual(customer);
    const whole = dataOf<PaymentAnswer>(await all.api.post(`/payments/${payment.id}/sync`));
    expect(whole).toEqual(await all.payment(payment.id));
    expect(whole.customer).toMatchObject(CUSTOMER);
  });

  it('gets its own request back', async () => {
    const fields = { customer: CUSTOMER, metadata: { mine: 1 }, webhook_endpoint: HOOK };
    expect(await narrow.pay('checkout', fields)).toMatchObject(fields);
  });

  it('reads no customer by customer_id or reference, in any response', async () => {
    const known = customerOf(await aPayment());
    const decline = { payment_method: { token: 'tok_decline' } };
    const byId = await narrow.pay('checkout', { customer_id: known.id, ...decline });
    expect(byId.customer).toEqual({ id: known.id });
    const customer = { reference: known.reference, city: 'London' };
    const byReference = await narrow.pay('checkout', { customer, ...decline });
    expect(byReference.customer).toEqual({ id: known.id, ...customer });
  });

  it('reads no customer from a response stored under a key of a wider token of its client', async () => {
    const { id } = customerOf(await aPayment());
    const key = { 'idempotency-key': `key-${made}` };
    const first = await all.tryPay('checkout', { customer_id: id }, key);
    expect(dataOf<PaymentAnswer>(first).customer).toMatchObject(CUSTOMER);
    const again = await narrow.tryPay('checkout', { customer_id: id }, key);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(dataOf<PaymentAnswer>(again)).toEqual({ ...dataOf<PaymentAnswer>(first), customer: { id } });
    expect((await all.tryPay('checkout', { customer_id: id }, key)).body).toEqual(first.body);
  });

  it('sends no existing customer to another address', async () => {
    const known = customerOf(await aPayment());
    const before = await all.api.get('/payments');
    for (const fields of [{ customer_id: known.id }, { customer: { reference: known.reference } }]) {
      const answer = await narrow.tryPay('checkout', { ...fields, webhook_endpoint: ELSEWHERE });
      expect(refusalOf(answer)).toEqual(lacks('payments:read'));
    }
    expect((await all.api.get('/payments')).body).toEqual(before.body);
    const both = new Merchant(await api.login('payments:write payments:read'));
    const payment = await both.pay('checkout', { customer_id: known.id, webhook_endpoint: HOOK });
    expect(payment.customer).toMatchObject(CUSTOMER);
  });
});

describe('A token with webhooks:write only', () => {
  it('repeats a delivery to the same address without seeing the path, and to no other address', async () => {
    const client = await api.login('webhooks:write');
    const payment = await aPayment();
    await endDeliveries(api.database.pool, 'payment_id = $1', [payment.id], { status: 'failed' });
    const [delivery] = await api.deliveriesOf(payment.id);
    const path = `/webhooks/deliveries/${delivery!.id}/retry`;
    expect(refusalOf(await client.post(path, { webhook_endpoint: ELSEWHERE }))).toEqual(lacks('webhooks:read'));
    const { rows } = await api.database.pool.query<{ webhook_endpoint: string }>(
      'SELECT webhook_endpoint FROM all_deliveries WHERE payment_id = $1',
      [payment.id],
    );
    expect(new Set(rows.map((row) => row.webhook_endpoint))).toEqual(new Set([HOOK]));
    const answer = await client.post(path);
    expect(answer.status).toBe(202);
    expect(dataOf(answer)).toMatchObject({ payment_id: payment.id, webhook_endpoint: 'http://127.0.0.1:4000' });
    expect(JSON.stringify(answer.body)).not.toMatch(PRIVATE);
  });

  it('repeats a delivery to another address together with webhooks:read', async () => {
    const client = await api.login('webhooks:write webhooks:read');
    const payment = await aPayment();
    await endDeliveries(api.database.pool, 'payment_id = $1', [payment.id], { status: 'failed' });
    const [delivery] = await api.deliveriesOf(payment.id);
    const answer = await client.post(`/webhooks/deliveries/${delivery!.id}/retry`, { webhook_endpoint: ELSEWHERE });
    expect(dataOf(answer)).toMatchObject({ webhook_endpoint: ELSEWHERE });
  });
});

describe('A token with flows:write only', () => {
  const definition = () => ({ strategy: 'priority', shops: [{ shop_id: shop.id }] });

  it('creates, drafts and renames, but decides not what payments use', async () => {
    const client = await api.login('flows:write');
    const made = await client.post<{ data: { id: number } }>('/flows', { name: 'of flows:write', ...definition() });
    const path = `/flows/${made.body.data.id}`;
    expect((await client.post(`${path}/versions`, definition())).status).toBe(201);
    expect((await client.patch(path, { name: 'renamed', reason: 'a better name' })).status).toBe(200);
    expect(refusalOf(await client.patch(path, { max_attempts: 2 }))).toEqual(lacks('flows:write flows:activate'));
    expect(refusalOf(await client.patch(path, { name: 'x', capture: null, strategy: 'priority' }))).toEqual(
      lacks('flows:write flows:activate'),
    );
    expect(refusalOf(await client.post(`${path}/versions/2/activate`))).toEqual(lacks('flows:activate'));
    expect(dataOf(await all.api.get(path))).toMatchObject({ name: 'renamed', version: 1, max_attempts: 1 });
  });

  it('differs from one with flows:activate, which drafts and changes nothing', async () => {
    const flow = await all.createFlow('of flows:activate', [shop.id]);
    dataOf(await all.api.post(`/flows/${flow.id}/versions`, definition()));
    const client = await api.login('flows:activate');
    const path = `/flows/${flow.id}`;
    expect(refusalOf(await client.post(`${path}/versions`, definition()))).toEqual(lacks('flows:write'));
    expect(refusalOf(await client.patch(path, { max_attempts: 2 }))).toEqual(lacks('flows:write'));
    expect(dataOf(await client.post(`${path}/versions/2/activate`))).toMatchObject({ version: 2 });
    const both = await api.login('flows:write flows:activate');
    expect(dataOf(await both.patch(path, { max_attempts: 2 }))).toMatchObject({ version: 3, max_attempts: 2 });
  });
});

describe('The webhook secret in the statistics of a shop', () => {
  it.each([
    [undefined, true],
    ['webhooks:read webhooks:secrets', true],
    ['webhooks:read', false],
    ['webhooks:read webhooks:write shops:read shops:write', false],
  ])('appears for a token with %s: %s', async (scope, isVisible) => {
    const stats = await (await api.login(scope)).get(`/webhooks/shop/${shop.id}/stats`);
    expect(dataOf(stats)).toMatchObject({ shop_id: shop.id, webhook_secret: isVisible ? shop.webhook_secret : null });
  });

  it('also needs webhooks:read', async () => {
    const answer = await (await api.login('webhooks:secrets')).get(`/webhooks/shop/${shop.id}/stats`);
    expect(refusalOf(answer)).toEqual(lacks('webhooks:read'));
  });
});
