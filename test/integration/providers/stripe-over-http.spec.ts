import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';

describe('a shop at Stripe', () => {
  let fake: FakeStripe;
  let api: TestApi;
  let merchant: Merchant;
  const pay = (token: string): Promise<PaymentAnswer> => merchant.pay('checkout', { payment_method: { token } });
  const held = ({ id }: PaymentAnswer) => fake.transactions().filter(({ paymentId }) => paymentId === String(id));

  beforeAll(async () => {
    fake = await FakeStripe.start();
    api = await startApi({ STRIPE_API_BASE: fake.url });
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('Berlin', { provider: 'stripe', provider_credentials: CREDENTIALS });
    await merchant.createFlow('checkout', [shop.id]);
    const url = `${api.url}/providers/stripe/notifications/${shop.id}`;
    fake.account(SECRET_KEY).events.endpoint = { url, secret: WEBHOOK_SECRET };
  });
  afterAll(async () => {
    await api.stop();
    await fake.close();
  });

  it('completes a payment that Stripe takes', async () => {
    const payment = await pay('pm_card_visa');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'stripe' });
    expect(held(payment)).toMatchObject([{ id: payment.provider_transaction_id, status: 'captured', amount: 4990 }]);
  });

  it('fails a payment that Stripe declines', async () => {
    const payment = await pay('pm_card_visa_chargeDeclinedLostCard');
    expect(payment.status).toBe('failed');
    expect(held(payment)).toMatchObject([{ status: 'declined' }]);
  });

  it("ends a bank debit by Stripe's own notification", async () => {
    const payment = await pay('pm_usBankAccount_success');
    expect(payment.status).toBe('processing');
    fake.account(SECRET_KEY).ledger.settleIntent(payment.provider_transaction_id, 'succeeded');
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
  });

  it('refuses credentials of another provider by name', async () => {
    const shop = { name: 'Paris', provider: 'stripe', provider_credentials: { notification_secret: 'x'.repeat(20) } };
    const { status, body } = await merchant.api.post('/shops', shop);
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('provider_credentials.secret_key')]);
  });
});
