import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/app/api-app.js';
import { dataOf, Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { ADYEN_CREDENTIALS, HMAC_KEY, MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { CREDENTIALS, SECRET_KEY, WEBHOOK_SECRET } from '../../support/providers/stripe-requests.js';
import type { FakeItem } from '../../support/servers/adyen/adyen-webhooks.js';
import { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { FakeStripe } from '../../support/servers/fake-stripe.js';
import type { FakeRefund } from '../../support/servers/stripe/stripe-objects.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';

let stripe: FakeStripe;
let adyen: FakeAdyen;
let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  [stripe, adyen] = await Promise.all([FakeStripe.start(), FakeAdyen.start()]);
  api = await startApi({ STRIPE_API_BASE: stripe.url, ADYEN_API_BASE: adyen.url, PROVIDER_TIMEOUT_MS: '3000' });
  merchant = new Merchant(await api.login());
  const shopAt = async (provider: string, credentials: Record<string, unknown>) => {
    const shop = await merchant.createShop(provider, { provider, provider_credentials: credentials });
    await merchant.createFlow(provider, [shop.id]);
    return `${api.url}/providers/${provider}/notifications/${shop.id}`;
  };
  stripeEvents().endpoint = { url: await shopAt('stripe', CREDENTIALS), secret: WEBHOOK_SECRET };
  webhooks().endpoint = { url: await shopAt('adyen', ADYEN_CREDENTIALS), hmacKey: HMAC_KEY };
});
afterEach(async () => {
  await stripeEvents().release(() => []);
  await webhooks().release(() => []);
});
afterAll(async () => {
  await api.stop();
  await Promise.all([stripe.close(), adyen.close()]);
});

const stripeLedger = () => stripe.account(SECRET_KEY).ledger;
const stripeEvents = () => stripe.account(SECRET_KEY).events;
const webhooks = () => adyen.account(MERCHANT_ACCOUNT).webhooks;

const refund = (payment: PaymentAnswer) => merchant.api.post(`/payments/${payment.id}/refund`);
const sync = (payment: PaymentAnswer) => merchant.api.post(`/payments/${payment.id}/sync`);
const stateOf = async ({ id }: { id: number }): Promise<[string, ...string[]]> => {
  const operations = (await operationsOf(api, id)).filter(({ kind }) => kind === 'refund');
  return [(await merchant.payment(id)).status, ...operations.map(({ state }) => state)];
};
const alarmsOf = async ({ id }: { id: number }): Promise<string[]> =>
  (
    await api.database.pool.query<{ reason: string }>(
      `SELECT reason FROM provider_notifications WHERE payment_id = $1 AND outcome = 'alarm' ORDER BY id`,
      [id],
    )
  ).rows.map(({ reason }) => reason);

/** A payment whose provider sends no notifications except those that the test delivers. */
async function paid(provider: 'stripe' | 'adyen', token: string): Promise<PaymentAnswer> {
  stripeEvents().held = true;
  webhooks().held = true;
  const payment = await merchant.pay(provider, { payment_method: { token } });
  expect(payment.status).toBe('completed');
  return payment;
}
const refundsAt = ({ provider_transaction_id: intent }: PaymentAnswer): FakeRefund[] =>
  [...stripeLedger().refunds.values()].filter(({ payment_intent: of }) => of === intent);

const deliverAdyen = async (items: FakeItem[]): Promise<void> => {
  for (const item of items) expect(await webhooks().deliver([item])).toBe(200);
};

describe('a refund that is pending at Stripe', () => {
  const pending = async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    expect((await refund(payment)).status).toBe(200);
    return { payment, made: refundsAt(payment)[0]! };
  };

  it('appears in the payment and in the answer to a repeated request, until it has ended', async () => {
    const payment = await paid('stripe', 'pm_card_pendingRefund');
    const shown = async () => {
      const listed = await merchant.api.get(`/payments?limit=100`);
      const found = dataOf<PaymentAnswer[]>(listed).find(({ id }) => id === payment.id)!;
      return [(await merchant.payment(payment.id)).refund_pending, found.refund_pending];
    };
    expect([payment.refund_pending, ...(await shown())]).toEqual([false, false, false]);
    for (let time = 0; time < 2; time += 1) {
      const asked = dataOf<PaymentAnswer>(await refund(payment));
      expect([asked.status, asked.refund_pending, ...(await shown())]).toEqual(['completed', true, true, true]);
    }
    stripeLedger().settleRefund(refundsAt(payment)[0]!.id, 'failed');
    await sync(payment);
    expect(await shown()).toEqual([false, false]);
    await refund(payment);
    stripeLedger().settleRefund(refundsAt(payment)[1]!.id, 'succeeded');
    await sync(payment);
    expect((await merchant.payment(payment.id)).status).toBe('refunded');
    expect(await shown()).toEqual([false, false]);
  });

  it('that failed without an event is found by recovery and by sync, and can be requested again', async () => {
    for (const check of [(payment: PaymentAnswer) => recover(api, [payment.id], 1), sync]) {
      const { payment, made } = await pending();
      await check(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'pending']);
      stripeLedger().settleRefund(made.id, 'failed');
      await check(payment);
      expect(await stateOf(payment)).toEqual(['completed', 'refused']);
      expect((await refund(payment)).status).toBe(200);
      expect(refundsAt(payment)).toHaveLength(2);
      stripeLedger().settleRefund(refundsAt(payment)[1]!.id, 'succeeded');
      await check(payment);
      expect(await stateOf(payment)).toEqual(['refunded', 'refused', 'confirmed']);
    }
  });

  it('that failed causes an error in the answer to a repeated request', async () => {
    const { payment, made } = await pending();
    stripeLedger().settleRefund(made.id, 'failed');
    const { status, body } = await refund(payment);
    expect([status, body]).toEqual([409, expect.objectContaining({ code: 'provider_unconfirmed' })]);
    expect((await refund(payment)).status).toBe(200);
    expect(refundsAt(payment)).toHaveLength(2);
  });
});

describe('a refund at Adyen', () => {
  const itemsOfAdyen = (payment: PaymentAnswer): FakeItem[] =>
    webhooks().all.filter(
      ({ eventCode, originalReference }) =>
        eventCode.startsWith('REFUND') && originalReference === payment.provider_transaction_id,
    );
  const foreignItem = (payment: PaymentAnswer, fields: Partial<FakeItem>): FakeItem => ({
    ...itemsOfAdyen(payment)[0]!,
    pspReference: `OTHER${payment.id}`,
    ...fields,
  });

  it.each(['AUTHORISED', 'REFUNDREFUSED'])(
    'of %s matches its notification, even if that overtakes the answer',
    async (method) => {
      const payment = await paid('adyen', `shopper-1/${method}`);
      adyen.injectFault({ when: 'after', what: 'delay', delayMs: 1_000 }, { path: /refunds$/ });
      const answer = refund(payment);
      await eventually(() => expect(itemsOfAdyen(payment)).toHaveLength(1));
      await deliverAdyen(itemsOfAdyen(payment));
      await answer;
      const ended = method === 'AUTHORISED' ? ['refunded', 'confirmed'] : ['completed', 'refused'];
      expect(await stateOf(payment)).toEqual(ended);
    },
  );

  it('gets its id from a repeat when its answer got lost', async () => {
    const payment = await paid('adyen', 'shopper-1/AUTHORISED');
    adyen.injectFault({ when: 'after', what: 'reset' }, { path: /refunds$/ });
    expect((await refund(payment)).status).toBe(503);
    await deliverAdyen([
      ...itemsOfAdyen(payment),
      foreignItem(payment, { eventCode: 'REFUND_FAILED', success: 'true' }),
    ]);
    expect(await stateOf(payment)).toEqual(['completed', 'unknown']);
    await recover(api, [payment.id], 1);
    expect(await stateOf(payment)).toEqual(['refunded', 'confirmed']);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });
});
