import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import type { Merchant } from '../../support/app/merchant.js';
import { sharedCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
beforeAll(async () => {
  ({ api, merchant } = await sharedCheckout(['Berlin']));
});
afterAll(() => api.stop());

/** A payment from the time when its currency was in use. */
async function paidBefore(currency: string): Promise<number> {
  const { id } = await merchant.pay('checkout', { amount: 12.5, currency: 'EUR' });
  for (const [table, column] of [
    ['payments', 'id'],
    ['sandbox_transactions', 'payment_id'],
  ] as const) {
    await api.database.pool.query(`UPDATE ${table} SET currency = $1 WHERE ${column} = $2`, [currency, id]);
  }
  return id;
}

describe.each([
  ['BGN', 'EUR'],
  ['ANG', 'XCG'],
  ['CUC', 'CUP'],
])('%s, a withdrawn currency', (currency, successor) => {
  const refusal = {
    status: 422,
    body: {
      code: 'validation_failed',
      errors: [
        {
          field: 'currency',
          message: `must be a currency in use: ${currency} was withdrawn, its successor is ${successor}, got "${currency}"`,
        },
      ],
    },
  };

  it('causes an error that names the field for a new payment and its simulation', async () => {
    expect(await merchant.tryPay('checkout', { amount: 12.5, currency })).toMatchObject(refusal);
    const request = { flow_name: 'checkout', amount: 12.5, currency };
    expect(await merchant.api.post('/flows/simulate', request)).toMatchObject(refusal);
    expect((await merchant.pay('checkout', { amount: 12.5, currency: successor })).status).toBe('completed');
  });

  it('stays the currency of an old payment, and of its refund', async () => {
    const id = await paidBefore(currency);
    expect(await merchant.payment(id)).toMatchObject({ amount: 12.5, currency, status: 'completed' });
    const { status, body } = await merchant.api.post(`/payments/${id}/refund`, {});
    expect([status, body]).toMatchObject([200, { data: { status: 'refunded', amount: 12.5, currency } }]);
  });

  it('appears in conditions of a flow', async () => {
    const [shop] = (await merchant.api.get<{ data: { id: number }[] }>('/shops')).body.data;
    const shops = [{ shop_id: shop!.id, conditions: { currencies: [currency, successor] } }];
    const { status } = await merchant.api.post('/flows', { name: `in ${currency}`, strategy: 'round_robin', shops });
    expect(status).toBe(201);
  });
});

describe('XK', () => {
  it('works as the country of a payment, of its customer, of a simulation and of conditions', async () => {
    const customer = { email: 'ada@example.com', country_code: 'XK' };
    const payment = await merchant.pay('checkout', { amount: 1, currency: 'EUR', country: 'XK', customer });
    expect(payment).toMatchObject({ status: 'completed', customer: { country_code: 'XK' } });
    const request = { flow_name: 'checkout', amount: 1, currency: 'EUR', country: 'XK' };
    expect((await merchant.api.post('/flows/simulate', request)).status).toBe(200);
    const [shop] = (await merchant.api.get<{ data: { id: number }[] }>('/shops')).body.data;
    const conditions = { countries: ['XK', 'DE'] };
    const rules = [{ when: { country: { in: ['XK'] } }, use: { strategy: 'priority', shops: [shop!.id] } }];
    const { status, body } = await merchant.api.post('/flows', {
      name: 'Kosovo',
      strategy: 'rules',
      shops: [{ shop_id: shop!.id, conditions }],
      rules,
      default: { strategy: 'priority', shops: [shop!.id] },
    });
    expect([status, body]).toMatchObject([201, {}]);
  });
});
