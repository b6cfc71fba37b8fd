import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { MERCHANT_ACCOUNT } from '../../support/providers/adyen-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import { operationsOf, recover } from '../../support/app/recovery-harness.js';

describe('manual capture at Adyen, over HTTP', () => {
  let api: ProviderApi;
  let merchant: Merchant;
  const account = () => api.adyen.account(MERCHANT_ACCOUNT);
  const pay = (method = 'AUTHORISED', fields: Record<string, unknown> = {}) =>
    merchant.pay('checkout', { capture: 'manual', payment_method: { token: `shopper-1/${method}` }, ...fields });
  const heldOf = (payment: PaymentAnswer) => account().ledger.find(payment.provider_transaction_id);
  const capture = (payment: PaymentAnswer, amount?: number) =>
    merchant.api.post(`/payments/${payment.id}/capture`, amount === undefined ? {} : { amount });
  const reaches = ({ id }: PaymentAnswer, expected: object) =>
    eventually(async () => expect(await merchant.payment(id)).toMatchObject(expected));
  const captureStates = async ({ id }: PaymentAnswer) =>
    (await operationsOf(api, id)).filter(({ kind }) => kind === 'capture').map(({ state }) => state);

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt('adyen');
  });
  afterAll(() => api.stop());
  beforeEach(() => {
    account().webhooks.held = false;
  });

  it('a manual payment is authorised for 28 days, and captured in part when Adyen says so', async () => {
    const before = Date.now();
    const payment = await pay();
    expect(payment).toMatchObject({ status: 'processing', amount_authorized: 49.9, amount_captured: 0 });
    const { capture_before: captureBefore } = await merchant.payment(payment.id);
    expect(Date.parse(captureBefore as unknown as string) - before).toBeGreaterThanOrEqual(28 * 86_400_000 - 1_000);
    account().webhooks.held = true;
    expect(await capture(payment, 30)).toMatchObject({ status: 200, body: { data: { status: 'processing' } } });
    expect(await captureStates(payment)).toEqual(['pending']);
    await account().webhooks.release();
    await reaches(payment, { status: 'completed', amount_captured: 30 });
    expect(await captureStates(payment)).toEqual(['confirmed']);
    expect(heldOf(payment)).toMatchObject({ status: 'captured', captured: 3_000 });
  });

  it('a manual payment is authorised by the notification when the answer is lost', async () => {
    account().webhooks.held = true;
    api.adyen.injectFault({ when: 'after', what: 'reset' });
    const payment = await pay();
    expect(payment.status).toBe('pending');
    await account().webhooks.release();
    await reaches(payment, { status: 'processing', amount_authorized: 49.9 });
    expect((await capture(await merchant.payment(payment.id))).status).toBe(200);
    await reaches(payment, { status: 'completed', amount_captured: 49.9 });
  });

  it('an automatic payment is completed by the same notification', async () => {
    account().webhooks.held = true;
    api.adyen.injectFault({ when: 'after', what: 'reset' });
    const payment = await pay('AUTHORISED', { capture: 'automatic' });
    await account().webhooks.release();
    await reaches(payment, { status: 'completed', amount_captured: 49.9 });
  });

  it('a capture whose answer is lost is made once', async () => {
    const payment = await pay();
    account().webhooks.held = true;
    api.adyen.injectFault({ when: 'after', what: 'reset' }, { path: /captures$/ });
    await capture(payment, 20);
    await recover(api, [payment.id], 1);
    expect(await captureStates(payment)).toEqual(['pending']);
    await account().webhooks.release();
    await reaches(payment, { status: 'completed', amount_captured: 20 });
    expect(
      account().webhooks.all.filter(
        ({ eventCode, originalReference }) =>
          eventCode === 'CAPTURE' && originalReference === payment.provider_transaction_id,
      ),
    ).toHaveLength(1);
  });

  it('a manual payment stays authorised when Adyen refuses the capture', async () => {
    const payment = await pay('CAPTUREREFUSED');
    expect((await capture(payment)).status).toBe(200);
    await eventually(async () => expect(await captureStates(payment)).toEqual(['refused']));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing', amount_captured: 0 });
  });

  it('a manual payment is cancelled before the capture', async () => {
    const payment = await pay();
    expect((await merchant.api.post(`/payments/${payment.id}/cancel`)).status).toBe(200);
    await reaches(payment, { status: 'cancelled', amount_captured: 0 });
    expect(heldOf(payment).status).toBe('voided');
  });

  it('a manual payment ends when Adyen ends its authorisation or its review', async () => {
    const [expired, rejected] = [await pay(), await pay()];
    account().ledger.expire(heldOf(expired));
    account().ledger.rejectReview(heldOf(rejected));
    await reaches(expired, { status: 'cancelled' });
    await reaches(rejected, { status: 'cancelled' });
    expect((await merchant.history(expired.id)).at(-1)?.cause).toBe('authorization_expired');
  });

  it('a payment that was completed by its authorisation needs a person when its review is rejected', async () => {
    const payment = await pay('AUTHORISED', { capture: 'automatic' });
    account().ledger.rejectReview(heldOf(payment));
    const alarms = `/providers/notifications?shop_id=${payment.shop.id}&payment_id=${payment.id}&outcome=alarm`;
    const alarm = { reason: 'capture_failed', status: 'cancelled' };
    // MANUAL_REVIEW_REJECT and CANCELLATION
    await eventually(async () => expect(dataOf(await merchant.api.get(alarms))).toMatchObject([alarm, alarm]));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed' });
  });

  it('a payment stays completed while Adyen captures it again after a failure', async () => {
    const payment = await pay();
    await capture(payment);
    await reaches(payment, { status: 'completed' });
    account().ledger.failCapture(heldOf(payment));
    const path = `/providers/notifications?shop_id=${payment.shop.id}&payment_id=${payment.id}`;
    await eventually(async () =>
      expect(dataOf(await merchant.api.get(`${path}&outcome=alarm`))).toMatchObject([{ reason: 'capture_failed' }]),
    );
    account().ledger.recapture(heldOf(payment));
    await eventually(async () =>
      expect(dataOf<object[]>(await merchant.api.get(path))[0]).toMatchObject({
        outcome: 'ignored',
        reason: 'status_unchanged',
      }),
    );
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_captured: 49.9 });
  });

  it('a capture in the Customer Area completes the payment with its amount', async () => {
    const payment = await pay();
    account().ledger.capture(heldOf(payment), { value: 1_250, currency: 'EUR' });
    await reaches(payment, { status: 'completed', amount_captured: 12.5 });
  });

  it('a payment that waits for its payer fails when the offer is closed', async () => {
    const payment = await pay('PENDING');
    account().ledger.closeOffer(heldOf(payment));
    await reaches(payment, { status: 'failed' });
  });

  it('a payment captured in part is refunded in parts, up to its captured amount', async () => {
    const payment = await pay();
    await capture(payment, 30);
    await reaches(payment, { status: 'completed' });
    const refund = (amount: number) =>
      merchant.api.post(
        `/payments/${payment.id}/refunds`,
        { amount },
        { 'idempotency-key': `${payment.id}-${amount}` },
      );
    expect((await refund(12)).status).toBe(201);
    await reaches(payment, { status: 'completed', amount_refunded: 12 });
    account().ledger.refund(heldOf(payment), { value: 800, currency: 'EUR' }); // in the Customer Area
    await reaches(payment, { status: 'completed', amount_refunded: 20 });
    expect((await refund(11)).status).toBe(409);
    expect((await refund(10)).status).toBe(201);
    await reaches(payment, { status: 'refunded', amount_refunded: 30 });
    expect(heldOf(payment)).toMatchObject({ status: 'refunded', captured: 3_000, refunded: 3_000 });
  });
});
