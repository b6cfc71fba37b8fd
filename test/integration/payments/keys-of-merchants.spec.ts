import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { KeysOfMerchants1764010900010 } from '../../../src/schema/upgrade/1764010900010-keys-of-merchants.js';
import { sharedApi, type TestApi } from '../../support/app/api-app.js';
import { ApiClient, type ApiResponse } from '../../support/app/api-client.js';
import { insertClient } from '../../support/app/insert-client.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let api: TestApi;
/** Two clients of one merchant: before and after a change of credentials. */
let before: Merchant;
let after: Merchant;

beforeAll(async () => {
  api = await sharedApi();
  const { merchantId, ...first } = await insertClient(api.database);
  const second = await insertClient(api.database, { merchantId });
  const login = async ({ id, secret }: { id: string; secret: string }) =>
    new Merchant(await ApiClient.login(api.url, id, secret));
  [before, after] = [await login(first), await login(second)];
  await before.createFlow('checkout', [(await before.createShop('A')).id]);
});
afterAll(() => api.stop());

const keyed = (key: string) => ({ 'idempotency-key': key });
const outcomeOf = ({ status, headers, body }: ApiResponse) => {
  const { data, code } = body as { data?: { id: number }; code?: string };
  return [status, headers.get('idempotent-replayed'), data?.id ?? code];
};
const pay = (merchant: Merchant, key: string, fields: Record<string, unknown> = {}) =>
  merchant.tryPay('checkout', fields, keyed(key));
const sql = (text: string, values: unknown[] = []) => api.database.pool.query(text, values);

describe('an Idempotency-Key with other credentials of the merchant', () => {
  it('charges once', async () => {
    const { id } = dataOf<PaymentAnswer>(await pay(before, 'pay'));
    expect(outcomeOf(await pay(after, 'pay'))).toEqual([201, 'true', id]);
    expect(outcomeOf(await pay(after, 'pay', { amount: 1 }))).toEqual([422, null, 'idempotency_key_reused']);
  });

  it('charges once at the same time', async () => {
    const answers = await Promise.all([before, after, before, after].map((merchant) => pay(merchant, 'at-once')));
    const ids = answers.flatMap(({ body }) => (body as { data?: PaymentAnswer }).data?.id ?? []);
    expect(new Set(ids).size).toBe(1);
  });

  it('refunds once', async () => {
    const payment = await before.pay('checkout');
    const refund = (by: Merchant, amount = 5) =>
      by.api.request('POST', `/payments/${payment.id}/refunds`, { amount }, keyed('refund'));
    const { id } = dataOf<{ id: number }>(await refund(before));
    expect(outcomeOf(await refund(after))).toEqual([201, 'true', id]);
    expect(outcomeOf(await refund(after, 6))).toEqual([422, null, 'idempotency_key_reused']);
  });

  it('saves a payment method once', async () => {
    const { customer } = await before.pay('checkout', { customer: { email: 'ada@example.com' } });
    const save = (by: Merchant) =>
      by.api.post(
        `/customers/${String(customer!['id'])}/payment-methods`,
        { options: [{ provider: 'sandbox', token: 'tok_success' }] },
        keyed('save'),
      );
    const { id } = dataOf<{ id: number }>(await save(before));
    expect(outcomeOf(await save(after))).toEqual([201, 'true', id]);
  });

  it('captures and cancels once, and refuses another request', async () => {
    const authorize = () => before.pay('checkout', { capture: 'manual' });
    const [first, second] = [await authorize(), await authorize()];
    const capture = (by: Merchant, amount: number) =>
      by.api.request('POST', `/payments/${first.id}/capture`, { amount }, keyed('capture'));
    expect(outcomeOf(await capture(before, 9))).toEqual([200, null, first.id]);
    expect(outcomeOf(await capture(after, 9))).toEqual([200, 'true', first.id]);
    expect(outcomeOf(await capture(after, 10))).toEqual([422, null, 'idempotency_key_reused']);
    const cancel = ({ id }: { id: number }) => after.api.request('POST', `/payments/${id}/cancel`, {}, keyed('cancel'));
    expect(outcomeOf(await cancel(second))).toEqual([200, null, second.id]);
    expect(outcomeOf(await cancel(second))).toEqual([200, 'true', second.id]);
    expect(outcomeOf(await cancel(first))).toEqual([422, null, 'idempotency_key_reused']);
  });

  it('a key is free again after a refused capture', async () => {
    const { id } = await before.pay('checkout', { capture: 'manual' });
    const capture = (amount: number) =>
      before.api.request('POST', `/payments/${id}/capture`, { amount }, keyed('too-much'));
    expect(outcomeOf(await capture(1_000))).toEqual([422, null, 'validation_failed']);
    expect(outcomeOf(await capture(49.9))).toEqual([200, null, id]);
  });
});

describe('an operation that takes no Idempotency-Key', () => {
  it.each([
    ['POST', '/shops'],
    ['PATCH', '/shops/1'],
    ['POST', '/flows'],
    ['POST', '/flows/simulate'],
    ['POST', '/webhooks/endpoints'],
    ['POST', '/payments/1/refund'],
    ['DELETE', '/flows/1'],
  ])('refuses one by name: %s %s', async (method, path) => {
    const { status, body } = await before.api.request(method, path, {}, keyed('any'));
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        code: 'malformed_request',
        errors: [{ field: 'Idempotency-Key', message: 'is not taken by this operation: leave the header out' }],
      }),
    ]);
  });

  it('ignores one that only reads', async () => {
    expect((await before.api.get('/payments', keyed('any'))).status).toBe(200);
  });
});

/** Runs the step, as in a database that old processes use. */
async function ownKeys({ url }: TestDatabase): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(url, 1)).initialize();
  try {
    await new KeysOfMerchants1764010900010().up(dataSource.createQueryRunner());
  } finally {
    await dataSource.destroy();
  }
}

describe('keys of the version before', () => {
  beforeAll(() => ownKeys(api.database));
  afterAll(() => sql('DROP TRIGGER idempotency_keys_merchant ON idempotency_keys; DROP FUNCTION merchant_of_key'));

  it('a repeated request finds those that its processes wrote during the upgrade', async () => {
    const { id } = dataOf<PaymentAnswer>(await pay(before, 'model'));
    await sql(
      `INSERT INTO idempotency_keys (client_id, key, request_hash, payment_id, response_body, locked_until)
        SELECT client_id, 'by-old-process', request_hash, payment_id, response_body, now() FROM idempotency_keys
        WHERE key = 'model' AND payment_id = $1`,
      [id],
    );
    expect(outcomeOf(await pay(after, 'by-old-process'))).toEqual([201, 'true', id]);
  });

  it('stay those of their clients when both used the same', async () => {
    const first = dataOf<PaymentAnswer>(await pay(before, 'twice'));
    const other = dataOf<PaymentAnswer>(await pay(after, 'model-of-other'));
    await sql(
      `INSERT INTO idempotency_keys (client_id, key, request_hash, payment_id, response_body, locked_until)
        SELECT client_id, 'twice', request_hash, payment_id, response_body, now() FROM idempotency_keys
        WHERE key = 'model-of-other' AND payment_id = $1`,
      [other.id],
    );
    expect(outcomeOf(await pay(before, 'twice'))).toEqual([201, 'true', first.id]);
    expect(outcomeOf(await pay(after, 'twice'))).toEqual([201, 'true', other.id]);
  });

  it('become the merchant’s by the migration, the first of equal ones', async () => {
    const database = await createTestDatabase();
    try {
      const { merchantId, id: first } = await insertClient(database, { id: 'client a' });
      await insertClient(database, { id: 'client b', merchantId });
      for (const [client, key] of [
        [first, 'both'],
        ['client b', 'both'],
        ['client b', 'own'],
        ['unknown', 'own'],
      ]) {
        await database.pool.query(
          `INSERT INTO idempotency_keys (client_id, key, request_hash, locked_until) VALUES ($1, $2, '', now())`,
          [client, key],
        );
      }
      // twice, as after an interruption
      await ownKeys(database);
      await ownKeys(database);
      const { rows } = await database.pool.query(
        'SELECT client_id, key, merchant_id IS NOT NULL AS owned FROM idempotency_keys ORDER BY 1, 2',
      );
      expect(rows.map(Object.values)).toEqual([
        ['client a', 'both', true],
        ['client b', 'both', false],
        ['client b', 'own', true],
        ['unknown', 'own', false],
      ]);
    } finally {
      await database.drop();
    }
  });
});
