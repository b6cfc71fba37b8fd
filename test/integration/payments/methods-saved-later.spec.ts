import { Module } from '@nestjs/common';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PaymentsWorkerModule } from '../../../src/payments/payments-worker.module.js';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import {
  ADYEN_CREDENTIALS,
  card,
  collected,
  HMAC_KEY,
  MERCHANT_ACCOUNT,
} from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { type FakeTokenEvent, signItems, signTokenEvent } from '../../support/servers/adyen/adyen-webhooks.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';
import { type Engine, startEngine } from '../webhooks/engine-harness.js';

@Module({ imports: [PaymentsWorkerModule] })
class WorkerFeatures {}

interface Method {
  id: number;
  card: object | null;
  options: object[];
  network_transaction_id: string | null;
}

const CARD = { scheme: 'mastercard', last4: '0000', bin: '41111145', expiry_month: 12 };

describe('payment methods that a notification reports as saved', () => {
  let adyen: FakeAdyen;
  let stripe: FakeStripe;
  let api: TestApi;
  let merchant: Merchant;
  let address: string;
  let worker: Engine | undefined;

  beforeAll(async () => {
    [adyen, stripe] = await Promise.all([FakeAdyen.start(), FakeStripe.start()]);
    api = await startApi({ ADYEN_API_BASE: adyen.url, STRIPE_API_BASE: stripe.url, PUBLIC_URL: 'https://pay.example' });
    merchant = new Merchant(await api.login());
    const shop = await merchant.createShop('adyen', { provider: 'adyen', provider_credentials: ADYEN_CREDENTIALS });
    await merchant.createFlow('adyen', [shop.id]);
    address = `${api.url}/providers/adyen/notifications/${shop.id}`;
  });
  beforeEach(() => {
    const { webhooks, tokenWebhooks, ledger } = account();
    for (const webhook of [webhooks, tokenWebhooks]) {
      Object.assign(webhook, { endpoint: { url: address, hmacKey: HMAC_KEY }, held: false });
    }
    tokenWebhooks.endpoint = undefined;
    ledger.tellsStored.clear();
  });
  afterEach(async () => {
    await worker?.stop();
    worker = undefined;
  });
  afterAll(async () => {
    await api.stop();
    await Promise.all([adyen.close(), stripe.close()]);
  });

  const account = () => adyen.account(MERCHANT_ACCOUNT);
  const pay = (paymentMethod: object = card(), fields: object = { save: true }): Promise<PaymentAnswer> =>
    merchant.pay('adyen', {
      customer: { email: 'ada@example.com' },
      return_url: 'https://shop.example/back',
      payment_method: { options: [{ provider: 'adyen', data: collected(paymentMethod) }], card: CARD, ...fields },
    });
  const customerOf = ({ customer }: PaymentAnswer): number => customer!['id'] as number;
  const saved = async (payment: PaymentAnswer): Promise<Method[]> =>
    dataOf<Method[]>(await merchant.api.get(`/customers/${customerOf(payment)}/payment-methods`));
  const rows = async (payment: PaymentAnswer): Promise<object[]> =>
    (
      await api.database.pool.query<object>(
        'SELECT card, removed_at FROM saved_payment_methods WHERE customer_id = $1',
        [customerOf(payment)],
      )
    ).rows;
  const isSaved = (payment: PaymentAnswer) => eventually(async () => expect(await saved(payment)).toHaveLength(1));
  const becomes = ({ id }: PaymentAnswer, status: string) =>
    eventually(async () => expect(await merchant.payment(id)).toMatchObject({ status }));
  const tokenEvent = (): FakeTokenEvent => account().tokenWebhooks.all.at(-1)!;
  const send = async ({ rawBody, headers }: ReturnType<typeof signTokenEvent>): Promise<number> =>
    (await fetch(address, { method: 'POST', headers: headers, body: rawBody })).status;
  const sendToken = (event: object = tokenEvent(), key = HMAC_KEY) => send(signTokenEvent(event, key));
  /** A payment that Adyen ends after its answer. */
  const paid = async (fields?: object): Promise<PaymentAnswer> => {
    const payment = await pay({ type: 'paypal' }, fields);
    expect(payment.status).toBe('processing');
    const { reference } = account().transactions().at(-1)!;
    account().ledger.settle(reference, 'authorised');
    return payment;
  };

  it('saved methods are stored with an authorisation, and may be charged', async () => {
    account().ledger.tellsStored.add('notification');
    const payment = await paid();
    await becomes(payment, 'completed');
    const [method] = await saved(payment);
    expect(method).toMatchObject({
      options: [{ provider: 'adyen', account: MERCHANT_ACCOUNT }],
      card: CARD,
      network_transaction_id: 'MCC123456789012',
    });
    const again = { customer_id: customerOf(payment), payment_method_id: method!.id, initiator: 'merchant' };
    expect(await merchant.pay('adyen', again)).toMatchObject({ status: 'completed' });
    expect(adyen.calls.at(-1)?.body).toMatchObject({
      paymentMethod: { storedPaymentMethodId: tokenEvent().data.storedPaymentMethodId },
      shopperReference: `customer-${customerOf(payment)}`,
    });
  });

  it('saved methods are stored with the webhook of tokens, with the card facts of the answer before', async () => {
    account().webhooks.held = true;
    const payment = await pay();
    expect(await saved(payment)).toEqual([]);
    expect(await sendToken()).toBe(200);
    expect(await saved(payment)).toMatchObject([
      { card: { scheme: 'visa', last4: '1142', bin: '41111145', expiry_month: 3 }, network_transaction_id: null },
    ]);
  });

  it('saved methods have the card facts of an answer that is slower than the authorisation', async () => {
    adyen.injectFault({ what: 'delay', when: 'after', delayMs: 500 }, { path: /payments$/ });
    const payment = await pay();
    expect(await merchant.history(payment.id)).toMatchObject([{ to: 'completed', cause: 'provider_notification' }]);
    expect(dataOf(await merchant.api.get(`/payments/${payment.id}/attempts`))).toMatchObject([
      { card: { scheme: 'visa', last4: '1142' } },
    ]);
    await sendToken();
    expect(await saved(payment)).toMatchObject([{ card: { scheme: 'visa', last4: '1142' } }]);
  });

  it('saved methods are stored once if the answer and several notifications report them', async () => {
    account().ledger.tellsStored.add('answer').add('notification');
    account().webhooks.held = true;
    const payment = await pay();
    expect(await saved(payment)).toHaveLength(1);
    const item = account().webhooks.all.at(-1)!;
    const statuses = [await sendToken(), await account().webhooks.release(), await sendToken()];
    const contract = { ...item, eventCode: 'RECURRING_CONTRACT', originalReference: item.pspReference };
    statuses.push(await send(signItems([item, { ...contract, pspReference: 'X'.repeat(16) }], HMAC_KEY)));
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await rows(payment)).toHaveLength(1);
    expect(await saved(payment)).toMatchObject([{ card: { scheme: 'visa', last4: '1142' } }]);
  });

  it('saved methods are stored with the older webhook of recurring contracts', async () => {
    const payment = await pay();
    const { storedPaymentMethodId, shopperReference } = tokenEvent().data;
    const item = account().webhooks.all.at(-1)!;
    const additionalData = {
      'recurring.recurringDetailReference': storedPaymentMethodId,
      'recurring.shopperReference': shopperReference,
    };
    const contract = {
      ...item,
      additionalData,
      eventCode: 'RECURRING_CONTRACT',
      originalReference: item.pspReference,
      pspReference: storedPaymentMethodId,
    };
    expect(await send(signItems([{ ...contract, success: 'false' }], HMAC_KEY))).toBe(200);
    expect(await saved(payment)).toEqual([]);
    expect(await send(signItems([contract], HMAC_KEY))).toBe(200);
    expect(await saved(payment)).toHaveLength(1);
  });

  it('tokens are asked for again until their payment is known', async () => {
    account().webhooks.held = true;
    const payment = await paid();
    expect(await sendToken()).toBe(503);
    expect(await rows(payment)).toEqual([]);
    await account().webhooks.release();
    await becomes(payment, 'completed');
    expect(await sendToken()).toBe(200);
    await isSaved(payment);
  });

  it('saved methods are not stored for another signature, account, shopper or type, or a payment that saves nothing', async () => {
    const payment = await pay();
    const event = tokenEvent();
    const with_ = (data: object) => ({ ...event, data: { ...event.data, ...data } });
    expect(await sendToken(event, 'AB'.repeat(32))).toBe(401);
    expect(await send({ ...signTokenEvent(event, HMAC_KEY), rawBody: Buffer.from('{}') })).toBe(401);
    const other = customerOf(await pay(card(), {}));
    for (const wrong of [
      with_({ merchantAccount: 'OtherECOM' }),
      with_({ shopperReference: `customer-${other}` }),
      with_({ shopperReference: 'shopper-1' }),
      with_({ storedPaymentMethodId: 'not/a token' }),
      { ...event, type: 'recurring.token.disabled' },
      { ...event, eventId: 'Z'.repeat(16) },
    ]) {
      expect(await sendToken(wrong)).toBe(200);
    }
    expect(await sendToken({ ...event, eventId: 7 })).toBe(422);
    expect(await rows(payment)).toEqual([]);
    const unsaved = await pay(card(), {});
    const { id: eventId } = account().transactions().at(-1)!;
    const data = { ...event.data, shopperReference: `customer-${customerOf(unsaved)}` };
    expect(await sendToken({ ...event, eventId, data })).toBe(200);
    expect(await rows(unsaved)).toEqual([]);
  });

  it('saved methods are only detached if the customer was erased meanwhile, or has removed them', async () => {
    account().webhooks.held = true;
    account().ledger.tellsStored.add('notification');
    const payment = await paid();
    expect((await merchant.api.post(`/customers/${customerOf(payment)}/erase`)).status).toBe(202);
    expect(await account().webhooks.release()).toBe(200);
    expect(await rows(payment)).toMatchObject([{ card: null, removed_at: expect.any(Date) }]);
    const env = { ADYEN_API_BASE: adyen.url, STRIPE_API_BASE: stripe.url };
    worker = await startEngine(WorkerFeatures, api.database.url, env);
    await eventually(async () => expect(await rows(payment)).toEqual([]));
    expect(adyen.calls.at(-1)?.path).toContain(`/storedPaymentMethods/${tokenEvent().data.storedPaymentMethodId}`);
    expect(await sendToken()).toBe(200);
    expect(await rows(payment)).toEqual([]);
    const removed = await pay();
    await sendToken();
    const [method] = await saved(removed);
    await merchant.api.delete(`/customers/${customerOf(removed)}/payment-methods/${method!.id}`);
    await eventually(async () => expect(await rows(removed)).toEqual([]));
    expect(await sendToken()).toBe(200);
    expect(await rows(removed)).toEqual([]);
  });

  it('saved methods are stored with the event of a Stripe intent that the payer has authenticated', async () => {
    const shop = await merchant.createShop('stripe', { provider: 'stripe', provider_credentials: CREDENTIALS });
    await merchant.createFlow('stripe', [shop.id]);
    const { events, ledger } = stripe.account(SECRET_KEY);
    events.endpoint = { url: `${api.url}/providers/stripe/notifications/${shop.id}`, secret: WEBHOOK_SECRET };
    const payment = await merchant.pay('stripe', {
      customer: { email: 'ada@example.com' },
      return_url: 'https://shop.example/back',
      payment_method: { token: 'pm_card_threeDSecure2Required', save: true },
    });
    expect(payment.status).toBe('processing');
    ledger.settleIntent(stripe.transactions().at(-1)!.id, 'succeeded');
    await becomes(payment, 'completed');
    await isSaved(payment);
    expect(await rows(payment)).toHaveLength(1);
  });
});
