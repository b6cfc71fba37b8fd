import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import { chargeRequest, operationOn, SECRET_KEY, soon, startStripe } from '../../support/providers/stripe-requests.js';

const WAITING = { paymentMethod: { token: 'pm_card_threeDSecure2Required' }, returnUrl: 'https://shop.example/back' };

const REFUNDED = { outcome: 'confirmed', operationId: expect.stringMatching(/^re_/) };

describe('voids and refunds at Stripe', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const ledger = () => fake.account(SECRET_KEY).ledger;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);
  const charged = async (fields: Parameters<typeof chargeRequest>[0] = {}) => {
    const request = chargeRequest(fields);
    const answer = await provider.charge(request, soon());
    return { request, operation: () => ({ ...operationOn(request, answer), reason: undefined }) };
  };

  beforeAll(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterAll(() => stop());

  it('cancels a payment that waits for the payer, and confirms a repeat', async () => {
    const { request, operation } = await charged(WAITING);
    expect(await provider.void(operation(), soon())).toEqual({ outcome: 'confirmed' });
    expect(await provider.void(operation(), soon())).toEqual({ outcome: 'confirmed' });
    expect(held(request.reference)).toMatchObject([{ status: 'voided' }]);
    expect(await provider.lookup(operation(), soon())).toMatchObject({ status: 'voided' });
  });

  it('refuses to void a captured payment, and shows it', async () => {
    const { operation } = await charged();
    const reason = 'the payment is succeeded at Stripe';
    const charge = await provider.lookup(operation(), soon());
    expect(charge).toMatchObject({ status: 'captured' });
    expect(await provider.void(operation(), soon())).toEqual({ outcome: 'refused', reason, retryable: false, charge });
  });

  it('returns the present state when a refused void is repeated', async () => {
    const { operation } = await charged({ paymentMethod: { token: 'pm_usBankAccount_success' } });
    const voided = operation();
    expect(await provider.void(voided, soon())).toMatchObject({ outcome: 'refused', retryable: true });
    ledger().settleIntent(voided.transactionId ?? '', 'succeeded');
    expect(await provider.void(voided, soon())).toMatchObject({ outcome: 'refused', retryable: false });
  });

  it('refunds everything once, and confirms repeats', async () => {
    const { request, operation } = await charged();
    const refund = { ...operation(), reason: 'r'.repeat(600) };
    expect(await provider.refund(refund, soon())).toEqual(REFUNDED);
    expect(await provider.refund(refund, soon())).toEqual(REFUNDED);
    expect(await provider.refund(operation(), soon())).toEqual(REFUNDED);
    expect(held(request.reference)).toMatchObject([{ status: 'refunded' }]);
    expect(await provider.lookup(operation(), soon())).toMatchObject({ status: 'refunded', amount: '100.1' });
    const { transactionId } = refund;
    expect([...ledger().refunds.values()].filter((made) => made.payment_intent === transactionId)).toHaveLength(1);
  });

  it('refunds the rest of a charge that must be reversed, after a refund in the dashboard', async () => {
    const { request, operation } = await charged();
    ledger().createRefund({ payment_intent: operation().transactionId!, amount: '4000' });
    const reversal = { ...operation(), isRest: true };
    expect(await provider.refund(reversal, soon())).toEqual(REFUNDED);
    expect(await provider.refund(reversal, soon())).toEqual(REFUNDED);
    expect(held(request.reference)).toMatchObject([{ status: 'refunded', captured: 10010, refunded: 10010 }]);
  });

  it('refunds parts of a charge, each once, up to what was captured', async () => {
    const { request, operation } = await charged();
    const part = { ...operation(), amount: '40.05' };
    const first = await provider.refund(part, soon());
    expect(await provider.refund(part, soon())).toEqual(first);
    expect(await provider.lookup(part, soon())).toMatchObject({ status: 'captured', refundedAmount: '40.05' });
    const second = await provider.refund({ ...operation(), amount: '40.05' }, soon());
    expect(second).toEqual(REFUNDED);
    expect(second).not.toEqual(first);
    const tooMuch = await provider.refund({ ...operation(), amount: '20.01' }, soon());
    const reason = 'less than this amount is left at Stripe';
    expect(tooMuch).toEqual({ outcome: 'refused', code: 'amount_exceeds_captured', reason, retryable: false });
    expect(await provider.refund({ ...operation(), amount: '20' }, soon())).toEqual(REFUNDED);
    expect(held(request.reference)).toMatchObject([{ status: 'refunded', captured: 10010, refunded: 10010 }]);
    const state = { status: 'refunded', amount: '100.1', capturedAmount: '100.1', refundedAmount: '100.1' };
    expect(await provider.lookup(part, soon())).toMatchObject(state);
    expect(await provider.refund({ ...operation(), amount: '0.01' }, soon())).toEqual({
      outcome: 'refused',
      code: 'already_refunded',
      reason: 'all of the charge is already refunded at Stripe',
      retryable: false,
    });
  });

  it('finds each of many refunds of a charge by its id and by its key, and sums all of them', async () => {
    const { operation } = await charged();
    const refunds = [];
    for (let n = 0; n < 12; n += 1) {
      const request = { ...operation(), amount: '1' };
      refunds.push({ request, answer: await provider.refund(request, soon()) });
    }
    for (const { request, answer } of [refunds[0]!, refunds[11]!]) {
      const operationId = 'operationId' in answer ? answer.operationId! : '';
      for (const id of [operationId, null])
        expect(await provider.lookupOperation({ ...request, kind: 'refund', operationId: id }, soon())).toEqual(answer);
    }
    expect(await provider.lookup(operation(), soon())).toMatchObject({ status: 'captured', refundedAmount: '12' });
  });

  it('counts no pending and no failed refund as given back', async () => {
    const { operation } = await charged({ paymentMethod: { token: 'pm_card_pendingRefund' } });
    const answer = await provider.refund({ ...operation(), amount: '30' }, soon());
    const state = async () => provider.lookup(operation(), soon());
    expect(await state()).not.toHaveProperty('refundedAmount');
    ledger().settleRefund(answer.outcome === 'pending' ? answer.operationId : '', 'succeeded');
    expect(await state()).toMatchObject({ status: 'captured', refundedAmount: '30' });
    ledger().settleRefund(answer.outcome === 'pending' ? answer.operationId : '', 'failed');
    expect(await state()).not.toHaveProperty('refundedAmount');
  });

  it('refuses more than what a refund at the dashboard has left', async () => {
    const { operation } = await charged();
    const refund = operation();
    ledger().createRefund({ payment_intent: refund.transactionId ?? '', amount: '10' });
    expect(await provider.lookup(refund, soon())).toMatchObject({ status: 'captured', refundedAmount: '0.1' });
    expect(await provider.refund(refund, soon())).toMatchObject({ outcome: 'refused', retryable: false });
    expect(await provider.refund({ ...operation(), amount: '100' }, soon())).toEqual(REFUNDED);
    expect(await provider.lookup(refund, soon())).toMatchObject({ status: 'refunded' });
  });

  it('finds the refund of a key that was used with other parameters', async () => {
    const { operation } = await charged();
    const refund = operation();
    // an older version sends no amount
    const body = new URLSearchParams({
      payment_intent: refund.transactionId ?? '',
      'metadata[reference]': refund.reference,
      'metadata[operation]': refund.idempotencyKey,
    });
    const headers = { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': refund.idempotencyKey };
    const { id } = (await (await fetch(`${fake.url}/v1/refunds`, { method: 'POST', headers, body })).json()) as {
      id: string;
    };
    expect(await provider.refund(refund, soon())).toEqual({ outcome: 'confirmed', operationId: id });
  });

  it('returns pending for a pending refund, also when repeated', async () => {
    const { operation } = await charged({ paymentMethod: { token: 'pm_card_pendingRefund' } });
    const refund = operation();
    const answer = await provider.refund(refund, soon());
    expect(answer).toEqual({ outcome: 'pending', operationId: expect.stringMatching(/^re_/) });
    expect(await provider.refund(operation(), soon())).toEqual(answer);
    expect(await provider.lookup(refund, soon())).toMatchObject({ status: 'captured' });
    ledger().settleRefund(answer.outcome === 'pending' ? answer.operationId : '', 'succeeded');
    expect(await provider.lookup(refund, soon())).toMatchObject({ status: 'refunded' });
    expect(await provider.refund(operation(), soon())).toEqual(REFUNDED);
  });

  it('refuses for now while a refund that is not ours is pending', async () => {
    const { operation } = await charged({ paymentMethod: { token: 'pm_card_pendingRefund' } });
    const refund = operation();
    const other = ledger().createRefund({ payment_intent: refund.transactionId ?? '' });
    const refused = { outcome: 'refused', retryable: true, reason: expect.stringContaining(other.id) };
    expect(await provider.refund(refund, soon())).toMatchObject(refused);
    ledger().settleRefund(other.id, 'succeeded');
    expect(await provider.refund(operation(), soon())).toEqual({ outcome: 'confirmed', operationId: other.id });
  });

  it.each([
    ['pm_card_pendingRefund', 'succeeded', 'confirmed'],
    ['pm_card_pendingRefund', 'failed', 'refused'],
    ['pm_card_refundAsks', 'canceled', 'refused'],
    ['pm_card_refundAsks', 'succeeded', 'confirmed'],
  ] as const)('looks a refund up, by its id and by its key: %s, then %s', async (token, status, outcome) => {
    ledger().tokens.set('pm_card_refundAsks', { charge: 'succeeds', refund: 'requires_action' });
    const { operation } = await charged({ paymentMethod: { token: token } });
    const refund = operation();
    const answer = await provider.refund(refund, soon());
    const operationId = answer.outcome === 'pending' ? answer.operationId : '';
    const lookUp = (id: string | null) =>
      provider.lookupOperation({ ...refund, kind: 'refund', operationId: id }, soon());
    expect([await lookUp(operationId), await lookUp(null)]).toEqual([answer, answer]);
    ledger().settleRefund(operationId, status);
    for (const id of [operationId, null]) expect(await lookUp(id)).toMatchObject({ outcome, operationId });
    const another = { ...operation(), kind: 'refund', operationId: null } as const;
    expect(await provider.lookupOperation(another, soon())).toEqual({ outcome: 'not_found' });
  });

  it('refuses to refund a payment that was never captured', async () => {
    const { operation } = await charged(WAITING);
    expect(await provider.refund(operation(), soon())).toMatchObject({ outcome: 'refused', retryable: false });
  });

  it('repeats a refund that Stripe rejected with 429', async () => {
    const { operation } = await charged();
    fake.injectFault({ when: 'before', what: 'status', status: 429 }, { path: /refunds/ });
    expect(await provider.refund(operation(), soon())).toMatchObject({ outcome: 'refused', retryable: true });
    expect(await provider.refund(operation(), soon())).toEqual(REFUNDED);
  });

  it.each(['reset', 'garbage'] as const)(
    'rejects a refund whose answer got lost (%s), and repeats it safely',
    async (what) => {
      const { request, operation } = await charged();
      const refund = operation();
      fake.injectFault({ when: 'after', what }, { path: /refunds/ });
      await expect(provider.refund(refund, soon())).rejects.toThrow();
      expect(await provider.refund(refund, soon())).toEqual(REFUNDED);
      expect(held(request.reference)).toMatchObject([{ status: 'refunded' }]);
    },
  );

  it('rejects a look-up of an id that this account does not have', async () => {
    const operation = { ...operationOn(chargeRequest()), transactionId: 'pi_of_another_account' };
    await expect(provider.lookup(operation, soon())).rejects.toMatchObject({ code: 'resource_missing' });
  });
});
