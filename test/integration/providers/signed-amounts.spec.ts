import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import type { FakeItem } from '../../support/servers/adyen/adyen-webhooks.js';
import { signEvent } from '../../support/servers/stripe/stripe-events.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import { operationsOf } from '../../support/app/recovery-harness.js';

/** A reported amount in minor units. */
interface ReportedAmount {
  value: number;
  currency: string;
}

const OURS: ReportedAmount = { value: 4990, currency: 'EUR' };
const OTHERS: [string, ReportedAmount][] = [
  ['less', { ...OURS, value: 4989 }],
  ['more', { ...OURS, value: 49_900 }],
  ['another currency', { ...OURS, currency: 'USD' }],
  ['a currency that we never send', { ...OURS, currency: 'CLF' }],
];

let api: ProviderApi;
let stripe: FakeStripe;
let adyen: FakeAdyen;
let merchant: Merchant;

beforeAll(async () => {
  api = await sharedProviderApi();
  ({ stripe, adyen } = api);
  merchant = new Merchant(await api.login());
  const shopAt = async (provider: string, credentials: Record<string, unknown>) => {
    const shop = await merchant.createShop(provider, { provider, provider_credentials: credentials });
    await merchant.createFlow(provider, [shop.id]);
    return `${api.url}/providers/${provider}/notifications/${shop.id}`;
  };
  const { events } = stripe.account(SECRET_KEY);
  events.endpoint = { url: await shopAt('stripe', CREDENTIALS), secret: WEBHOOK_SECRET };
  const { webhooks } = adyen.account(MERCHANT_ACCOUNT);
  webhooks.endpoint = { url: await shopAt('adyen', ADYEN_CREDENTIALS), hmacKey: HMAC_KEY };
});
afterAll(() => api.stop());

/** Delivers Stripe's event of the success once, with this amount. Returns the status. */
async function deliverByStripe(payment: PaymentAnswer, { value, currency }: ReportedAmount): Promise<number> {
  const { ledger, events } = stripe.account(SECRET_KEY);
  events.held = true;
  ledger.settleIntent(payment.provider_transaction_id, 'succeeded');
  const event = structuredClone(events.all.findLast(({ type }) => type === 'payment_intent.succeeded')!);
  await events.release(() => []);
  Object.assign(event.data.object, { amount_received: value, currency: currency.toLowerCase() });
  return events.deliver(event);
}

async function deliverByAdyen(payment: PaymentAnswer, amount: ReportedAmount): Promise<number> {
  const { ledger, webhooks } = adyen.account(MERCHANT_ACCOUNT);
  webhooks.held = true;
  ledger.settle(ledger.find(payment.provider_transaction_id).reference, 'authorised');
  const item: FakeItem = structuredClone(webhooks.all.at(-1)!);
  await webhooks.release(() => []);
  return webhooks.deliver([{ ...item, amount }]);
}

const PROVIDERS = [
  ['stripe', 'pm_usBankAccount_success', deliverByStripe],
  ['adyen', 'shopper-1/PENDING', deliverByAdyen],
] as const;

describe.each(PROVIDERS)('a success that %s signed', (provider, token, deliver) => {
  const pay = () => merchant.pay(provider, { payment_method: { token } });
  const successesOf = async ({ id }: PaymentAnswer) => {
    const { rows } = await api.database.pool.query<{ outcome: string; reason: string }>(
      `SELECT outcome, reason FROM provider_notifications WHERE payment_id = $1 AND status IN ('authorized', 'completed')`,
      [id],
    );
    return rows;
  };

  it('completes an open payment, without a call of the provider', async () => {
    const payment = await pay();
    expect(payment.status).toBe('processing');
    const calls = stripe.calls.length + adyen.calls.length;
    expect(await deliver(payment, OURS)).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('completed');
    expect(stripe.calls.length + adyen.calls.length).toBe(calls);
  });

  it.each(OTHERS)('of %s completes nothing, and raises an alarm', async (_name, amount) => {
    const payment = await pay();
    expect(await deliver(payment, amount)).toBe(200);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
    expect(await successesOf(payment)).toEqual([{ outcome: 'alarm', reason: 'amount_differs' }]);
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge', is_due: false, reason: expect.stringContaining('amount_mismatch') },
    ]);
  });
});

describe('a success of another amount that Stripe signed', () => {
  it('stays visible for a person, even after a late event of the payment in processing', async () => {
    const payment = await merchant.pay('stripe', { payment_method: { token: 'pm_usBankAccount_success' } });
    expect(await deliverByStripe(payment, { ...OURS, value: 4989 })).toBe(200);
    const { events } = stripe.account(SECRET_KEY);
    const processing = structuredClone(events.all.findLast(({ type }) => type === 'payment_intent.processing')!);
    expect(await events.deliver({ ...processing, id: `evt_late_${payment.id}` })).toBe(200);
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge', state: 'unknown', is_due: false, reason: expect.stringContaining('amount_mismatch') },
    ]);
  });
});

describe('a success that Stripe signed without an amount', () => {
  it('causes an error that names the field', async () => {
    const payment = await merchant.pay('stripe', { payment_method: { token: 'pm_usBankAccount_success' } });
    const { events } = stripe.account(SECRET_KEY);
    const { endpoint } = events;
    events.endpoint = undefined; // no second try
    await deliverByStripe(payment, OURS);
    const event = structuredClone(events.all.at(-1)!);
    delete event.data.object['amount_received'];
    events.endpoint = endpoint;
    const { rawBody, headers } = signEvent(event, WEBHOOK_SECRET);
    const answer = await fetch(endpoint!.url, { method: 'POST', headers, body: rawBody });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('amount_received')]);
    expect((await merchant.payment(payment.id)).status).toBe('processing');
  });
});
