import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IgnoredNotifications } from '../../../src/payments/notifications/ignored-notifications.service.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { type ProviderApi, replace, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { type FakeItem, signItems } from '../../support/servers/adyen/adyen-webhooks.js';
import { signEvent } from '../../support/servers/stripe/stripe-events.js';

const LIMIT = 1;

let api: ProviderApi;
let merchant: Merchant;
let ids = 0;
let putBack: () => void;

beforeAll(async () => {
  api = await sharedProviderApi();
  putBack = replace(api.get(IgnoredNotifications), { max: LIMIT });
  merchant = new Merchant(await api.login());
});
afterAll(() => {
  putBack();
  return api.stop();
});

const stored = async (shopId: number): Promise<object[]> =>
  (await api.database.pool.query<object>('SELECT FROM provider_notifications WHERE shop_id = $1', [shopId])).rows;

async function send(path: string, { rawBody, headers }: ReturnType<typeof signItems>): Promise<[number, string]> {
  const answer = await fetch(`${api.url}/providers/${path}`, {
    method: 'POST',
    headers,
    body: new Uint8Array(rawBody),
  });
  return [answer.status, await answer.text()];
}

const item = (fields: Partial<FakeItem>): FakeItem => ({
  additionalData: {},
  amount: { value: 3_000, currency: 'EUR' },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-21T10:00:00+01:00',
  merchantAccountCode: MERCHANT_ACCOUNT,
  merchantReference: 'ORDER-1',
  paymentMethod: 'visa',
  pspReference: `PSP${(ids += 1)}`,
  reason: '',
  success: 'true',
  ...fields,
});
const originalReference = '8515131751004933';

describe('notifications of another system that uses the same account', () => {
  it.each<[string, () => Partial<FakeItem>]>([
    ['a payment', () => ({})],
    ['a payment whose reference is a UUID', () => ({ merchantReference: randomUUID() })],
    ['a refused payment whose reference is a UUID', () => ({ merchantReference: randomUUID(), success: 'false' })],
    ['a refund', () => ({ eventCode: 'REFUND', originalReference })],
    ['a refund that failed', () => ({ eventCode: 'REFUND_FAILED', originalReference })],
    ['a cancellation', () => ({ eventCode: 'CANCELLATION', originalReference, merchantReference: randomUUID() })],
    ['a technical cancel', () => ({ eventCode: 'TECHNICAL_CANCEL', merchantReference: randomUUID() })],
    ['a capture that failed', () => ({ eventCode: 'CAPTURE_FAILED', originalReference })],
    ['a dispute', () => ({ eventCode: 'CHARGEBACK', originalReference })],
    ['a dispute without an original reference', () => ({ eventCode: 'CHARGEBACK' })],
    ['a modification without a reference', () => ({ eventCode: 'REFUND', originalReference, merchantReference: '' })],
  ])('get 200 at Adyen and are not stored: %s', async (_name, fields) => {
    const shop = await merchant.createShop(`Shop ${(ids += 1)}`, {
      provider: 'adyen',
      provider_credentials: ADYEN_CREDENTIALS,
    });
    for (let n = 0; n < LIMIT + 2; n += 1) {
      const answer = await send(`adyen/notifications/${shop.id}`, signItems([item(fields())], HMAC_KEY));
      expect(answer).toEqual([200, '[accepted]']);
    }
    expect(await stored(shop.id)).toEqual([]);
  });

  const intent = (fields: object) => ({
    object: 'payment_intent',
    id: `pi_${(ids += 1)}`,
    amount: 3_000,
    amount_received: 3_000,
    currency: 'eur',
    ...fields,
  });
  const refund = (fields: object) => ({
    object: 'refund',
    id: `re_${(ids += 1)}`,
    amount: 3_000,
    currency: 'eur',
    payment_intent: `pi_${ids}`,
    ...fields,
  });

  it.each<[string, string, () => object]>([
    ['a payment without a reference', 'payment_intent.succeeded', () => intent({ metadata: {} })],
    ['a payment', 'payment_intent.succeeded', () => intent({ metadata: { reference: 'ORDER-1' } })],
    ['a payment by UUID', 'payment_intent.succeeded', () => intent({ metadata: { reference: randomUUID() } })],
    ['a failure', 'payment_intent.payment_failed', () => intent({ metadata: { reference: randomUUID() } })],
    ['a cancellation', 'payment_intent.canceled', () => intent({ metadata: { reference: 'ORDER-1' } })],
    ['a refund', 'refund.updated', () => refund({ status: 'succeeded', metadata: { reference: 'ORDER-1' } })],
    ['a refund that failed', 'refund.failed', () => refund({ status: 'failed', metadata: {} })],
    ['a refund that was canceled', 'refund.updated', () => refund({ status: 'canceled', metadata: {} })],
    ['a refund at the dashboard', 'refund.created', () => refund({ status: 'succeeded', metadata: {} })],
    ['a refund that is pending', 'refund.created', () => refund({ status: 'pending', metadata: {} })],
    ['a lapse', 'payment_intent.canceled', () => intent({ metadata: {}, cancellation_reason: 'expired' })],
    ['a dispute', 'charge.dispute.created', () => refund({ object: 'dispute', status: 'needs_response' })],
  ])('get 200 at Stripe and are not stored: %s', async (_name, type, object) => {
    const shop = await merchant.createShop(`Shop ${(ids += 1)}`, {
      provider: 'stripe',
      provider_credentials: CREDENTIALS,
    });
    for (let n = 0; n < LIMIT + 2; n += 1) {
      const event = { id: `evt_${(ids += 1)}`, object: 'event', type, data: { object: object() } };
      const [status] = await send(`stripe/notifications/${shop.id}`, signEvent(event, WEBHOOK_SECRET));
      expect(status).toBe(200);
    }
    expect(await stored(shop.id)).toEqual([]);
  });
});

describe('notifications of Stripe that name only an intent, while the answer to its charge is lost', () => {
  const account = () => api.stripe.account(SECRET_KEY);
  const read = async (path: string) => dataOf<object[]>(await merchant.api.get(path));
  const reaches = ({ id }: PaymentAnswer, expected: object) =>
    eventually(async () => expect(await merchant.payment(id)).toMatchObject(expected));

  /** A pending payment that Stripe charged; its events are held. */
  async function charged() {
    const name = `Shop ${(ids += 1)}`;
    const shop = await merchant.createShop(name, { provider: 'stripe', provider_credentials: CREDENTIALS });
    await merchant.createFlow(name, [shop.id]);
    const url = `${api.url}/providers/stripe/notifications/${shop.id}`;
    Object.assign(account().events, { endpoint: { url, secret: WEBHOOK_SECRET }, held: true });
    api.stripe.injectFault({ when: 'after', what: 'reset' }, { path: /payment_intents$/ });
    const payment = await merchant.pay(name, { payment_method: { token: 'pm_card_visa' } });
    expect(payment.status).toBe('pending');
    const intent = [...account().ledger.intents.values()].at(-1)!;
    return { payment, intent, charge: account().ledger.charges.get(intent.latest_charge!)! };
  }

  it('a refund in the dashboard waits for the charge, and counts then', async () => {
    const { payment, intent } = await charged();
    account().ledger.createRefund({ payment_intent: intent.id, amount: '1000' });
    await account().events.release((all) => all.filter(({ type }) => type === 'refund.created'));
    const path = `/providers/notifications?shop_id=${payment.shop.id}`;
    expect(await read(path)).toMatchObject([{ outcome: 'waiting', reason: 'payment_is_pending', status: 'refunded' }]);
    const [succeeded] = account()
      .events.all.filter(({ type }) => type === 'payment_intent.succeeded')
      .slice(-1);
    await account().events.deliver(succeeded!);
    await reaches(payment, { status: 'completed', amount_refunded: 10 });
    // the same refund again, now that the intent is known
    const [again] = account()
      .events.all.filter(({ type }) => type === 'refund.created')
      .slice(-1);
    expect(await account().events.deliver(again!)).toBe(200);
    expect(await read(`${path}&outcome=conflict`)).toEqual([]);
    expect(await merchant.payment(payment.id)).toMatchObject({ amount_refunded: 10 });
  });

  it('a dispute is listed at once', async () => {
    const { payment, charge } = await charged();
    const { id } = account().ledger.disputes.open(charge);
    await account().events.release((all) => all.filter(({ type }) => type === 'charge.dispute.created'));
    expect(await read(`/payments/${payment.id}/disputes`)).toMatchObject([{ provider_dispute_id: id, status: 'open' }]);
  });

  it('a dispute is refused until Stripe tells its payment', async () => {
    const { payment, charge } = await charged();
    account().ledger.disputes.open(charge);
    api.stripe.injectFault({ when: 'before', what: 'reset' }, { path: /^GET .*payment_intents.pi_/, times: 2 });
    await account().events.release((all) => all.filter(({ type }) => type === 'charge.dispute.created'));
    expect(await read(`/payments/${payment.id}/disputes`)).toHaveLength(1);
    expect(api.stripe.calls.filter(({ method }) => method === 'GET').length).toBeGreaterThanOrEqual(3);
  });
});
