import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CredentialsService } from '../../../src/shops/credentials/credentials.service.js';
import type { ApiClient } from '../../support/app/api-client.js';
import { dataOf, Merchant, NOTIFICATION_SECRET } from '../../support/app/merchant.js';
import { ADYEN_CREDENTIALS } from '../../support/providers/adyen-requests.js';
import { CHECKOUT_CREDENTIALS } from '../../support/providers/checkout-requests.js';
import { MOLLIE_CREDENTIALS } from '../../support/providers/mollie-requests.js';
import { PAYPAL_CREDENTIALS } from '../../support/providers/paypal-requests.js';
import { type ProviderApi, replaceSettings, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { CREDENTIALS as STRIPE_CREDENTIALS } from '../../support/providers/stripe-requests.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';

interface Check {
  outcome: string;
  errors: { field: string; message: string }[];
  reason: string | null;
  unchecked: string[];
}

/** Valid credentials of each built-in provider, in their order. */
const CREDENTIALS: Readonly<Record<string, object>> = {
  sandbox: {},
  stripe: STRIPE_CREDENTIALS,
  adyen: ADYEN_CREDENTIALS,
  checkout: CHECKOUT_CREDENTIALS,
  mollie: MOLLIE_CREDENTIALS,
  paypal: PAYPAL_CREDENTIALS,
};

let stripe: FakeStripe;
let adyen: FakeAdyen;
let api: ProviderApi;
let client: ApiClient;
let merchant: Merchant;
let made = 0;

beforeAll(async () => {
  api = await sharedProviderApi();
  ({ stripe, adyen } = api);
  client = await api.login();
  merchant = new Merchant(client);
});
afterAll(() => api?.stop());

const shopAt = async (provider: string, credentials: object): Promise<number> =>
  (await merchant.createShop(`Shop ${++made}`, { provider, provider_credentials: credentials })).id;
const check = async (shopId: number): Promise<Check> =>
  dataOf<Check>(await client.post(`/shops/${shopId}/credentials/check`));
const refused = (field: string) => ({
  outcome: 'refused',
  errors: [{ field, message: expect.any(String) }],
  reason: null,
});

describe('a check of credentials', () => {
  it.each([
    ['sandbox', { notification_secret: NOTIFICATION_SECRET }, ['notification_secret']],
    ['sandbox', {}, []],
    ['stripe', STRIPE_CREDENTIALS, ['webhook_secret']],
    ['adyen', ADYEN_CREDENTIALS, ['hmac_key']],
    ['checkout', CHECKOUT_CREDENTIALS, ['webhook_signature_key']],
    ['mollie', MOLLIE_CREDENTIALS, []],
    ['paypal', PAYPAL_CREDENTIALS, ['webhook_id']],
  ])('at %s accepts them, and lists the unchecked ones', async (provider, credentials, unchecked) => {
    const id = await shopAt(provider, credentials);
    expect(await check(id)).toEqual({ outcome: 'accepted', errors: [], reason: null, unchecked });
  });

  it.each([
    ['a revoked key', 'stripe', { secret_key: 'sk_test_revoked0123456789' }, 'secret_key'],
    ['a restricted key', 'stripe', { secret_key: 'rk_test_restricted0123456789' }, 'secret_key'],
    ['a revoked key', 'adyen', { ...ADYEN_CREDENTIALS, api_key: 'AQE_revoked_key_of_nobody' }, 'api_key'],
    [
      'a revoked key',
      'checkout',
      { ...CHECKOUT_CREDENTIALS, secret_key: 'sk_sbox_revokedaaaaaaaaaaaaaaaaaaa=' },
      'secret_key',
    ],
    ['a revoked key', 'mollie', { api_key: 'test_revoked0123456789abcdefghijklm' }, 'api_key'],
    ['another account', 'adyen', { ...ADYEN_CREDENTIALS, merchant_account: 'UnknownShop' }, 'merchant_account'],
  ])('with %s at %s names the refused credentials, never their values', async (_, provider, credentials, field) => {
    const answer = await check(await shopAt(provider, credentials));
    expect(answer).toMatchObject(refused(field));
    for (const secret of Object.values(credentials)) expect(JSON.stringify(answer.errors)).not.toContain(secret);
  });

  it('returns unknown if a provider does not answer in time', async () => {
    const id = await shopAt('stripe', STRIPE_CREDENTIALS);
    stripe.injectFault({ when: 'before', what: 'status', status: 500 });
    expect(await check(id)).toMatchObject({ outcome: 'unknown', reason: 'Stripe answered 500' });
    const putBack = replaceSettings(api.get(CredentialsService), { providerTimeoutMs: 200 });
    stripe.injectFault({ when: 'before', what: 'hang' });
    expect(await check(id)).toMatchObject({
      outcome: 'unknown',
      reason: 'Stripe could not be reached: not answered in time',
    });
    putBack();
    const atAdyen = await shopAt('adyen', ADYEN_CREDENTIALS);
    adyen.injectFault({ when: 'before', what: 'reset' });
    expect(await check(atAdyen)).toMatchObject({
      outcome: 'unknown',
      reason: expect.stringContaining('Adyen could not be reached'),
    });
  });

  it('changes nothing at the provider', async () => {
    const id = await shopAt('stripe', STRIPE_CREDENTIALS);
    const before = stripe.calls.length;
    await check(id);
    expect(stripe.calls.slice(before).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /v1/payment_intents',
    ]);
  });

  it("counts for the merchant's limit, for all its shops", async () => {
    const other = new Merchant(await api.loginAsAnotherMerchant());
    const { id } = await other.createShop('Berlin');
    const statuses = await Promise.all(
      Array.from({ length: 25 }, async () => (await other.api.post(`/shops/${id}/credentials/check`)).status),
    );
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(3);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
  });
});

describe('the credentials of a shop', () => {
  it('appear by name, secrets only by their last characters', async () => {
    const id = await shopAt('adyen', ADYEN_CREDENTIALS);
    const response = await client.get(`/shops/${id}/credentials`);
    const shown = dataOf<{ name: string; value: string | null }[]>(response);
    expect(Object.fromEntries(shown.map(({ name, value }) => [name, value]))).toEqual({
      api_key: '…body',
      merchant_account: ADYEN_CREDENTIALS.merchant_account,
      environment: 'test',
      live_endpoint_url_prefix: null,
      live_region: null,
      hmac_key: `…${ADYEN_CREDENTIALS.hmac_key.slice(-4)}`,
    });
    const text = JSON.stringify(response.body);
    expect(text).not.toContain(ADYEN_CREDENTIALS.api_key);
    expect(text).not.toContain(ADYEN_CREDENTIALS.hmac_key);
  });

  it("match the provider's list", async () => {
    const providers = dataOf<{ name: string; credentials: { name: string }[] }[]>(await client.get('/providers'));
    expect(providers.map(({ name }) => name)).toEqual(Object.keys(CREDENTIALS));
    for (const { name, credentials } of providers) {
      const id = await shopAt(name, CREDENTIALS[name]!);
      const shopCredentials = dataOf<object[]>(await client.get(`/shops/${id}/credentials`));
      expect(shopCredentials).toEqual(credentials.map((field) => expect.objectContaining(field)));
    }
  });
});
