import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargeRequest, IncomingNotification } from '@payment-orchestrator/provider-kit';
import { eventually } from '../../support/eventually.js';
import {
  AUTHORIZATION,
  CHECKOUT_CREDENTIALS,
  checkoutCharge,
  SIGNATURE_KEY,
  startCheckout,
} from '../../support/providers/checkout-requests.js';
import { soon } from '../../support/providers/stripe-requests.js';
import { type Endpoint, signEvent } from '../../support/servers/checkout/checkout-events.js';
import { tokenOf } from '../../support/servers/checkout/checkout-objects.js';

type Body = Record<string, unknown>;

describe('the connector of Checkout.com, beyond the conformance', () => {
  let started: Awaited<ReturnType<typeof startCheckout>>;
  beforeAll(async () => {
    started = await startCheckout();
  });
  afterAll(() => started.stop());

  async function begin(fields: Partial<ChargeRequest> = {}) {
    const request = checkoutCharge(fields);
    const answer = await started.provider.charge(request, soon());
    const later = (more: object = {}) => ({
      ...request,
      transactionId: answer.transactionId ?? null,
      operationId: null,
      idempotencyKey: randomUUID(),
      chargeIdempotencyKey: null,
      reason: undefined,
      authorizedAmount: request.amount,
      ...more,
    });
    const sent = (): Body => JSON.parse(started.fake.calls.at(-1)!.body) as Body;
    return { request, answer, later, sent };
  }

  it.each<[string, Partial<ChargeRequest>, Body]>([
    [
      'a card',
      {},
      { capture: true, '3ds': { enabled: true, attempt_n3d: true }, source: { store_for_future_use: false } },
    ],
    ['a later capture', { capture: 'manual' }, { capture: false }],
    [
      'without the payer',
      { returnUrl: undefined, initiator: 'merchant' },
      { merchant_initiated: true, payment_type: 'Unscheduled' },
    ],
    ['dinars, whose last digit is 0', { amount: '5.12', currency: 'KWD' }, { amount: 5_120, currency: 'KWD' }],
    ['whole yen', { amount: '500', currency: 'JPY' }, { amount: 500 }],
    ['pesos in hundredths', { amount: '500', currency: 'CLP' }, { amount: 50_000 }],
    [
      'the payer’s address',
      { payer: { ipAddress: '90.197.169.245', billingAddress: { line1: '1 Main St', country: 'AE' } } },
      { payment_ip: '90.197.169.245', source: { billing_address: { address_line1: '1 Main St', country: 'AE' } } },
    ],
    [
      'a processing channel',
      { credentials: { ...CHECKOUT_CREDENTIALS, processing_channel_id: `pc_${'a'.repeat(26)}` } },
      { processing_channel_id: `pc_${'a'.repeat(26)}` },
    ],
  ])('charges %s', async (_, fields, expected) => {
    const { sent, request } = await begin(fields);
    expect(sent()).toMatchObject({ reference: request.reference, metadata: { payment_id: '7' }, ...expected });
  });

  it.each<[Partial<ChargeRequest>, string]>([
    [{ paymentMethod: { token: 'pm_card_visa' } }, 'payment_method_unusable'],
    [{ paymentMethod: { token: tokenOf('unknown') } }, 'payment_method_unusable'],
    [{ paymentMethod: undefined }, 'payment_method_unusable'],
    [{ amount: '5.123', currency: 'KWD' }, 'invalid_amount'],
    [{ amount: '10000000.00' }, 'invalid_amount'],
    [{ currency: 'CLF', amount: '1' }, 'currency_not_supported'],
  ])('lets another shop charge: %j is %s', async (fields, declineCode) => {
    expect((await begin(fields)).answer).toMatchObject({ outcome: 'soft_declined', declineCode });
  });

  it('saves a card, charges it without the payer with reference to the first charge, and removes it', async () => {
    const first = await begin({ save: true, agreement: 'subscription' });
    expect(first.sent()).toMatchObject({ source: { store_for_future_use: true }, payment_type: 'Recurring' });
    const { savedMethod } = first.answer as { savedMethod: { token: string; transactionId: string } };
    expect(savedMethod).toEqual({
      token: expect.stringMatching(/^src_/),
      transactionId: first.answer.transactionId,
      networkTransactionId: '489341065491658',
    });
    const next = await begin({
      paymentMethod: { token: savedMethod.token },
      returnUrl: undefined,
      initiator: 'merchant',
      agreement: 'subscription',
      firstCharge: { transactionId: savedMethod.transactionId },
    });
    expect(next.answer).toMatchObject({ outcome: 'approved' });
    expect(next.sent()).toMatchObject({
      source: { type: 'id', id: savedMethod.token },
      payment_type: 'Recurring',
      previous_payment_id: savedMethod.transactionId,
    });
    expect(next.sent()).not.toHaveProperty('3ds');
    const detach = () =>
      started.provider.detach({ token: savedMethod.token, credentials: CHECKOUT_CREDENTIALS }, soon());
    expect(await detach()).toEqual({ outcome: 'confirmed' });
    expect(await detach()).toEqual({ outcome: 'not_found' });
  });

  it('refuses a refund before the capture with the state that it found, and takes it afterwards', async () => {
    started.account.held = true;
    const { later } = await begin();
    expect(await started.provider.refund(later(), soon())).toMatchObject({
      outcome: 'refused',
      retryable: true,
      charge: { status: 'authorized' },
    });
    started.account.release();
    const refund = await started.provider.refund(later(), soon());
    expect(refund).toEqual({ outcome: 'pending', operationId: expect.stringMatching(/^act_/) });
  });

  it('refuses to void a payment that waits for its payer, with its state', async () => {
    const { later, answer } = await begin({ paymentMethod: { token: tokenOf('threeds') } });
    expect(answer).toMatchObject({ outcome: 'processing', nextAction: { type: 'redirect', method: 'GET' } });
    expect(await started.provider.void(later(), soon())).toMatchObject({
      outcome: 'refused',
      charge: { status: 'open' },
    });
    started.account.lapse(answer.transactionId);
    expect(await started.provider.void(later(), soon())).toEqual({ outcome: 'confirmed' });
  });

  it('voids an authorisation whose answer got lost, by its reference', async () => {
    const request = checkoutCharge({ capture: 'manual' });
    started.wire.loseNext();
    await expect(started.provider.charge(request, soon())).rejects.toThrow();
    const lost = { ...request, transactionId: null, chargeIdempotencyKey: null, idempotencyKey: randomUUID() };
    expect(await started.provider.void(lost, soon())).toMatchObject({ outcome: 'pending' });
    const [payment] = started.account.transactions().filter(({ reference }) => reference === request.reference);
    await eventually(() => expect(payment!.status).toBe('Voided'));
  });

  it.each<[number, object, string]>([
    [409, {}, 'unknown'],
    [429, { error_codes: ['duplicate_request'] }, 'unknown'],
    [429, { error_codes: ['api_calls_quota_exceeded'] }, 'unavailable'],
    [403, {}, 'unavailable'],
    [422, { error_codes: ['processing_channel_id_invalid'] }, 'configuration_error'],
    [422, { error_codes: ['token_used'] }, 'payment_method_unusable'],
    [422, { error_codes: ['success_url_invalid'] }, 'request_refused'],
    [404, {}, 'request_refused'],
  ])('takes %d %j of a charge as %s', async (status, body, expected) => {
    started.wire.answerNext(status, body);
    const answer = await started.provider.charge(checkoutCharge(), soon()).catch(() => ({ outcome: 'unknown' }));
    expect('declineCode' in answer ? answer.declineCode : answer.outcome).toBe(expected);
  });

  it.each([
    [{ response_code: '20051' }, 'declined', 'insufficient_funds'],
    [{ response_code: '20005' }, 'soft_declined', 'do_not_honor'],
    [{ response_code: '20005', processing: { recommendation_code: '03' } }, 'declined', 'do_not_honor'],
    [{ response_code: '20005', processing: { partner_merchant_advice_code: '21' } }, 'declined', 'do_not_honor'],
    [{ response_code: '20199' }, 'soft_declined', '20199'],
    [{ response_code: '30099' }, 'declined', '30099'],
    [{ response_code: '40101' }, 'declined', 'fraudulent'],
  ])('reads %j as %s %s', async (fields, outcome, declineCode) => {
    started.wire.changeNext((body) => ({ ...(body as Body), status: 'Declined', ...fields }));
    expect((await begin()).answer).toMatchObject({ outcome, declineCode });
  });

  it('takes only webhooks with what the shop knows: a signature, an authorization, or both', async () => {
    const { answer } = await begin();
    const event = started.account.events.all.find(({ data }) => data['id'] === answer.transactionId);
    const parse = async (known: object, sent: Omit<Endpoint, 'url'>) => {
      const incoming: IncomingNotification = { ...signEvent(JSON.stringify(event), sent), shopId: 1, query: {} };
      const { secret_key, api_prefix } = CHECKOUT_CREDENTIALS;
      const parsed = started.provider.parseNotification(incoming, { secret_key, api_prefix, ...known }, soon());
      return parsed.then(
        () => 'accepted',
        ({ code }: { code: string }) => code,
      );
    };
    const [signature, authorization] = [
      { webhook_signature_key: SIGNATURE_KEY },
      { webhook_authorization: AUTHORIZATION },
    ];
    const [key, header] = [{ key: SIGNATURE_KEY }, { authorization: AUTHORIZATION }];
    for (const [known, sent] of [
      [signature, key],
      [authorization, header],
      [
        { ...signature, ...authorization },
        { ...key, ...header },
      ],
      [signature, { ...key, ...header }],
    ] as const)
      expect(await parse(known, sent)).toBe('accepted');
    for (const [known, sent] of [
      [{}, { ...key, ...header }],
      [signature, header],
      [authorization, key],
      [{ ...signature, ...authorization }, key],
      [signature, { key: 'another-key' }],
      [authorization, { authorization: 'another' }],
    ] as const)
      expect(await parse(known, sent)).toBe('invalid_signature');
  });

  it('calls the host of the account in its environment', async () => {
    const hosts: string[] = [];
    const call = ({ url }: { url: URL }) => {
      hosts.push(url.host);
      return Promise.resolve({ statusCode: 200, headers: {}, body: Buffer.from('{"data":[]}') });
    };
    const { CheckoutProvider } = await import('@payment-orchestrator/provider-checkout');
    const provider = new CheckoutProvider({
      http: { call },
      settings: {},
      clock: { now: () => new Date() },
      parseJson: () => ({}),
    });
    const live = { ...CHECKOUT_CREDENTIALS, secret_key: 'sk_abcdefghijklmnopqrstuvwxyz=' };
    for (const credentials of [CHECKOUT_CREDENTIALS, live]) {
      expect(provider.validateCredentials(credentials)).toEqual([]);
      expect(await provider.checkCredentials(credentials, soon())).toEqual({ outcome: 'accepted' });
    }
    expect(hosts).toEqual(['vkuhvk4v.api.sandbox.checkout.com', 'vkuhvk4v.api.checkout.com']);
    expect(await provider.accountId(live)).toBe('vkuhvk4v');
  });
});
