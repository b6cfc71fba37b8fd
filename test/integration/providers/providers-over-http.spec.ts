import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Merchant, PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { SECRET_KEY } from '../../support/providers/stripe-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';

interface ScriptedProvider {
  tokens: { approved: string; declined: string; processing: string };
  settle(payment: PaymentAnswer): void;
}

function adyen(api: ProviderApi): ScriptedProvider {
  const { ledger } = api.adyen.account(MERCHANT_ACCOUNT);
  return {
    tokens: { approved: 'shopper-1/AUTHORISED', declined: 'shopper-1/EXPIRED', processing: 'shopper-1/PENDING' },
    settle: (payment) => ledger.settle(ledger.find(payment.provider_transaction_id).reference, 'authorised'),
  };
}

function stripe(api: ProviderApi): ScriptedProvider {
  const { ledger } = api.stripe.account(SECRET_KEY);
  return {
    tokens: {
      approved: 'pm_card_visa',
      declined: 'pm_card_visa_chargeDeclinedLostCard',
      processing: 'pm_usBankAccount_success',
    },
    settle: (payment) => ledger.settleIntent(payment.provider_transaction_id, 'succeeded'),
  };
}

describe.each([
  ['adyen', adyen, { decline_code: 'expired_card', refusal_reason_code: '6' }, ['api_key', 'merchant_account']],
  ['stripe', stripe, { decline_code: 'lost_card' }, ['secret_key']],
] as const)('a shop at %s', (provider, scriptedAt, refusal, required) => {
  let scripted: ScriptedProvider;
  let api: ProviderApi;
  let merchant: Merchant;
  const pay = (token: string): Promise<PaymentAnswer> => merchant.pay('checkout', { payment_method: { token } });
  const held = (payment: PaymentAnswer) =>
    api[provider].transactions().filter(({ id }) => id === payment.provider_transaction_id);

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt(provider);
    scripted = scriptedAt(api);
  });
  afterAll(() => api.stop());

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
