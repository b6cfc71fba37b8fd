import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';

interface ScriptedProvider {
  fake: FakeAdyen | FakeStripe;
  setting: 'ADYEN_API_BASE' | 'STRIPE_API_BASE';
  credentials: Record<string, string>;
  tokens: { approved: string; declined: string; processing: string };
  /** Sets the address for the provider's notifications. */
  notify(url: string): void;
  settle(payment: PaymentAnswer): void;
}

async function adyen(): Promise<ScriptedProvider> {
  const fake = await FakeAdyen.start();
  const { ledger, webhooks } = fake.account(MERCHANT_ACCOUNT);
  return {
    fake,
    setting: 'ADYEN_API_BASE',
    credentials: ADYEN_CREDENTIALS,
    tokens: { approved: 'shopper-1/AUTHORISED', declined: 'shopper-1/EXPIRED', processing: 'shopper-1/PENDING' },
    notify: (url) => (webhooks.endpoint = { url, hmacKey: HMAC_KEY }),
    settle: (payment) => ledger.settle(ledger.find(payment.provider_transaction_id).reference, 'authorised'),
  };
}

async function stripe(): Promise<ScriptedProvider> {
  const fake = await FakeStripe.start();
  const { ledger, events } = fake.account(SECRET_KEY);
  return {
    fake,
    setting: 'STRIPE_API_BASE',
    credentials: CREDENTIALS,
    tokens: {
      approved: 'pm_card_visa',
      declined: 'pm_card_visa_chargeDeclinedLostCard',
      processing: 'pm_usBankAccount_success',
    },
    notify: (url) => (events.endpoint = { url, secret: WEBHOOK_SECRET }),
    settle: (payment) => ledger.settleIntent(payment.provider_transaction_id, 'succeeded'),
  };
}

describe.each([
  ['adyen', adyen, { decline_code: 'expired_card', refusal_reason_code: '6' }, ['api_key', 'merchant_account']],
  ['stripe', stripe, { decline_code: 'lost_card' }, ['secret_key']],
] as const)('a shop at %s', (provider, start, refusal, required) => {
  let scripted: ScriptedProvider;
  let api: TestApi;
  let merchant: Merchant;
  const pay = (token: string): Promise<PaymentAnswer> => merchant.pay('checkout', { payment_method: { token } });
  const held = (payment: PaymentAnswer) =>
    scripted.fake.transactions().filter(({ id }) => id === payment.provider_transaction_id);

  beforeAll(async () => {
    scripted = await start();
    api = await startApi({ [scripted.setting]: scripted.fake.url });
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('Berlin', { provider, provider_credentials: scripted.credentials });
    await merchant.createFlow('checkout', [shop.id]);
    scripted.notify(`${api.url}/providers/${provider}/notifications/${shop.id}`);
  });
  afterAll(async () => {
    await api.stop();
    await scripted.fake.close();
  });

  it('completes a payment that the provider approves', async () => {
    const payment = await pay(scripted.tokens.approved);
    expect(payment).toMatchObject({ status: 'completed', payment_provider: provider });
    expect(held(payment)).toMatchObject([{ status: 'captured', amount: 4_990 }]);
  });

  it("fails a payment with the provider's reason", async () => {
    const payment = await pay(scripted.tokens.declined);
    expect(payment).toMatchObject({ status: 'failed', provider_metadata: refusal });
  });

  it("completes a payment in processing when the provider's notification arrives", async () => {
    const payment = await pay(scripted.tokens.processing);
    expect(payment.status).toBe('processing');
    scripted.settle(payment);
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
  });

  it('refuses credentials of another provider, with errors that name them', async () => {
    const shop = { name: 'Paris', provider, provider_credentials: { notification_secret: 'x'.repeat(20) } };
    const { status, body } = await merchant.api.post('/shops', shop);
    expect(status).toBe(422);
    for (const name of required) expect(JSON.stringify(body)).toContain(`provider_credentials.${name}`);
  });
});
