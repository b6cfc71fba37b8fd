import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../../support/app/api-client.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { recover } from '../../support/app/recovery-harness.js';
import { eventually } from '../../support/eventually.js';
import { card, CHALLENGED, collected, handleAction } from '../../support/providers/adyen-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';

describe('a new payer at Adyen, over HTTP', () => {
  let fake: FakeAdyen;
  let api: ProviderApi;
  let merchant: Merchant;

  beforeAll(async () => {
    api = await sharedProviderApi({ publicUrl: 'https://pay.example' });
    fake = api.adyen;
    merchant = await api.merchantAt('adyen');
  });
  afterAll(() => api.stop());

  const request = (data: Record<string, unknown>, fields: object = {}) => ({
    return_url: 'https://merchant.example/back',
    ...fields,
    payment_method: { type: 'card', options: [{ provider: 'adyen', data }] },
  });
  const pay = (fields: object = {}): Promise<PaymentAnswer> =>
    merchant.pay('checkout', request(collected(card({ number: CHALLENGED })), fields));
  /** Lets Drop-in act in the payer's page, and hands in what it returned. */
  const act = async (payment: PaymentAnswer, outcome: 'approve' | 'decline', each = false): Promise<ApiResponse> => {
    const data = await handleAction(fake, { nextAction: payment.next_action }, outcome, { each });
    return merchant.api.post(`/payments/${payment.id}/next-action`, { data });
  };
  const becomes = ({ id }: PaymentAnswer, expected: object) =>
    eventually(async () => expect(await merchant.payment(id)).toMatchObject(expected));
  const statuses = async ({ id }: PaymentAnswer) => (await merchant.history(id)).map(({ to }) => to);

  it('pays with a native fingerprint, then a challenge', async () => {
    const payment = await pay();
    expect(payment).toMatchObject({
      status: 'processing',
      next_action: { type: 'provider_action', provider: 'adyen', data: { type: 'threeDS2', subtype: 'fingerprint' } },
    });
    const challenged = dataOf<PaymentAnswer>(await act(payment, 'approve', true));
    expect(challenged).toMatchObject({ status: 'processing', next_action: { data: { subtype: 'challenge' } } });
    const paid = dataOf<PaymentAnswer>(await act(challenged, 'approve', true));
    expect(paid).toMatchObject({ status: 'completed', next_action: null });
    const [transaction] = fake.transactions().filter(({ id }) => id === paid.provider_transaction_id);
    expect(transaction).toMatchObject({ status: 'captured', amount: 4_990 });
    expect(await statuses(payment)).toEqual(['processing', 'completed']);
  });

  it('fails after a declined challenge', async () => {
    const challenged = dataOf<PaymentAnswer>(await act(await pay(), 'decline', true));
    const failed = dataOf<PaymentAnswer>(await act(challenged, 'decline', true));
    expect(failed).toMatchObject({
      status: 'failed',
      next_action: null,
      provider_metadata: { decline_code: 'authentication_failed', refusal_reason_code: '11' },
    });
  });

  it('redirects the payer if the request asks for it', async () => {
    const { payment_method: method, ...fields } = request(collected(card({ number: CHALLENGED })));
    const payment_method = { ...method, next_action_type: 'redirect' };
    const payment = await merchant.pay('checkout', { ...fields, payment_method });
    expect(payment).toMatchObject({ status: 'processing', next_action: { type: 'redirect', method: 'GET' } });
  });

  it('captures later after a challenge', async () => {
    const payment = await pay({ capture: 'manual' });
    const authorized = dataOf<PaymentAnswer>(await act(payment, 'approve'));
    expect(authorized).toMatchObject({ status: 'processing', next_action: null, amount_authorized: 49.9 });
    expect((await merchant.api.post(`/payments/${payment.id}/capture`, {})).status).toBeLessThan(300);
    await becomes(payment, { status: 'completed', amount_captured: 49.9 });
  });

  it('begins the steps after a lost answer of /payments, with one transaction', async () => {
    fake.injectFault({ when: 'after', what: 'reset' }, { path: /payments$/ });
    const payment = await pay();
    expect(payment).toMatchObject({ status: 'pending', next_action: null });
    await recover(api, [payment.id], 1);
    await becomes(payment, { status: 'processing', next_action: { data: { subtype: 'fingerprint' } } });
    const paid = dataOf<PaymentAnswer>(await act(await merchant.payment(payment.id), 'approve'));
    expect(paid).toMatchObject({ status: 'completed' });
    const { reference } = fake.transactions().find(({ id }) => id === paid.provider_transaction_id)!;
    expect(fake.transactions().filter((transaction) => transaction.reference === reference)).toHaveLength(1);
  });

  it('waits after a lost answer of /payments/details, and a repeat or the notification completes it', async () => {
    const payment = await pay();
    const data = await handleAction(fake, { nextAction: payment.next_action }, 'approve');
    fake.injectFault({ when: 'before', what: 'reset' }, { path: /details$/ });
    fake.injectFault({ when: 'after', what: 'reset' }, { path: /details$/ });
    const complete = () => merchant.api.post(`/payments/${payment.id}/next-action`, { data });
    expect(await complete()).toMatchObject({ status: 503, body: { code: 'dependency_unavailable' } });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing' });
    await complete();
    await becomes(payment, { status: 'completed', next_action: null });
    expect(dataOf(await complete())).toMatchObject({ status: 'completed' });
    expect(await statuses(payment)).toEqual(['processing', 'completed']);
  });

  it('completes once if the notification is faster than the answer', async () => {
    const payment = await pay();
    fake.injectFault({ when: 'after', what: 'delay', delayMs: 300 }, { path: /details$/ });
    const answer = act(payment, 'approve');
    await becomes(payment, { status: 'completed', next_action: null });
    expect(dataOf(await answer)).toMatchObject({ status: 'completed' });
    expect(await statuses(payment)).toEqual(['processing', 'completed']);
  });

  it('refuses fields that are ours, by name and before anything is stored', async () => {
    const calls = fake.calls.length;
    const body = request({ ...collected(card()), merchantAccount: 'Other', storePaymentMethod: true });
    expect(await merchant.tryPay('checkout', body)).toMatchObject({
      status: 422,
      body: {
        code: 'validation_failed',
        errors: [{ field: 'payment_method.options.0.data.merchantAccount', message: expect.stringMatching(/^is not/) }],
      },
    });
    expect(fake.calls).toHaveLength(calls);
  });

  it('refuses incomplete details by name, and the payer may go on', async () => {
    const payment = await pay();
    const refused = await merchant.api.post(`/payments/${payment.id}/next-action`, { data: { details: {} } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ field: 'data.details' }] } });
    expect(dataOf(await act(payment, 'approve'))).toMatchObject({ status: 'completed' });
  });
});
