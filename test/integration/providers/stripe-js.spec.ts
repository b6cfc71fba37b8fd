import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { eventually } from '../../support/eventually.js';
import { SECRET_KEY } from '../../support/providers/stripe-requests.js';
import { type ProviderApi, sharedProviderApi } from '../../support/providers/shared-provider-api.js';

const PUBLISHABLE_KEY = SECRET_KEY.replace('sk_', 'pk_');

interface SdkAction {
  client_secret: string;
  use_stripe_sdk: { three_d_secure_2_source: string };
}

describe('3-D Secure by Stripe.js, over HTTP', () => {
  let api: ProviderApi;
  let merchant: Merchant;

  beforeAll(async () => {
    api = await sharedProviderApi();
    merchant = await api.merchantAt('stripe');
  });
  afterAll(() => api.stop());

  const events = () => api.stripe.account(SECRET_KEY).events;
  const pay = async (fields: Record<string, unknown> = {}): Promise<PaymentAnswer> => {
    const payment_method = { token: 'pm_card_threeDSecure2Required', next_action_type: 'provider_action' };
    const payment = await merchant.pay('checkout', { payment_method, ...fields });
    expect(payment).toMatchObject({
      status: 'processing',
      next_action: {
        type: 'provider_action',
        provider: 'stripe',
        data: { client_secret: expect.stringContaining(`${payment.provider_transaction_id}_secret_`) },
      },
    });
    return payment;
  };
  const actionOf = ({ next_action }: PaymentAnswer) => next_action!.data as unknown as SdkAction;
  /** Does what Stripe.js does in the payer's page; returns the status of the answer. */
  const handleNextAction = async (payment: PaymentAnswer, outcome: 'approve' | 'decline', key = PUBLISHABLE_KEY) => {
    const { client_secret, use_stripe_sdk } = actionOf(payment);
    const body = new URLSearchParams({ key, client_secret, source: use_stripe_sdk.three_d_secure_2_source, outcome });
    return (await fetch(`${api.stripe.url}/v1/3ds2/authenticate`, { method: 'POST', body })).status;
  };
  const complete = async ({ id }: PaymentAnswer, data: object = {}) =>
    merchant.api.post<{ data: PaymentAnswer }>(`/payments/${id}/next-action`, { data });

  it.each([
    ['approve', 'completed'],
    ['decline', 'failed'],
  ] as const)('%s: handing in makes the payment %s before the notification comes', async (outcome, status) => {
    events().held = true;
    const payment = await pay();
    expect(await handleNextAction(payment, outcome)).toBe(200);
    const data = { payment_intent: payment.provider_transaction_id };
    expect(dataOf(await complete(payment, data))).toMatchObject({ status, next_action: null });
    await events().release();
    expect(dataOf<PaymentAnswer>(await complete(payment, data)).status).toBe(status);
    expect((await merchant.history(payment.id)).map(({ to }) => to)).toEqual(['processing', status]);
  });

  it('the notification completes the payment as well', async () => {
    const payment = await pay();
    await handleNextAction(payment, 'approve');
    await eventually(async () => expect((await merchant.payment(payment.id)).status).toBe('completed'));
    expect(dataOf<PaymentAnswer>(await complete(payment)).status).toBe('completed');
  });

  it('still waits if the payer has not acted, and refuses the intent of another payment', async () => {
    const [payment, other] = [await pay(), await pay()];
    expect(dataOf<PaymentAnswer>(await complete(payment)).next_action).toEqual(payment.next_action);
    const refused = await complete(payment, { payment_intent: other.provider_transaction_id });
    expect([refused.status, refused.body]).toEqual([
      422,
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'data.payment_intent' })] }),
    ]);
  });

  it('authorises a manual payment', async () => {
    const payment = await pay({ capture: 'manual' });
    await handleNextAction(payment, 'approve');
    expect(dataOf(await complete(payment))).toMatchObject({ status: 'processing', amount_authorized: 49.9 });
  });

  it('a cancellation ends it', async () => {
    const payment = await pay();
    expect(dataOf(await merchant.api.post(`/payments/${payment.id}/cancel`))).toMatchObject({ status: 'cancelled' });
    expect(await handleNextAction(payment, 'approve')).toBe(404);
    expect(dataOf<PaymentAnswer>(await complete(payment)).status).toBe('cancelled');
  });

  it('needs the key and the client secret of the same account', async () => {
    const payment = await pay();
    expect(await handleNextAction(payment, 'approve', 'pk_test_51anotheraccount')).toBe(404);
    expect(await handleNextAction(payment, 'approve', SECRET_KEY)).toBe(401);
  });

  it('a request that does not ask for it gets a redirect', async () => {
    const payment_method = { token: 'pm_card_threeDSecure2Required' };
    const payment = await merchant.pay('checkout', { payment_method, return_url: 'https://merchant.example/back' });
    expect(payment.next_action).toMatchObject({ type: 'redirect' });
  });
});
