import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ApiClient } from '../support/app/api-client.js';
import { Merchant, type PaymentAnswer, dataOf } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT, type RunningService, startService } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { startTraceSink, type TraceSink } from '../support/servers/trace-sink.js';

const NUMBER = '4929 0551-1740 3216';
const DIGITS = NUMBER.replace(/\D/g, '');
const SPELLINGS = [NUMBER, DIGITS, Number(DIGITS), `my card is ${DIGITS}!`];

let database: TestDatabase;
let sink: TraceSink;
let service: RunningService;
let client: ApiClient;

beforeAll(async () => {
  [database, sink] = await Promise.all([createTestDatabase(), startTraceSink()]);
  service = await startService({
    entry: 'all',
    databaseUrl: database.url,
    env: { LOG_LEVEL: 'trace', OTEL_EXPORTER_OTLP_ENDPOINT: sink.url },
  });
  client = await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret);
  const merchant = new Merchant(client);
  const { id } = await merchant.createShop('Berlin');
  await merchant.createFlow('checkout', [id]);
});

afterAll(async () => {
  await service.kill();
  await Promise.all([sink.stop(), database.drop()]);
});

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
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    texts.push(...rows.map(({ row }) => row));
  }
  return texts.join('\n');
}

describe('a card number in a payment method', () => {
  it.each([
    ['POST /payments', '/payments', { amount: 10, currency: 'EUR' }],
    ['POST /flows/simulate', '/flows/simulate', {}],
  ])('%s refuses a card number in every place, and names the field without the value', async (_, path, fields) => {
    for (const [field, method] of PLACES) {
      for (const value of SPELLINGS) {
        const headers = { 'idempotency-key': randomUUID() };
        const answer = await client.post(
          path,
          { flow_name: 'checkout', ...fields, payment_method: method(value) },
          headers,
        );
        expect([answer.status, answer.body]).toEqual([
          422,
          expect.objectContaining({
            code: 'validation_failed',
            errors: [{ field, message: expect.stringMatching(/^must not contain a card number/) }],
          }),
        ]);
        // the random id of the request may have these digits
        expect(JSON.stringify({ ...(answer.body as object), request_id: '' })).not.toMatch(/4929|5511|3216/);
      }
    }
  });

  it('tables, log lines and spans never have it, and its idempotency key stays free', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const body = { flow_name: 'checkout', amount: 10, currency: 'EUR' };
    const refused = await client.post('/payments', { ...body, payment_method: option({ data: { n: NUMBER } }) }, key);
    expect(refused.status).toBe(422);
    const { id } = dataOf<PaymentAnswer>(
      await client.post('/payments', { ...body, payment_method: option({}), metadata: { seen: 'yes' } }, key),
    );
    await eventually(() => expect(sink.named('payment.insert', ['payment.id', id]).length).toBeGreaterThan(0));
    const tables = await textOfAllTables();
    expect(tables).toContain('"seen"');
    expect(await service.stop()).toBe(0);
    const logs = service.logs();
    expect(logs.split('"msg":"request"').length).toBeGreaterThan(PLACES.length * SPELLINGS.length);
    for (const text of [tables, logs, sink.text()]) {
      expect([text.includes(DIGITS), text.includes(NUMBER), text.includes(encodeURIComponent(NUMBER))]).toEqual([
        false,
        false,
        false,
      ]);
    }
  });
});
