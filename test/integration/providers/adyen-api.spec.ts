import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestApi, startApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';

describe('payments at Adyen through the API', () => {
  let fake: FakeAdyen;
  let api: TestApi;
  let merchant: Merchant;

  beforeAll(async () => {
    fake = await FakeAdyen.start();
    api = await startApi({ ADYEN_API_BASE: fake.url });
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('at Adyen', { provider: 'adyen', provider_credentials: ADYEN_CREDENTIALS });
    await merchant.createFlow('adyen', [shop.id]);
    const url = `${api.url}/providers/adyen/notifications/${shop.id}`;
    fake.account(MERCHANT_ACCOUNT).webhooks.endpoint = { url, hmacKey: HMAC_KEY };
  });
  afterAll(async () => {
    await api.stop();
    await fake.close();
  });

  const pay = (method: string) => merchant.pay('adyen', { payment_method: { token: `shopper-1/${method}` } });

  it('completes a payment with what Adyen holds captured', async () => {
    const payment = await pay('AUTHORISED');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'adyen' });
    expect(fake.transactions()).toContainEqual(
      expect.objectContaining({
        id: payment.provider_transaction_id,
        status: 'captured',
        amount: 4_990,
        currency: 'EUR',
      }),
    );
  });

  it("fails a payment with Adyen's reason", async () => {
    const payment = await pay('EXPIRED');
    expect(payment).toMatchObject({
      status: 'failed',
      provider_metadata: { decline_code: 'expired_card', refusal_reason_code: '6' },
    });
  });

  it("completes a pending payment when Adyen's notification arrives", async () => {
    const payment = await pay('PENDING');
    expect(payment.status).toBe('processing');
    const { ledger } = fake.account(MERCHANT_ACCOUNT);
    ledger.settle(ledger.find(payment.provider_transaction_id).reference, 'authorised');
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
  });

  it('refuses a shop whose credentials are not those of Adyen, by their names', async () => {
    const credentials = { api_key: 'short', environment: 'live' };
    const body = { name: 'wrong', provider: 'adyen', provider_credentials: credentials };
    const answer = await merchant.api.post('/shops', body);
    expect(answer.status).toBe(422);
    const text = JSON.stringify(answer.body);
    for (const name of ['api_key', 'merchant_account', 'live_endpoint_url_prefix']) expect(text).toContain(name);
  });
});
