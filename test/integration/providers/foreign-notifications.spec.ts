import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { Merchant } from '../../support/app/merchant.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import { type FakeItem, signItems } from '../../support/servers/adyen/adyen-webhooks.js';
import { signEvent } from '../../support/servers/stripe/stripe-events.js';

const LIMIT = 2;

let api: TestApi;
let merchant: Merchant;
let ids = 0;

beforeAll(async () => {
  api = await startApi({ MAX_IGNORED_NOTIFICATIONS_PER_DAY: String(LIMIT) });
  merchant = new Merchant(await api.login());
});
afterAll(() => api.stop());

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
    ['a modification without a reference', () => ({ eventCode: 'REFUND', originalReference, merchantReference: '' })],
  ])('get 200 at Adyen and are not stored: %s', async (_name, fields) => {
    const shop = await merchant.createShop(`Shop ${(ids += 1)}`, {
      provider: 'adyen',
      provider_credentials: ADYEN_CREDENTIALS,
    });
    for (let n = 0; n < LIMIT + 3; n += 1) {
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
    for (let n = 0; n < LIMIT + 3; n += 1) {
      const event = { id: `evt_${(ids += 1)}`, object: 'event', type, data: { object: object() } };
      const [status] = await send(`stripe/notifications/${shop.id}`, signEvent(event, WEBHOOK_SECRET));
      expect(status).toBe(200);
    }
    expect(await stored(shop.id)).toEqual([]);
  });
});
