import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import type { Merchant, ShopAnswer } from '../../support/app/merchant.js';
import { startCheckout } from './checkout.js';

let api: TestApi;
let merchant: Merchant;
let shops: ShopAnswer[];
let flow: { id: number };

beforeAll(async () => {
  ({ api, merchant, shops, flow } = await startCheckout({}, ['A', 'B', 'C']));
});
afterAll(() => api.stop());

describe('sixty concurrent payments on three equal shops', () => {
  it('give 20 to each shop and advance the counter by sixty', async () => {
    const counter = async () =>
      (
        await api.database.pool.query<{ counter: number }>('SELECT counter FROM flow_counters WHERE flow_id = $1', [
          flow.id,
        ])
      ).rows[0]!.counter;
    const before = await counter();
    const payments = await Promise.all(Array.from({ length: 60 }, () => merchant.pay('checkout')));
    const perShop = shops.map((shop) => payments.filter((payment) => payment.shop.id === shop.id).length);
    expect(perShop).toEqual([20, 20, 20]);
    expect(await counter()).toBe(before + 60);
  });
});

describe('200 simulations', () => {
  it('change nothing in any table', async () => {
    const request = { flow_name: 'checkout', amount: 10, currency: 'EUR', country: 'DE', metadata: { a: 1 } };
    await merchant.api.post('/flows/simulate', request); // the first call may create rows
    const before = await api.database.dump();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        merchant.api.post('/flows/simulate', { ...request, simple: index % 2 === 0 }),
      ),
    );
    expect(answers.every((answer) => answer.status === 200)).toBe(true);
    expect(await api.database.dump()).toBe(before);
  });
});

describe('changes that race for one payment', () => {
  it('leave one winner, one history and one webhook', async () => {
    for (let round = 0; round < 10; round++) {
      const payment = await merchant.pay('checkout', {
        payment_method: { token: 'tok_pending' },
        webhook_endpoint: 'http://127.0.0.1:4000/',
      });
      await Promise.all([
        merchant.api.post(`/payments/${payment.id}/cancel`),
        merchant.notify(payment, { id: `evt_c_${round}`, status: 'completed' }),
        merchant.notify(payment, { id: `evt_f_${round}`, status: 'failed' }),
      ]);
      // a charge after the end of the payment is no change of status
      const history = (await merchant.history(payment.id)).filter(({ from, to }) => from !== to);
      expect(history).toHaveLength(2);
      expect(history[1]!.to).toBe((await merchant.payment(payment.id)).status);
      const webhooks = (await api.deliveriesOf(payment.id)).map((delivery) => delivery.payment_status);
      expect(webhooks).toEqual(['processing', history[1]!.to]);
    }
  });
});
