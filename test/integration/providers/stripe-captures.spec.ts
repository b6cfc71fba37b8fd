import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CaptureRequest } from '@payment-orchestrator/provider-kit';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import { chargeRequest, operationOn, SECRET_KEY, soon, startStripe } from '../../support/providers/stripe-requests.js';

const CONFIRMED = { outcome: 'confirmed' };

describe('captures at Stripe', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const ledger = () => fake.account(SECRET_KEY).ledger;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);
  const authorized = async (fields: Parameters<typeof chargeRequest>[0] = {}) => {
    const request = chargeRequest({ capture: 'manual', ...fields });
    const answer = await provider.charge(request, soon());
    const operation = (amount = request.amount): CaptureRequest & { reason: undefined } => ({
      ...operationOn(request, answer),
      amount,
      authorizedAmount: request.amount,
      reason: undefined,
    });
    return { id: answer.transactionId ?? '', request, operation };
  };

  beforeAll(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterAll(() => stop());

  it('takes all of an authorisation, once, and says so again', async () => {
    const { request, operation } = await authorized();
    const capture = operation();
    expect(await provider.capture(capture, soon())).toEqual(CONFIRMED);
    expect(await provider.capture(capture, soon())).toEqual(CONFIRMED);
    expect(fake.calls.findLast(({ path }) => path.endsWith('/capture'))?.form).toEqual({ amount_to_capture: '10010' });
    expect(held(request.reference)).toMatchObject([{ status: 'captured', captured: 10010 }]);
    expect(await provider.lookup(capture, soon())).toMatchObject({
      status: 'captured',
      amount: '100.1',
      capturedAmount: '100.1',
    });
  });

  it('takes a part, and Stripe releases the rest', async () => {
    const { request, operation } = await authorized();
    expect(await provider.capture(operation('60'), soon())).toEqual(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ status: 'captured', captured: 6000 }]);
    const state = { status: 'captured', amount: '100.1', capturedAmount: '60' };
    expect(await provider.lookup(operation(), soon())).toMatchObject(state);
    const [charge] = (await provider.listCharges(request, new Date(0), null, soon())).charges;
    expect(charge).toMatchObject({ reference: request.reference, status: 'captured', amount: '60' });
  });

  it('gives back no more than what was captured', async () => {
    const { request, operation } = await authorized();
    await provider.capture(operation('60'), soon());
    expect(await provider.refund(operation('60.01'), soon())).toMatchObject({ outcome: 'refused', retryable: false });
    expect(await provider.refund(operation('60'), soon())).toMatchObject(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ status: 'refunded', refunded: 6000 }]);
    expect(await provider.lookup(operation(), soon())).toMatchObject({ status: 'refunded', refundedAmount: '60' });
  });

  it('takes nothing beyond the authorised amount', async () => {
    const { request, operation } = await authorized();
    const reason = 'Stripe answered 400 amount_too_large';
    const refused = { outcome: 'refused', reason, retryable: false };
    expect(await provider.capture(operation('100.11'), soon())).toEqual(refused);
    expect(held(request.reference)).toMatchObject([{ status: 'authorized' }]);
  });

  it('refuses a second capture of another amount, and confirms one of the same', async () => {
    const { id, operation } = await authorized();
    ledger().captureIntent(id, { amount_to_capture: '6000' });
    expect(await provider.capture(operation('60'), soon())).toEqual(CONFIRMED);
    const reason = 'Stripe captured 60 EUR before';
    expect(await provider.capture(operation('40.1'), soon())).toEqual({ outcome: 'refused', reason, retryable: false });
  });

  it('refuses what has lapsed, was voided, or has no outcome yet', async () => {
    const lapsed = await authorized();
    ledger().expireIntent(lapsed.id);
    const ended = { outcome: 'refused', retryable: false };
    const reason = 'the authorisation has ended at Stripe (expired)';
    expect(await provider.capture(lapsed.operation(), soon())).toEqual({ ...ended, reason });
    const voided = await authorized();
    expect(await provider.void(voided.operation(), soon())).toEqual(CONFIRMED);
    expect(await provider.capture(voided.operation(), soon())).toMatchObject(ended);
    const waiting = await authorized({
      paymentMethod: { token: 'pm_card_threeDSecure2Required' },
      returnUrl: 'https://shop.example/back',
    });
    const capture = waiting.operation();
    expect(await provider.capture(capture, soon())).toMatchObject({ outcome: 'refused', retryable: true });
    ledger().settleIntent(waiting.id, 'succeeded');
    // the same key gets the first refusal again
    expect(await provider.capture(capture, soon())).toMatchObject({ outcome: 'refused', retryable: true });
    expect(await provider.capture(waiting.operation(), soon())).toEqual(CONFIRMED);
  });

  it('voids an authorisation, also when it is asked again or it has lapsed, and not after a capture', async () => {
    const { id, request, operation } = await authorized();
    expect(await provider.void(operation(), soon())).toEqual(CONFIRMED);
    expect(await provider.void(operation(), soon())).toEqual(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ id, status: 'voided', captured: 0 }]);
    const lapsed = await authorized();
    ledger().expireIntent(lapsed.id);
    expect(await provider.void(lapsed.operation(), soon())).toEqual(CONFIRMED);
    const captured = await authorized();
    await provider.capture(captured.operation(), soon());
    expect(await provider.void(captured.operation(), soon())).toMatchObject({ outcome: 'refused', retryable: false });
  });

  it('refunds nothing that is only authorised', async () => {
    const { request, operation } = await authorized();
    expect(await provider.refund(operation(), soon())).toMatchObject({ outcome: 'refused', retryable: false });
    expect(held(request.reference)).toMatchObject([{ status: 'authorized', refunded: 0 }]);
  });

  it.each([
    ['a reset', { when: 'after', what: 'reset' }],
    ['a reset before it was carried out', { when: 'before', what: 'reset' }],
    ['an answer that cannot be read', { when: 'after', what: 'garbage' }],
    ['a 500 that Stripe repeats', { when: 'after', what: 'status', status: 500 }],
  ] as const)('rejects after %s, and learns the outcome from a repeat', async (_name, trouble) => {
    const { request, operation } = await authorized();
    const capture = operation('60');
    fake.injectFault(trouble, { path: /capture$/ });
    await expect(provider.capture(capture, soon())).rejects.toThrow();
    expect(await provider.capture(capture, soon())).toEqual(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ status: 'captured', captured: 6000 }]);
  });

  it('rejects a key that was used otherwise while the authorisation is still there', async () => {
    const { id, request, operation } = await authorized();
    const capture = operation();
    const headers = { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': capture.idempotencyKey };
    const body = new URLSearchParams({ 'metadata[x]': '1', amount: '100', currency: 'eur' });
    await fetch(`${fake.url}/v1/payment_intents`, { method: 'POST', headers, body });
    await expect(provider.capture(capture, soon())).rejects.toThrow('same parameters');
    ledger().captureIntent(id);
    expect(await provider.capture(capture, soon())).toEqual(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ status: 'captured', captured: 10010 }]);
  });

  it('a capture that Stripe turned away may be tried again', async () => {
    const { operation } = await authorized();
    fake.injectFault({ when: 'before', what: 'status', status: 429 }, { path: /capture$/ });
    const turnedAway = { outcome: 'refused', retryable: true, isUnavailable: true };
    expect(await provider.capture(operation(), soon())).toMatchObject(turnedAway);
    expect(await provider.capture(operation(), soon())).toEqual(CONFIRMED);
  });

  it('finds an authorisation by its reference', async () => {
    const { request, operation } = await authorized();
    expect(await provider.capture({ ...operation(), transactionId: null }, soon())).toEqual(CONFIRMED);
    expect(held(request.reference)).toMatchObject([{ status: 'captured' }]);
    const unknown = { ...operationOn(chargeRequest()), authorizedAmount: '100.10' };
    await expect(provider.capture(unknown, soon())).rejects.toThrow("Stripe's search does not find");
  });

  it('refuses an amount that Stripe cannot express, without a call', async () => {
    const { operation } = await authorized({ currency: 'KWD', amount: '5.12' });
    const calls = fake.calls.length;
    const reason = 'Stripe accepts KWD only in multiples of 0.01';
    expect(await provider.capture(operation('1.001'), soon())).toMatchObject({ outcome: 'refused', reason });
    expect(fake.calls).toHaveLength(calls);
  });
});
