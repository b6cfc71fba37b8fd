import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ChargeRequest, NextAction } from '@payment-orchestrator/provider-kit';
import {
  ADYEN_CREDENTIALS,
  startAdyen,
  adyenCharge,
  MERCHANT_ACCOUNT,
} from '../../support/providers/adyen-requests.js';
import { operationOn, soon } from '../../support/providers/stripe-requests.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';
import { redirectOf } from '../../support/providers/redirect-of.js';

const BACK = 'https://shop.example/back?order=7';

describe('voids, refunds and redirects at Adyen', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const lastEvent = () => fake.account(MERCHANT_ACCOUNT).webhooks.all.at(-1);
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);
  const charged = async (method: string, fields: Partial<ChargeRequest> = {}) => {
    const request = adyenCharge(method, fields);
    const answer = await provider.charge(request, soon());
    const operation = () => ({ ...operationOn(request, answer), reason: undefined, capture: request.capture });
    return { request, answer, operation };
  };
  /** Acts as the payer on the issuer's page. Returns the query of the redirect back. */
  const authenticate = async (
    answer: { nextAction?: NextAction },
    outcome: 'approve' | 'decline',
  ): Promise<Record<string, string>> => {
    const body = new URLSearchParams({ outcome });
    const page = await fetch(redirectOf(answer), { method: 'POST', body, redirect: 'manual' });
    const back = new URL(page.headers.get('location') ?? '');
    expect(back.href.startsWith(BACK)).toBe(true);
    return Object.fromEntries(back.searchParams);
  };
  const redirected = async () => {
    const payment = await charged('REDIRECT', { returnUrl: BACK });
    if (payment.answer.outcome !== 'processing') throw new Error('no redirect');
    return { ...payment, answer: payment.answer };
  };

  beforeAll(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterAll(() => stop());

  it("requests a void by Adyen's id, whose outcome comes later", async () => {
    const { request, operation } = await charged('PENDING');
    const answer = await provider.void(operation(), soon());
    expect(answer).toEqual({ outcome: 'pending', operationId: lastEvent()?.pspReference });
    expect(lastEvent()).toMatchObject({
      eventCode: 'CANCELLATION',
      success: 'true',
      merchantReference: request.reference,
    });
    expect(held(request.reference)).toMatchObject([{ status: 'voided' }]);
  });

  it('requests a void by our reference while there is no id', async () => {
    const { request, operation } = await redirected();
    expect(operation().transactionId).toBeNull();
    expect(await provider.void(operation(), soon())).toMatchObject({ outcome: 'pending' });
    expect(fake.calls.at(-1)).toMatchObject({ path: '/v72/cancels', body: { paymentReference: request.reference } });
    expect(lastEvent()).toMatchObject({ eventCode: 'TECHNICAL_CANCEL', success: 'true' });
    expect(held(request.reference)).toMatchObject([{ status: 'voided' }]);
  });

  it('leaves it to a notification that a void was too late, or had nothing to void', async () => {
    const { operation } = await charged('AUTHORISED');
    expect(await provider.void(operation(), soon())).toMatchObject({ outcome: 'pending' });
    expect(lastEvent()).toMatchObject({ eventCode: 'CANCELLATION', success: 'false' });
    expect(await provider.void(operationOn(adyenCharge('AUTHORISED')), soon())).toMatchObject({ outcome: 'pending' });
    expect(lastEvent()).toMatchObject({ eventCode: 'TECHNICAL_CANCEL', success: 'false' });
  });

  it('confirms the void of an amount that was never sent', async () => {
    const request = adyenCharge('AUTHORISED', { currency: 'IDR', amount: '1.5' });
    expect(await provider.void(operationOn(request), soon())).toEqual({ outcome: 'confirmed' });
  });

  it('requests a full refund, whose outcome comes later', async () => {
    const { request, operation } = await charged('AUTHORISED', { currency: 'ISK', amount: '2790' });
    const refund = operation();
    const answer = await provider.refund(refund, soon());
    expect(answer).toEqual({ outcome: 'pending', operationId: lastEvent()?.pspReference });
    expect(await provider.refund(refund, soon())).toEqual(answer);
    expect(fake.calls.at(-1)?.body).toMatchObject({ amount: { value: 279_000, currency: 'ISK' } });
    expect(lastEvent()).toMatchObject({ eventCode: 'REFUND', success: 'true', merchantReference: request.reference });
    expect(held(request.reference)).toMatchObject([{ status: 'refunded' }]);
  });

  it('refuses a refund for now while the id is unknown', async () => {
    const { operation } = await redirected();
    expect(await provider.refund(operation(), soon())).toMatchObject({ outcome: 'refused', retryable: true });
  });

  it.each([
    ['a payment unknown to Adyen', { transactionId: 'BBBBCCCCDDDDFFFF' }, false, '422 167'],
    ['an invalid API key', { credentials: { ...ADYEN_CREDENTIALS, api_key: 'a_revoked_key_1234567' } }, true, '401'],
  ])('refuses voids and refunds of %s', async (_name, fields, retryable, reason) => {
    const { operation } = await charged('AUTHORISED');
    const expected = { outcome: 'refused', retryable, reason: expect.stringContaining(reason) };
    expect(await provider.refund({ ...operation(), ...fields }, soon())).toMatchObject(expected);
    expect(await provider.void({ ...operation(), ...fields }, soon())).toMatchObject(expected);
  });

  it('sends the payer to the issuer and completes the charge after their return', async () => {
    const { request, answer, operation } = await redirected();
    expect(answer).toEqual({
      outcome: 'processing',
      nextAction: { type: 'redirect', method: 'GET', url: expect.stringContaining(`${fake.url}/3ds/`) },
    });
    const query = await authenticate(answer, 'approve');
    expect(held(request.reference)).toMatchObject([{ status: 'open' }]);
    const completed = await provider.completeAction(operation(), query, soon());
    const [transaction] = held(request.reference);
    expect(transaction).toMatchObject({ status: 'captured' });
    expect(completed).toMatchObject({ outcome: 'approved', transactionId: transaction?.id });
    expect(lastEvent()).toMatchObject({ eventCode: 'AUTHORISATION', success: 'true', pspReference: transaction?.id });
  });

  it('declines after a failed authentication', async () => {
    const { answer, operation } = await redirected();
    const query = await authenticate(answer, 'decline');
    const completed = await provider.completeAction(operation(), query, soon());
    expect(completed).toMatchObject({ outcome: 'declined', declineCode: 'authentication_failed' });
  });

  it('returns the same answer after a reload, or after a lost answer', async () => {
    const { request, answer, operation } = await redirected();
    const query = await authenticate(answer, 'approve');
    fake.injectFault({ when: 'after', what: 'reset' }, { path: /details$/ });
    await expect(provider.completeAction(operation(), query, soon())).rejects.toThrow();
    const first = await provider.completeAction(operation(), query, soon());
    expect(first).toMatchObject({ outcome: 'approved' });
    expect(await provider.completeAction(operation(), query, soon())).toEqual(first);
    expect(held(request.reference)).toHaveLength(1);
  });

  it("rejects another payment's return", async () => {
    const [mine, other] = [await redirected(), await redirected()];
    const query = await authenticate(other.answer, 'approve');
    await expect(provider.completeAction(mine.operation(), query, soon())).rejects.toMatchObject({
      errors: [{ field: 'details', message: 'are about another payment' }],
    });
    expect(held(mine.request.reference)).toMatchObject([{ status: 'open' }]);
  });

  it('Adyen only authorises a manual payment after the redirect, and captures it once when asked', async () => {
    const payment = await charged('REDIRECT', { returnUrl: BACK, capture: 'manual' });
    if (payment.answer.outcome !== 'processing') throw new Error('no redirect');
    const query = await authenticate(payment.answer, 'approve');
    const answer = await provider.completeAction(payment.operation(), query, soon());
    expect(answer).toMatchObject({ outcome: 'authorized', captureBefore: expect.any(Date) });
    expect(held(payment.request.reference)).toMatchObject([{ status: 'authorized' }]);
    const capture = { ...payment.operation(), transactionId: answer.transactionId ?? null, authorizedAmount: '100.10' };
    const captured = await provider.capture({ ...capture, amount: '60.00' }, soon());
    expect(captured).toEqual({ outcome: 'pending', operationId: lastEvent()?.pspReference });
    expect(await provider.capture({ ...capture, amount: '60.00' }, soon())).toEqual(captured);
    expect(held(payment.request.reference)).toMatchObject([{ status: 'captured', captured: 6_000 }]);
  });

  it('Adyen accepts a capture or refund beyond the payment, and refuses it by a notification', async () => {
    const { request, answer, operation } = await charged('AUTHORISED', { capture: 'manual' });
    expect(answer.outcome).toBe('authorized');
    const capture = { ...operation(), authorizedAmount: '100.10' };
    expect(await provider.capture({ ...capture, amount: '100.11' }, soon())).toMatchObject({ outcome: 'pending' });
    expect(lastEvent()).toMatchObject({ eventCode: 'CAPTURE', success: 'false' });
    await provider.capture({ ...capture, idempotencyKey: 'another', amount: '60.00' }, soon());
    const refund = (amount: string) => provider.refund({ ...operation(), amount }, soon());
    expect(await refund('60.01')).toMatchObject({ outcome: 'pending' });
    expect(lastEvent()).toMatchObject({
      eventCode: 'REFUND',
      success: 'false',
      reason: 'Insufficient balance on payment',
    });
    await refund('20.00');
    expect(lastEvent()).toMatchObject({ eventCode: 'REFUND', success: 'true', amount: { value: 2_000 } });
    await refund('40.00');
    expect(held(request.reference)).toMatchObject([{ status: 'refunded', captured: 6_000, refunded: 6_000 }]);
  });

  it('Adyen captures nothing of a payment whose id is unknown', async () => {
    const capture = { ...(await charged('AUTHORISED')).operation(), transactionId: null, authorizedAmount: '100.10' };
    expect(await provider.capture(capture, soon())).toMatchObject({ outcome: 'refused', retryable: true });
  });

  it.each([{}, { redirectResult: '' }, { redirectResult: 'made-up' }])('rejects a return with %j', async (query) => {
    const { operation } = await redirected();
    await expect(provider.completeAction(operation(), query as Record<string, string>, soon())).rejects.toThrow();
  });
});
