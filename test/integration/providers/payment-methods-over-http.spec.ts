import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, Merchant, type PaymentAnswer, type ShopAnswer } from '../../support/app/merchant.js';
import { ADYEN_CREDENTIALS, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import type { AttemptAnswer } from '../payments/failover-harness.js';

const EU_KEY = 'sk_test_51europe0123456789';
const US_KEY = 'sk_test_51america012345678';

let adyen: FakeAdyen;
let stripe: FakeStripe;
let api: ProviderApi;
let merchant: Merchant;
/** Shops of two accounts at Stripe and of one at Adyen. */
let shops: Record<'adyen' | 'eu' | 'us', ShopAnswer>;
let made = 0;

beforeAll(async () => {
  api = await sharedProviderApi();
  ({ adyen, stripe } = api);
  stripe.account(EU_KEY).ledger.tokens.set('pm_europe', { charge: 'succeeds' });
  stripe.account(US_KEY).ledger.tokens.set('pm_america', { charge: 'succeeds' });
  const { methods } = adyen.account(MERCHANT_ACCOUNT).ledger;
  methods.set('DECLINED', { result: 'Refused', code: '2', reason: 'Refused' });
  merchant = new Merchant(await api.login());
  const atStripe = (key: string, account: string) =>
    merchant.createShop(`Stripe ${account}`, {
      provider: 'stripe',
      provider_account: account,
      provider_credentials: { secret_key: key, webhook_secret: WEBHOOK_SECRET },
    });
  shops = {
    adyen: await merchant.createShop('Adyen', { provider: 'adyen', provider_credentials: ADYEN_CREDENTIALS }),
    eu: await atStripe(EU_KEY, 'eu'),
    us: await atStripe(US_KEY, 'us'),
  };
});
afterAll(() => api.stop());

/** The shops by priority, or by approval rate with `success_rate`. */
async function aFlow(names: (keyof typeof shops)[], maxAttempts: number, strategy = 'priority'): Promise<string> {
  const name = `flow ${(made += 1)}`;
  const members = names.map((each, index) => ({ shop_id: shops[each].id, priority: index + 1 }));
  dataOf(await merchant.api.post('/flows', { name, strategy, max_attempts: maxAttempts, shops: members }));
  return name;
}

const atStripe = (account: string, token: string) => ({ provider: 'stripe', account, token });
const atAdyen = (token: string) => ({ provider: 'adyen', token });
const pay = (flow: string, method: object) => merchant.pay(flow, { payment_method: method });
const attemptsOf = async ({ id }: PaymentAnswer) =>
  dataOf<AttemptAnswer[]>(await merchant.api.get(`/payments/${id}/attempts`)).map(
    ({ shop, outcome, decline_code: code }) => [shop.id, outcome, code],
  );
const chargesAt = (key: string) => stripe.account(key).transactions().length;

describe('a payer with a token at Stripe, and a flow with Adyen first', () => {
  const UNUSABLE = ['soft_declined', 'payment_method_unusable'];

  it('pays at Stripe with an option of that account, without a call of Adyen', async () => {
    const calls = adyen.calls.length;
    const payment = await pay(await aFlow(['adyen', 'eu'], 2), { options: [atStripe('eu', 'pm_europe')] });
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'stripe' });
    expect(await attemptsOf(payment)).toEqual([[shops.eu.id, 'approved', null]]);
    expect(adyen.calls).toHaveLength(calls);
  });

  it('pays at Stripe with only the token, which Adyen does not have', async () => {
    const payment = await pay(await aFlow(['adyen', 'eu'], 2), { token: 'pm_europe' });
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'stripe' });
    expect(await attemptsOf(payment)).toEqual([
      [shops.adyen.id, ...UNUSABLE],
      [shops.eu.id, 'approved', null],
    ]);
  });

  it('leaves a warning at the shop that lacked the payment method, and its health stays', async () => {
    type Shop = { warnings: object[]; health: { status: string; window: object } };
    const shop = async () => dataOf<Shop>(await merchant.api.get(`/shops/${shops.adyen.id}`));
    const { health } = await shop();
    await pay(await aFlow(['adyen', 'eu'], 2), { token: 'pm_europe' });
    const after = await shop();
    expect(after.warnings).toMatchObject([{ code: 'payment_method_unusable' }]);
    expect(after.health).toEqual(health);
    expect(health).toMatchObject({ status: 'healthy', since: null });
  });
});

describe('ten payments that Stripe refuses because of the payer or the request', () => {
  it.each([
    ['amount_too_small', 'invalid_amount'],
    ['parameter_unknown', 'request_refused'],
    ['payment_method_unexpected_state', 'payment_method_unusable'],
  ])('%s is %s, and leaves the shop healthy', async (code, declineCode) => {
    const name = `${declineCode} at Stripe`;
    const shop = await merchant.createShop(name, {
      provider: 'stripe',
      provider_credentials: { secret_key: `sk_test_51${code.replaceAll('_', '')}`, webhook_secret: WEBHOOK_SECRET },
    });
    await merchant.createFlow(name, [shop.id]);
    const refusals = { path: /POST \/v1\/payment_intents$/, times: 10 };
    stripe.injectFault({ when: 'before', what: 'status', status: 400, code }, refusals);
    for (let count = 0; count < 10; count++) {
      const payment = await pay(name, { token: 'pm_card_visa' });
      expect(await attemptsOf(payment)).toEqual([[shop.id, 'soft_declined', declineCode]]);
    }
    const { health } = dataOf<{ health: object }>(await merchant.api.get(`/shops/${shop.id}`));
    expect(health).toMatchObject({ status: 'healthy', window: { failed: 0 } });
  });
});

describe("the provider's facts about the card", () => {
  const cardsOf = async ({ id }: PaymentAnswer) =>
    dataOf<{ card: object | null }[]>(await merchant.api.get(`/payments/${id}/attempts`)).map(({ card }) => card);
  const AT_STRIPE = {
    scheme: 'visa',
    last4: '4242',
    funding: 'credit',
    issuer_country: 'US',
    expiry_month: 8,
    expiry_year: 2034,
  };
  const AT_ADYEN = {
    scheme: 'visa',
    bin: '41111145',
    last4: '1142',
    funding: 'credit',
    issuer_country: 'NL',
    expiry_month: 3,
    expiry_year: 2030,
  };

  it.each([
    ['an approval at Stripe', 'eu', 'pm_europe', AT_STRIPE],
    ['a decline at Stripe', 'eu', 'pm_card_visa_chargeDeclinedLostCard', AT_STRIPE],
    ['an approval at Adyen', 'adyen', 'shopper-1/AUTHORISED', AT_ADYEN],
    ['a decline at Adyen, which has none', 'adyen', 'shopper-1/EXPIRED', null],
  ] as const)('stay with the attempt after %s', async (_, shop, token, card) => {
    expect(await cardsOf(await pay(await aFlow([shop], 1), { token }))).toEqual([card]);
  });

  it('stay with each attempt of a payment', async () => {
    const options = [atStripe('eu', 'pm_card_visa_chargeDeclined'), atAdyen('shopper-1/AUTHORISED')];
    const payment = await pay(await aFlow(['eu', 'adyen'], 2), { options });
    expect(await cardsOf(payment)).toEqual([AT_STRIPE, AT_ADYEN]);
  });
});

describe('two accounts at Stripe, and a token of the second', () => {
  it.each([
    ['with an option', { options: [atStripe('us', 'pm_america')] }, 1],
    ['with only the token', { token: 'pm_america' }, 2],
  ])('completes in the second account %s', async (_, method, attempts) => {
    const before = { eu: chargesAt(EU_KEY), us: chargesAt(US_KEY) };
    const payment = await pay(await aFlow(['eu', 'us'], 2), method);
    expect(payment).toMatchObject({ status: 'completed', shop: { id: shops.us.id } });
    expect(await attemptsOf(payment)).toHaveLength(attempts);
    expect([chargesAt(EU_KEY), chargesAt(US_KEY)]).toEqual([before.eu, before.us + 1]);
  });
});

describe('a soft decline at Adyen', () => {
  const DECLINED = ['soft_declined', 'card_declined'];

  it('leads to a charge of the token at Stripe', async () => {
    const options = [atAdyen('shopper-1/DECLINED'), atStripe('eu', 'pm_europe')];
    const payment = await pay(await aFlow(['adyen', 'eu'], 2), { options });
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'stripe' });
    expect(await attemptsOf(payment)).toEqual([
      [shops.adyen.id, ...DECLINED],
      [shops.eu.id, 'approved', null],
    ]);
  });

  it('stays the reason of the payment if the token at Stripe is unusable', async () => {
    const options = [atAdyen('shopper-1/DECLINED'), atStripe('eu', 'pm_detached')];
    const payment = await pay(await aFlow(['adyen', 'eu'], 2), { options });
    expect(payment).toMatchObject({ status: 'failed', provider_metadata: { decline_code: 'card_declined' } });
    expect(await attemptsOf(payment)).toHaveLength(2);
  });

  it('leads to no charge of the same token at Stripe', async () => {
    const calls = stripe.calls.length;
    const payment = await pay(await aFlow(['adyen', 'eu', 'us'], 3), { token: 'shopper-1/DECLINED' });
    expect(payment).toMatchObject({ status: 'failed', provider_metadata: { decline_code: 'card_declined' } });
    expect(await attemptsOf(payment)).toEqual([[shops.adyen.id, ...DECLINED]]);
    expect(stripe.calls).toHaveLength(calls);
  });
});

describe('success_rate over two accounts, one without the tokens', () => {
  const LATEST = 30;

  it.each([
    ['an option', { options: [atStripe('us', 'pm_america')] }, 30, 30, LATEST],
    // a minimum share of 2 % keeps the outcomes of every shop recent
    ['only the token', { token: 'pm_america' }, 60, 42, 23],
  ])('converges to the other with %s', async (_, method, payments, completed, latest) => {
    const flow = await aFlow(['eu', 'us'], 1, 'success_rate');
    const statuses: string[] = [];
    for (let each = 0; each < payments; each += 1) statuses.push((await pay(flow, method)).status);
    const completedOf = (all: string[]) => all.filter((status) => status === 'completed').length;
    expect(completedOf(statuses)).toBeGreaterThanOrEqual(completed);
    expect(completedOf(statuses.slice(-LATEST))).toBeGreaterThanOrEqual(latest);
  });
});
