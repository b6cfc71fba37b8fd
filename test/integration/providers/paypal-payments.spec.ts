import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargeRequest, IncomingNotification } from '@payment-orchestrator/provider-kit';
import { PAYPAL_CREDENTIALS, paypalCharge, startPayPal, WEBHOOK_ID } from '../../support/providers/paypal-requests.js';
import { soon } from '../../support/providers/stripe-requests.js';
import { signedEvent, type Signer } from '../../support/servers/paypal/paypal-notifications.js';
import { refusal, unprocessable } from '../../support/servers/paypal/paypal-objects.js';

const BY_REDIRECT = { paymentMethod: { type: 'paypal' } };

describe('the connector of PayPal, beyond the conformance', () => {
  let started: Awaited<ReturnType<typeof startPayPal>>;
  beforeAll(async () => {
    started = await startPayPal();
  });
  afterAll(() => started.stop());

  async function begin(fields: Partial<ChargeRequest> = {}) {
    const { provider, account } = started;
    const request = paypalCharge(fields);
    const answer = await provider.charge(request, soon());
    const transactionId = answer.transactionId ?? null;
    const later = () => ({
      ...request,
      transactionId,
      operationId: null,
      idempotencyKey: randomUUID(),
      chargeIdempotencyKey: null,
      reason: undefined,
    });
    const complete = (data: Record<string, unknown> = {}) => provider.completeAction(later(), data, soon());
    return { request, answer, later, complete, order: () => account.order(answer.transactionId) };
  }

  describe('the payer’s approval', () => {
    it('PayPal is asked for an approval, with the reference and the way back', async () => {
      const { request, answer, order } = await begin(BY_REDIRECT);
      expect(answer).toMatchObject({ outcome: 'processing', nextAction: { type: 'redirect', method: 'GET' } });
      const { custom_id: custom, wallet } = order();
      expect(custom).toBe(request.reference);
      const context = { return_url: request.returnUrl, cancel_url: request.returnUrl };
      expect(wallet.experience_context).toMatchObject(context);
    });

    it('lets the money be taken once, for any number of calls at once and later', async () => {
      const { answer, later, complete, order } = await begin(BY_REDIRECT);
      started.account.approve(answer.transactionId);
      expect(await started.provider.lookup(later(), soon())).toMatchObject({ status: 'open', isApproved: true });
      const answers = await Promise.all([complete({ token: answer.transactionId }), complete()]);
      for (const one of [...answers, await complete()]) expect(one).toMatchObject({ outcome: 'approved' });
      expect(order().captures).toHaveLength(1);
    });

    it('the payer may still act before it, and the order of another payment is refused', async () => {
      const [one, other] = [await begin(BY_REDIRECT), await begin(BY_REDIRECT)];
      const { nextAction } = one.answer as { nextAction: object };
      expect(await one.complete()).toMatchObject({ outcome: 'processing', nextAction });
      await expect(one.complete({ token: other.answer.transactionId })).rejects.toMatchObject({
        code: 'validation_failed',
      });
    });

    it.each([
      ['INSTRUMENT_DECLINED', { outcome: 'processing', nextAction: { type: 'redirect' } }],
      ['PAYER_ACCOUNT_RESTRICTED', { outcome: 'declined', declineCode: 'invalid_account' }],
      ['TRANSACTION_REFUSED', { outcome: 'soft_declined', declineCode: 'payment_attempt_failed' }],
    ])('the money is not taken: %s', async (issue, expected) => {
      const { answer, complete } = await begin(BY_REDIRECT);
      started.account.approve(answer.transactionId, { issue });
      expect(await complete()).toMatchObject({ ...expected, transactionId: answer.transactionId });
    });

    it('with another card after a declined one is charged', async () => {
      const { answer, complete } = await begin(BY_REDIRECT);
      started.account.approve(answer.transactionId, { issue: 'INSTRUMENT_DECLINED' });
      await complete();
      started.account.approve(answer.transactionId);
      expect(await complete()).toMatchObject({ outcome: 'approved' });
    });
  });

  it.each<[Partial<ChargeRequest>, string]>([
    [{ paymentMethod: { token: 'of_another_account' } }, 'payment_method_unusable'],
    [{ ...BY_REDIRECT, returnUrl: undefined }, 'request_refused'],
    [{ currency: 'KWD' }, 'currency_not_supported'],
    [{ amount: '0.001' }, 'invalid_amount'],
  ])('lets another shop charge: %j is %s', async (fields, declineCode) => {
    expect((await begin(fields)).answer).toMatchObject({ outcome: 'soft_declined', declineCode });
  });

  it('saves a wallet, charges it without the payer, and forgets it', async () => {
    const first = await begin({ ...BY_REDIRECT, save: true });
    started.account.approve(first.answer.transactionId);
    const saved = await first.complete();
    const { token } = (saved as { savedMethod: { token: string } }).savedMethod;
    const fields = { paymentMethod: { token }, returnUrl: undefined, initiator: 'merchant' } as const;
    const next = await begin({ ...fields, agreement: 'subscription' });
    expect(next.answer).toMatchObject({ outcome: 'approved' });
    expect(next.order().wallet.stored_credential).toMatchObject({ payment_initiator: 'MERCHANT' });
    const detach = () => started.provider.detach({ token, credentials: PAYPAL_CREDENTIALS }, soon());
    expect([await detach(), await detach()]).toEqual([{ outcome: 'confirmed' }, { outcome: 'not_found' }]);
    expect((await begin(fields)).answer).toMatchObject({ declineCode: 'payment_method_unusable' });
  });

  it('requests one access token for many calls, and a new one when it is refused', async () => {
    const tokens = () => started.fake.calls.filter(({ path }) => path === '/v1/oauth2/token').length;
    await begin();
    const before = tokens();
    await Promise.all([begin(), begin(), begin()]);
    expect(tokens()).toBe(before);
    started.fake.expireTokens();
    expect((await begin()).answer).toMatchObject({ outcome: 'approved' });
    expect(tokens()).toBe(before + 1);
  });

  it('an order that PayPal has forgotten is not found, and there is nothing to void', async () => {
    const { answer, later } = await begin(BY_REDIRECT);
    started.account.expire(answer.transactionId);
    expect(await started.provider.lookup(later(), soon())).toEqual({ status: 'not_found' });
    expect(await started.provider.void(later(), soon())).toEqual({ outcome: 'confirmed' });
  });

  it('finds a refund by the key of its call, and returns only the rest in a reversal', async () => {
    const { later, order } = await begin();
    const part = { ...later(), amount: '40.10', kind: 'refund' } as const;
    const { operationId } = await started.provider.refund(part, soon());
    expect(await started.provider.lookupOperation(part, soon())).toMatchObject({ operationId });
    const refundRest = () => started.provider.refund({ ...later(), isRest: true }, soon());
    expect(await refundRest()).toMatchObject({ outcome: 'confirmed' });
    expect(order().refunds.map(({ amount }) => amount.value)).toEqual(['40.10', '60.00']);
    expect(await refundRest()).toEqual({ outcome: 'confirmed' });
  });

  it.each([
    [unprocessable('REFUND_FAILED_INSUFFICIENT_FUNDS'), { retryable: true, code: 'refund_failed_insufficient_funds' }],
    [unprocessable('REFUND_TIME_LIMIT_EXCEEDED'), { retryable: false, code: 'refund_time_limit_exceeded' }],
    [refusal(429), { retryable: true, isUnavailable: true }],
  ])('a refund is refused: %j', async ({ status, body }, expected) => {
    const { later } = await begin();
    started.wire.answerNext(status, body, { line: /refund$/ });
    expect(await started.provider.refund(later(), soon())).toMatchObject({ outcome: 'refused', ...expected });
  });

  describe('a notification', () => {
    const parse = (body: object | string, signer: Signer, change: Record<string, string> = {}) => {
      const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
      const { headers } = signedEvent(rawBody, WEBHOOK_ID, signer);
      const incoming: IncomingNotification = { shopId: 1, query: {}, rawBody, headers: { ...headers, ...change } };
      return started.provider.parseNotification(incoming, PAYPAL_CREDENTIALS, soon());
    };
    const current = () => started.fake.signer('CERT-current');
    const event = (event_type: string, resource: object) => ({
      id: 'WH-1',
      create_time: '2026-11-30T12:00:00Z',
      event_type,
      resource,
    });
    const IGNORED = event('CUSTOMER.MERCHANT-INTEGRATION.PRODUCT-SUBSCRIPTION-UPDATED', { id: 'x' });

    it.each([
      ['another host', (url: string) => url.replace('127.0.0.1', '127.0.0.2')],
      ['a host with PayPal’s name in it', () => 'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1'],
      ['another path of PayPal', (url: string) => url.replace('certs', 'webhooks')],
      ['a parameter', (url: string) => `${url}?x=1`],
      ['a certificate that PayPal does not have', (url: string) => `${url}-none`],
      ['no address', () => 'CERT-1'],
    ])('whose certificate has %s is forged', async (_, change) => {
      const forged = parse(IGNORED, current(), { 'paypal-cert-url': change(current().url) });
      await expect(forged).rejects.toMatchObject({ code: 'invalid_signature' });
    });

    it('whose certificate has ended is forged, and one with another algorithm too', async () => {
      const ended = started.fake.signer('CERT-ended', { notAfter: new Date(Date.now() - 60_000) });
      await expect(parse(IGNORED, ended)).rejects.toMatchObject({ code: 'invalid_signature' });
      const other = parse(IGNORED, current(), { 'paypal-auth-algo': 'SHA1withRSA' });
      await expect(other).rejects.toMatchObject({ code: 'invalid_signature' });
    });

    it('one whose certificate cannot be fetched has to come again; a certificate is fetched once', async () => {
      const signer = started.fake.signer('CERT-next');
      const fetched = () => started.wire.exchanges.filter(({ line }) => line.endsWith('CERT-next')).length;
      started.wire.answerNext(503, {}, { line: /CERT-next$/ });
      await expect(parse(IGNORED, signer)).rejects.toMatchObject({ code: 'dependency_unavailable' });
      for (let count = 0; count < 3; count++) expect((await parse(IGNORED, signer)).events).toHaveLength(1);
      expect(fetched()).toBe(2);
    });

    it('of a refund in PayPal’s dashboard names its capture, which PayPal is asked for', async () => {
      const { request, order } = await begin();
      const [capture] = order().captures;
      const links = [{ rel: 'up', href: `https://api-m.sandbox.paypal.com/v2/payments/captures/${capture!.id}` }];
      const resource = { id: 'R1', status: 'COMPLETED', amount: { currency_code: 'EUR', value: '5.00' }, links };
      const { events } = await parse(event('PAYMENT.CAPTURE.REFUNDED', resource), current());
      const expected = {
        status: 'refunded',
        operationId: 'R1',
        amount: '5.00',
        match: { reference: request.reference },
      };
      expect(events).toMatchObject([expected]);
    });

    it('of another system in the account is ignored', async () => {
      const resource = { id: 'C1', custom_id: 'ORDER-1', amount: { currency_code: 'EUR', value: '5.00' } };
      const { events } = await parse(event('PAYMENT.CAPTURE.COMPLETED', resource), current());
      expect(events).toMatchObject([{ status: 'ignored' }]);
    });

    it.each([
      [
        { status: 'WAITING_FOR_SELLER_RESPONSE', dispute_life_cycle_stage: 'INQUIRY' },
        { kind: 'inquiry', status: 'open' },
      ],
      [{ status: 'UNDER_REVIEW' }, { kind: 'chargeback', status: 'under_review' }],
      [{ status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_BUYER_FAVOUR' } }, { status: 'lost' }],
      [{ status: 'RESOLVED', dispute_outcome: { outcome_code: 'RESOLVED_WITH_PAYOUT' } }, { status: 'won' }],
      [{ status: 'RESOLVED', dispute_outcome: { outcome_code: 'ACCEPTED' } }, { status: 'accepted' }],
    ])('reports a dispute: %j', async (fields, expected) => {
      const { answer } = await begin();
      started.account.dispute(answer.transactionId, fields);
      const { events } = await parse(started.account.webhook.all.at(-1)!.body, current());
      const dispute = { ...expected, amount: '100.10', evidenceDueBy: expect.any(Date) };
      expect(events).toMatchObject([{ status: 'disputed', dispute }]);
    });
  });

  it.each([
    [200, {}, 'unknown'],
    [401, {}, 'refused'],
    [503, {}, 'unknown'],
  ])('takes %d %j for credentials that are %s', async (status, body, outcome) => {
    started.wire.answerNext(status, body);
    expect(await started.provider.checkCredentials(PAYPAL_CREDENTIALS, soon())).toMatchObject({ outcome });
  });
});
