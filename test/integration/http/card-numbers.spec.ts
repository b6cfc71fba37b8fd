import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/app/api-client.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';

const NUMBER = '4929 0551-1740 3216';
const DIGITS = NUMBER.replace(/\D/g, '');
const SPELLINGS = [NUMBER, DIGITS, Number(DIGITS), `my card is ${DIGITS}!`];

let api: TestApi;
let client: ApiClient;
beforeAll(async () => {
  api = await sharedApi();
  client = await api.login();
  const merchant = new Merchant(client);
  await merchant.createFlow('checkout', [(await merchant.createShop('Berlin')).id]);
});
afterAll(() => api.stop());

const option = (fields: object) => ({ options: [{ provider: 'sandbox', token: 'tok_success', ...fields }] });

/** A payment method with the value in each place, and the field that the answer names. */
const PLACES: [field: string, method: (value: unknown) => unknown][] = [
  ['payment_method', (value) => value],
  ['payment_method.token', (token) => ({ token })],
  ['payment_method.type', (type) => ({ token: 'tok_success', type })],
  ['payment_method.number', (number) => ({ token: 'tok_success', number })],
  ['payment_method.card.bin', (bin) => ({ token: 'tok_success', card: { bin } })],
  ['payment_method.card.last4', (last4) => ({ token: 'tok_success', card: { last4 } })],
  ['payment_method.options.0.token', (token) => option({ token })],
  ['payment_method.options.0.account', (account) => option({ account })],
  ['payment_method.options.0.provider', (provider) => option({ provider })],
  ['payment_method.options.0.data.number', (number) => option({ data: { type: 'scheme', number } })],
  ['payment_method.options.0.data.a.0.1.b', (b) => option({ data: { a: [['x', { b }]] } })],
  ['payment_method.options.0.data', (value) => option({ data: { [String(value)]: true } })],
  ['payment_method', (value) => ({ token: 'tok_success', [String(value)]: true })],
];

async function textOfAllTables(): Promise<string> {
  const { rows: tables } = await api.database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await api.database.pool.query<{ row: string }>(
      `SELECT t::text AS row FROM ${name} t WHERE t::text LIKE ANY ($1)`,
      [[NUMBER, DIGITS, 'seen-by-tables'].map((text) => `%${text}%`)],
    );
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

// redaction.spec.ts searches logs and spans for card numbers
describe('A card number in a payment method', () => {
  it.each([
    ['POST /payments', '/payments', { amount: 10, currency: 'EUR' }, () => ({ 'idempotency-key': randomUUID() })],
    ['POST /flows/simulate', '/flows/simulate', {}, () => ({})],
  ])('makes %s refuse it in every place, and name the field without the value', async (_, path, fields, headers) => {
    for (const [field, method] of PLACES) {
      for (const value of SPELLINGS) {
        const body = { flow_name: 'checkout', ...fields, payment_method: method(value) };
        const answer = await client.post(path, body, headers());
        const errors = [{ field, message: expect.stringMatching(/^must not contain a card number/) }];
        expect([answer.status, answer.body]).toEqual([
          422,
          expect.objectContaining({ code: 'validation_failed', errors }),
        ]);
        // the random id of the request may have these digits
        expect(JSON.stringify({ ...(answer.body as object), request_id: '' })).not.toMatch(/4929|5511|3216/);
      }
    }
  });

  it('no table contains it, and its idempotency key stays free', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { flow_name: 'checkout', amount: 10, currency: 'EUR' };
    const refused = await client.post('/payments', { ...body, payment_method: option({ data: { n: NUMBER } }) }, key);
    expect(refused.status).toBe(422);
    const taken = { ...body, payment_method: option({}), metadata: { seen: 'seen-by-tables' } };
    dataOf<PaymentAnswer>(await client.post('/payments', taken, key));
    const tables = await textOfAllTables();
    expect(tables).toContain('"seen"');
    expect([tables.includes(DIGITS), tables.includes(NUMBER)]).toEqual([false, false]);
  });
});
