import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';

// Stored values, and operations with bodies of their own kind: every-operation.spec.ts sees neither.

interface Refusal {
  errors: { field: string; message: string }[];
}

let api: TestApi;
let client: ApiClient;
let shop: number;
beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  shop = (await new Merchant(client).createShop('Berlin')).id;
});
afterAll(() => api.stop());

describe('An optional field that is null', () => {
  it('counts as absent for POST /flows, except a value of the metadata', async () => {
    const use = { strategy: 'priority', shops: [shop] };
    const stored = async (name: string, whenMore: object, more: Record<string, null>): Promise<unknown> => {
      const when = { amount: { min: 5, ...more }, 'metadata.tier': { not: null, ...more }, ...whenMore };
      const unused = more['in'] === null && { priority: null, weight: null, conditions: null };
      const shops = [{ shop_id: shop, ...unused }];
      const flow = { name, strategy: 'rules', default: use, shops, rules: [{ when, use }] };
      const { id } = dataOf<{ id: number }>(await client.post('/flows', flow));
      const { shops: storedShops, rules } = dataOf<{ shops: unknown; rules: unknown }>(
        await client.get(`/flows/${id}`),
      );
      return { storedShops, rules };
    };
    const given = await stored('null given', { all: null, not: null, country: null }, { in: null, exists: null });
    expect(given).toEqual(await stored('left out', {}, {}));
    expect(JSON.stringify(given)).toContain('{"amount":{"min":5},"metadata.tier":{"not":null}}');
  });

  it('counts as absent for POST /payments, also a customer next to customer_id', async () => {
    const merchant = new Merchant(client);
    await merchant.createFlow('paid', [shop]);
    const first = await merchant.pay('paid', {
      customer: { email: 'ada@example.com', phone: null, date_of_birth: null },
    });
    expect(first.customer).toEqual({ id: expect.any(Number), email: 'ada@example.com' });
    const absent = { customer: null, country: null, metadata: null };
    const again: PaymentAnswer = await merchant.pay('paid', { ...absent, customer_id: first.customer!['id'] });
    expect(again).toMatchObject({ customer: { email: 'ada@example.com' } });
  });

  it('gives an error with its name when it is required', async () => {
    const { status, body } = await client.post<Refusal>('/payments', { flow_name: null, amount: null, currency: null });
    expect([status, body.errors.map(({ field }) => field).sort()]).toEqual([422, ['amount', 'currency', 'flow_name']]);
  });
});

describe('A repeated key', () => {
  it('makes POST /payments refuse a large body, which is parsed later', async () => {
    const body = `{"amount":1,"metadata":{"x":"${'x'.repeat(20_000)}"},"amount":2}`;
    const { status, body: problem } = await client.post<Refusal>('/payments', body);
    expect([status, problem.errors[0]?.field]).toEqual([422, 'amount']);
  });

  it.each([
    ['{"grant_type":"client_credentials","scope":"a","scope":"b"}', 'scope'],
    ['{"\\"é":1,"\\"é":1}', '??'],
  ])('makes POST /auth/token refuse the body %s with an OAuth error', async (text, name) => {
    const { status, body } = await client.post('/auth/token', text);
    const error_description = `${name} must come only once: its object has this key twice`;
    expect([status, body]).toEqual([400, { error: 'invalid_request', error_description }]);
  });

  it.each(['grant_type', 'client_id', 'client_secret', 'scope'])(
    'makes POST /auth/token refuse a form and name it: %s',
    async (name) => {
      const fields = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b', scope: 'shops:read' };
      const form = `${new URLSearchParams(fields).toString()}&${name}=${fields[name as 'scope']}`;
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status, body } = await client.post('/auth/token', form, headers);
      const expected = { error: 'invalid_request', error_description: `${name} must be one string` };
      expect([status, body]).toEqual([400, expected]);
    },
  );
});
