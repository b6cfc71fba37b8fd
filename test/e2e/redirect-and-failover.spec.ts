import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../support/app/api-client.js';
import { type InProcessService, startServiceInProcess } from '../support/app/in-process-service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../support/app/merchant.js';
import { BOOTSTRAP_CLIENT } from '../support/app/service.js';
import { eventually } from '../support/eventually.js';
import { CHECKOUT_CREDENTIALS, CHECKOUT_KEY, SIGNATURE_KEY } from '../support/providers/checkout-requests.js';
import { API_KEY, MOLLIE_CREDENTIALS } from '../support/providers/mollie-requests.js';
import { CREDENTIALS as STRIPE_CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../support/providers/stripe-requests.js';
import { tokenOf } from '../support/servers/checkout/checkout-objects.js';
import { createTestDatabase, type TestDatabase } from '../support/servers/database.js';
import { FakeCheckout } from '../support/servers/fake-checkout.js';
import { FakeMollie } from '../support/servers/fake-mollie.js';
import { FakeStripe } from '../support/servers/fake-stripe.js';
import { freePort } from '../support/servers/free-port.mjs';

const BACK = 'http://127.0.0.1:9/back';

let database: TestDatabase;
let checkout: FakeCheckout;
let mollie: FakeMollie;
let stripe: FakeStripe;
let service: InProcessService;
let merchant: Merchant;
beforeAll(async () => {
  [database, checkout, mollie, stripe] = await Promise.all([
    createTestDatabase(),
    FakeCheckout.start(),
    FakeMollie.start(),
    FakeStripe.start(),
  ]);
  const port = String(await freePort());
  const env = {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    CHECKOUT_API_BASE: checkout.url,
    MOLLIE_API_BASE: mollie.url,
    STRIPE_API_BASE: stripe.url,
  };
  service = await startServiceInProcess({ entry: 'all', databaseUrl: database.url, env });
  merchant = new Merchant(await ApiClient.login(service.url, BOOTSTRAP_CLIENT.id, BOOTSTRAP_CLIENT.secret));
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([checkout, mollie, stripe].map((fake) => fake?.close()));
  await database?.drop();
});

const becomes = ({ id }: PaymentAnswer, expected: object) =>
  eventually(async () => expect(await merchant.payment(id)).toMatchObject(expected));
const statuses = async ({ id }: PaymentAnswer) => (await merchant.history(id)).map(({ to }) => to);

/** Acts as the payer's browser on the page of the provider or the bank; returns where it is sent then. */
async function actOn(payment: PaymentAnswer, outcome: 'approve' | 'decline'): Promise<string | null> {
  expect(payment).toMatchObject({ status: 'processing', next_action: { type: 'redirect', method: 'GET' } });
  const body = new URLSearchParams({ outcome });
  const page = await fetch(payment.next_action!.url, { method: 'POST', body, redirect: 'manual' });
  return page.headers.get('location');
}

describe('iDEAL at Mollie', () => {
  const IDEAL = { type: 'ideal', options: [{ provider: 'mollie', data: { method: 'ideal' } }] };
  const pay = (fields: object = {}) => merchant.pay('mollie', { payment_method: IDEAL, return_url: BACK, ...fields });
  beforeAll(async () => {
    const shop = { provider: 'mollie', provider_credentials: MOLLIE_CREDENTIALS };
    await merchant.createFlow('mollie', [(await merchant.createShop('Amsterdam', shop)).id]);
  });

  it('the shop has the account that Mollie names', async () => {
    const shops = dataOf<object[]>(await merchant.api.get('/shops'));
    const { profileId } = mollie.account(API_KEY);
    expect(shops).toContainEqual(expect.objectContaining({ provider: 'mollie', provider_account: profileId }));
  });

  it('the payer approves at the bank, and the payment is looked up after Mollie’s unsigned webhook', async () => {
    const payment = await pay();
    expect(await actOn(payment, 'approve')).toBe(BACK);
    await becomes(payment, { status: 'completed', amount_captured: 49.9, next_action: null });
    expect(await statuses(payment)).toEqual(['processing', 'completed']);
  });

  it('the payer leaves the bank’s page', async () => {
    const payment = await pay();
    await actOn(payment, 'decline');
    await becomes(payment, { status: 'cancelled', next_action: null });
  });

  it('a webhook of any caller changes nothing, since Mollie is asked', async () => {
    const payment = await pay();
    const asked = mollie.calls.length;
    const body = new URLSearchParams({ id: payment.provider_transaction_id, status: 'paid' });
    const url = mollie.account(API_KEY).record(payment.provider_transaction_id).payment.webhookUrl!;
    expect(await fetch(url, { method: 'POST', body })).toMatchObject({ status: 200 });
    // once for chargebacks, and once for the look-up
    await eventually(() => expect(mollie.calls.length).toBeGreaterThanOrEqual(asked + 2));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing' });
  });

  it('a refund is on its way for days, then done; a chargeback is a dispute', async () => {
    const payment = await pay();
    await actOn(payment, 'approve');
    await becomes(payment, { status: 'completed' });
    dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, { amount: 10.5 }));
    await becomes(payment, { amount_refunded: 10.5, refund_pending: false });
    const id = mollie.account(API_KEY).chargeBack(payment.provider_transaction_id);
    await eventually(async () => {
      const disputes = dataOf<object[]>(await merchant.api.get('/disputes'));
      expect(disputes).toContainEqual(expect.objectContaining({ provider_dispute_id: id, status: 'open' }));
    });
  });

  it('a card is captured in part, and the rest is released', async () => {
    const payment = await pay({ payment_method: { token: 'tkn_paid' }, capture: 'manual' });
    expect(payment).toMatchObject({ status: 'processing', amount_authorized: 49.9, amount_captured: 0 });
    dataOf(await merchant.api.post(`/payments/${payment.id}/capture`, { amount: 30 }));
    await becomes(payment, { status: 'completed', amount_captured: 30 });
  });

  it('an authorisation is released by a cancellation, which Mollie carries out later', async () => {
    const payment = await pay({ payment_method: { token: 'tkn_paid' }, capture: 'manual' });
    const answer = await merchant.api.post(`/payments/${payment.id}/cancel`, {});
    expect([200, 202]).toContain(answer.status);
    await becomes(payment, { status: 'cancelled' });
    expect(mollie.account(API_KEY).record(payment.provider_transaction_id).payment.status).toBe('canceled');
  });
});

describe('a card with tokens at Checkout.com and Stripe', () => {
  const DINARS = { amount: 5.12, currency: 'KWD' };
  /** The payer's page has made a token with each provider's script. */
  const pay = (name: string, fields: object = {}) =>
    merchant.pay('cards', {
      payment_method: {
        type: 'card',
        options: [
          { provider: 'checkout', token: tokenOf(name) },
          { provider: 'stripe', token: 'pm_card_visa' },
        ],
      },
      return_url: BACK,
      ...fields,
    });
  const books = ({ provider_transaction_id: id }: PaymentAnswer) => checkout.account(CHECKOUT_KEY).record(id);

  beforeAll(async () => {
    const shops = [
      await merchant.createShop('Dubai', { provider: 'checkout', provider_credentials: CHECKOUT_CREDENTIALS }),
      await merchant.createShop('Dublin', { provider: 'stripe', provider_credentials: STRIPE_CREDENTIALS }),
    ];
    const [checkoutUrl, stripeUrl] = shops.map(({ id }, index) => {
      return `${service.url}/providers/${['checkout', 'stripe'][index]}/notifications/${id}`;
    });
    checkout.account(CHECKOUT_KEY).events.endpoint = { url: checkoutUrl!, key: SIGNATURE_KEY };
    stripe.account(SECRET_KEY).events.endpoint = { url: stripeUrl!, secret: WEBHOOK_SECRET };
    dataOf(
      await merchant.api.post('/flows', {
        name: 'cards',
        strategy: 'priority',
        max_attempts: 2,
        shops: shops.map(({ id }, index) => ({ shop_id: id, priority: index + 1 })),
      }),
    );
  });

  it('Checkout.com approves, captures a moment later, and is refunded', async () => {
    const payment = await pay('approved', DINARS);
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'checkout', amount_captured: 5.12 });
    await eventually(() => expect(books(payment).payment.status).toBe('Captured'));
    dataOf(await merchant.api.post(`/payments/${payment.id}/refunds`, {}));
    await becomes(payment, { status: 'refunded', amount_refunded: 5.12, refund_pending: false });
    expect(books(payment).payment).toMatchObject({ amount: 5_120, balances: { total_refunded: 5_120 } });
  });

  it('after a soft decline Stripe takes the card with its own token', async () => {
    const payment = await pay('donothonour');
    expect(payment).toMatchObject({ status: 'completed', payment_provider: 'stripe' });
    const attempts = dataOf<object[]>(await merchant.api.get(`/payments/${payment.id}/attempts`));
    expect(attempts).toMatchObject([
      { provider: 'checkout', outcome: 'soft_declined', decline_code: 'do_not_honor' },
      { provider: 'stripe', outcome: 'approved' },
    ]);
  });

  it('a hard decline ends the payment', async () => {
    expect(await pay('lostcard')).toMatchObject({
      status: 'failed',
      payment_provider: 'checkout',
      provider_metadata: { decline_code: 'lost_card' },
    });
  });

  it('the issuer’s page decides, and the signed webhook brings it', async () => {
    const payment = await pay('threeds');
    expect(await actOn(payment, 'approve')).toMatch(/^http:\/\/127\.0\.0\.1:9\/back\?cko-session-id=sid_/);
    await becomes(payment, { status: 'completed', next_action: null });
  });

  it('an authorisation is captured in part, or voided, by actions that Checkout.com carries out later', async () => {
    const [captured, voided] = [
      await pay('approved', { capture: 'manual' }),
      await pay('approved', { capture: 'manual' }),
    ];
    expect(captured).toMatchObject({ status: 'processing', amount_authorized: 49.9, amount_captured: 0 });
    dataOf(await merchant.api.post(`/payments/${captured.id}/capture`, { amount: 30 }));
    await becomes(captured, { status: 'completed', amount_captured: 30 });
    expect([200, 202]).toContain((await merchant.api.post(`/payments/${voided.id}/cancel`, {})).status);
    await becomes(voided, { status: 'cancelled' });
    expect(books(voided).payment.status).toBe('Voided');
  });
});
