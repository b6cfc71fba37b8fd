import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../support/app/api-app.js';
import { dataOf, type Merchant, type PaymentAnswer } from '../../support/app/merchant.js';
import { operationsOf } from '../../support/app/recovery-harness.js';
import { eventually } from '../../support/eventually.js';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { sharedSandbox } from './sandbox-harness.js';

let api: TestApi;
let merchant: Merchant;

beforeAll(async () => {
  ({ api, merchant } = await sharedSandbox());
});
afterAll(() => api?.stop());

const pay = (token: string, fields: Record<string, unknown> = {}): Promise<PaymentAnswer> =>
  merchant.pay('checkout', { payment_method: { token }, ...fields });
const call = ({ id }: PaymentAnswer, action: string, body: object = {}) =>
  merchant.api.post(`/payments/${id}/${action}`, body);
const refundsOf = async ({ id }: PaymentAnswer) =>
  dataOf<{ status: string; failure_code: string | null }[]>(await merchant.api.get(`/payments/${id}/refunds`));
const stepsOf = async ({ id }: PaymentAnswer) =>
  (await merchant.history(id)).map(({ to, cause }) => `${to} ${cause}`).slice(-2);
const heldOf = async ({ id }: PaymentAnswer) => {
  const path = `/providers/sandbox/transactions?payment_id=${id}`;
  const [row] = dataOf<{ status: string; captured_amount: number; refunded_amount: number }[]>(
    await merchant.api.get(path),
  );
  return [row!.status, row!.captured_amount, row!.refunded_amount];
};
const alarmsOf = async ({ id, shop }: PaymentAnswer) => {
  const path = `/providers/notifications?shop_id=${shop.id}&payment_id=${id}&outcome=alarm`;
  return dataOf<{ reason: string }[]>(await merchant.api.get(path)).map(({ reason }) => reason);
};

describe('a failure at the sandbox', () => {
  it('with tok_refund_fails_late comes after the success, and makes the payment completed again', async () => {
    const payment = await pay('tok_refund_fails_late');
    expect(dataOf(await call(payment, 'refunds'))).toMatchObject({ status: 'succeeded' });
    await eventually(async () =>
      expect(await refundsOf(payment)).toMatchObject([{ status: 'failed', failure_code: 'refund_failed' }]),
    );
    expect(await stepsOf(payment)).toEqual(['refunded refund_requested', 'completed refund_failed']);
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'completed', amount_refunded: 0 });
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 0]);
    expect(await alarmsOf(payment)).toEqual(['refund_failed']);
  });

  it('with tok_captured_later lets a refund wait for the capture, and a void find it under way', async () => {
    const payment = await pay('tok_captured_later');
    const capturedAt = (at: string) =>
      api.database.pool.query(`UPDATE sandbox_transactions SET settles_at = ${at} WHERE payment_id = $1`, [payment.id]);
    await capturedAt(`now() + interval '1 h'`);
    expect(payment).toMatchObject({ status: 'completed', amount_captured: 49.9 });
    expect(dataOf(await call(payment, 'refunds', { amount: 20 }))).toMatchObject({ status: 'pending' });
    expect(await heldOf(payment)).toEqual(['authorized', 0, 0]);
    expect(await operationsOf(api, payment.id)).toMatchObject([
      { kind: 'charge' },
      { kind: 'refund', state: 'open', is_due: true },
    ]);
    await capturedAt('now()');
    await call(payment, 'sync');
    expect(await refundsOf(payment)).toMatchObject([{ status: 'succeeded', failure_code: null }]);
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 20]);
  });

  it('of a cancellation keeps the payment while it waits for its payer, if the provider cannot cancel it then', async () => {
    const sandbox = api.get(SandboxProvider);
    const capabilities = sandbox.capabilities.bind(sandbox);
    sandbox.capabilities = (credentials) => ({ ...capabilities(credentials), voidsUnfinished: false });
    try {
      const payment = await pay('tok_requires_action', { return_url: 'https://merchant.example/' });
      expect((await call(payment, 'cancel')).body).toMatchObject({
        code: 'provider_unconfirmed',
        detail: 'the payment waits for its payer, and ends by itself at the provider',
      });
      expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing' });
      expect(await heldOf(payment)).toEqual(['open', 0, 0]);
      const held = await pay('tok_authorize_only', { capture: 'manual' });
      expect(dataOf(await call(held, 'cancel'))).toMatchObject({ status: 'cancelled' });
    } finally {
      delete (sandbox as Partial<SandboxProvider>).capabilities;
    }
  });

  it('with tok_refund_fails ends a pending refund, and the amount can be refunded again', async () => {
    const payment = await pay('tok_refund_fails');
    expect(dataOf(await call(payment, 'refunds', { amount: 20 }))).toMatchObject({ status: 'pending' });
    await eventually(async () => expect(await refundsOf(payment)).toMatchObject([{ status: 'failed' }]));
    expect(await heldOf(payment)).toEqual(['captured', 49.9, 0]);
    expect(dataOf(await call(payment, 'refunds'))).toMatchObject({ status: 'pending', amount: 49.9 });
  });

  it('with tok_capture_fails leaves the authorisation, which is then cancelled', async () => {
    const payment = await pay('tok_capture_fails', { capture: 'manual' });
    await call(payment, 'capture', { amount: 20 });
    await eventually(async () => expect(await alarmsOf(payment)).toEqual(['capture_failed']));
    expect((await operationsOf(api, payment.id)).find(({ kind }) => kind === 'capture')).toMatchObject({
      state: 'refused',
    });
    expect(await heldOf(payment)).toEqual(['authorized', 0, 0]);
    dataOf(await call(payment, 'cancel'));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'cancelled', amount_captured: 0 });
    expect(await heldOf(payment)).toEqual(['voided', 0, 0]);
  });

  it('with tok_void_refused keeps the payment and its authorisation', async () => {
    const payment = await pay('tok_void_refused', { capture: 'manual' });
    expect(await call(payment, 'cancel')).toMatchObject({ status: 409, body: { code: 'provider_unconfirmed' } });
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing', amount_authorized: 49.9 });
    expect(await heldOf(payment)).toEqual(['authorized', 0, 0]);
  });

  it('with tok_amount_differs is an alarm, and completes nothing', async () => {
    const payment = await pay('tok_amount_differs');
    await eventually(async () => expect(await alarmsOf(payment)).toEqual(['amount_differs']));
    expect(await merchant.payment(payment.id)).toMatchObject({ status: 'processing', amount_captured: 0 });
    expect(await heldOf(payment)).toEqual(['captured', 49.91, 0]);
  });
});
