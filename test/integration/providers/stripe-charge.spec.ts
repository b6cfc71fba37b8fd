import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ChargeAnswer } from '@payment-orchestrator/provider-kit';
import type { StripeProvider } from '@payment-orchestrator/provider-stripe';
import { StripeFault } from '../../support/servers/stripe/stripe-objects.js';
import type { FakeStripe } from '../../support/servers/fake-stripe.js';
import {
  chargeRequest,
  CREDENTIALS,
  operationOn,
  SECRET_KEY,
  soon,
  startStripe,
} from '../../support/providers/stripe-requests.js';
import { redirectOf } from '../../support/providers/redirect-of.js';

const RETURN_URL = 'https://shop.example/back';

describe('charges at Stripe', () => {
  let fake: FakeStripe;
  let provider: StripeProvider;
  let stop: () => Promise<void>;
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);
  const charge = (fields: Parameters<typeof chargeRequest>[0]): Promise<ChargeAnswer> =>
    provider.charge(chargeRequest(fields), soon());

  beforeAll(async () => {
    ({ fake, provider, stop } = await startStripe());
  });
  afterAll(() => stop());

  it('creates and confirms a PaymentIntent with our reference, and approves a success', async () => {
    const request = chargeRequest();
    const answer = await provider.charge(request, soon());
    expect(answer).toMatchObject({
      outcome: 'approved',
      metadata: { charge: expect.stringMatching(/^ch_/) },
    });
    const call = fake.calls.at(-1);
    expect(call?.form).toEqual({
      amount: '10010',
      currency: 'eur',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      capture_method: 'automatic',
      metadata: { reference: request.reference, payment_id: '7' },
      automatic_payment_methods: { enabled: 'true', allow_redirects: 'never' },
      error_on_requires_action: 'true',
      expand: { 0: 'latest_charge' },
    });
    expect(call?.headers).not.toHaveProperty('x-stripe-client-telemetry');
    expect(held(request.reference)).toEqual([
      {
        id: answer.transactionId,
        reference: request.reference,
        paymentId: '7',
        status: 'captured',
        amount: 10010,
        captured: 10010,
        refunded: 0,
        currency: 'eur',
      },
    ]);
  });

  it('finds the charge that an earlier release sent without an expansion', async () => {
    const request = chargeRequest();
    const form = new URLSearchParams({
      amount: '10010',
      currency: 'eur',
      payment_method: 'pm_card_visa',
      confirm: 'true',
      capture_method: 'automatic',
      'metadata[reference]': request.reference,
      'metadata[payment_id]': '7',
      'automatic_payment_methods[enabled]': 'true',
      'automatic_payment_methods[allow_redirects]': 'never',
      error_on_requires_action: 'true',
    });
    const headers = { authorization: `Bearer ${SECRET_KEY}`, 'idempotency-key': `attempt-${request.reference}` };
    const sent = await fetch(`${fake.url}/v1/payment_intents`, { method: 'POST', body: form, headers });
    const { id } = (await sent.json()) as { id: string };
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'approved', transactionId: id });
    expect(held(request.reference)).toHaveLength(1);
  });

  it('only authorises a manual charge, and reads from the card when the authorisation ends', async () => {
    fake.account(SECRET_KEY).ledger.tokens.set('pm_held_2_days', { charge: 'succeeds', holdsSeconds: 172_800 });
    const request = chargeRequest({ capture: 'manual', paymentMethod: { token: 'pm_held_2_days' } });
    const answer = await provider.charge(request, soon());
    const transactionId = held(request.reference)[0]!.id;
    const { ledger } = fake.account(SECRET_KEY);
    const { created, latest_charge: chargeId } = ledger.intents.get(transactionId)!;
    const heldUntil = ledger.charges.get(chargeId!)!.payment_method_details!.card.capture_before!;
    expect(heldUntil).toBeGreaterThanOrEqual(created + 172_800);
    const captureBefore = new Date(heldUntil * 1_000);
    expect(answer).toMatchObject({ outcome: 'authorized', transactionId, captureBefore });
    expect(fake.calls.at(-1)?.form).toMatchObject({ capture_method: 'manual', expand: { 0: 'latest_charge' } });
    expect(held(request.reference)).toMatchObject([{ status: 'authorized', captured: 0 }]);
    expect(await provider.charge(request, soon())).toEqual(answer);
    expect(await provider.lookup(operationOn(request, answer), soon())).toEqual({
      status: 'authorized',
      transactionId,
      amount: '100.1',
      currency: 'EUR',
      captureBefore,
      metadata: answer.metadata,
    });
  });

  it("takes Stripe's seven days for an authorisation whose card names no end", async () => {
    fake.account(SECRET_KEY).ledger.tokens.set('pm_no_end', { charge: 'succeeds', holdsSeconds: null });
    const answer = await charge({ capture: 'manual', paymentMethod: { token: 'pm_no_end' } });
    const { created } = fake.account(SECRET_KEY).ledger.intents.get(answer.transactionId!)!;
    expect(answer).toMatchObject({ captureBefore: new Date((created + 7 * 86_400) * 1_000) });
  });

  it('authorises after a redirect', async () => {
    const fields = { capture: 'manual', paymentMethod: { token: 'pm_card_threeDSecure2Required' } } as const;
    const request = chargeRequest({ ...fields, returnUrl: RETURN_URL });
    const answer = await provider.charge(request, soon());
    expect(answer.outcome).toBe('processing');
    fake.account(SECRET_KEY).ledger.settleIntent(answer.transactionId!, 'succeeded');
    const state = { status: 'authorized', captureBefore: expect.any(Date) };
    expect(await provider.lookup(operationOn(request, answer), soon())).toMatchObject(state);
  });

  it('a payment method that Stripe cannot only authorise lets another shop be tried', async () => {
    expect(await charge({ capture: 'manual', paymentMethod: { token: 'pm_usBankAccount_success' } })).toMatchObject({
      outcome: 'soft_declined',
      declineCode: 'request_refused',
      metadata: { code: 'payment_intent_incompatible_payment_method' },
    });
  });

  it('StripeProvider can capture later and in part, refund in part, and names its currencies', () => {
    const capabilities = provider.capabilities();
    expect(capabilities).toMatchObject({ manualCapture: true, partialCapture: true, partialRefund: true });
    expect(capabilities.currencies).toEqual(expect.arrayContaining(['EUR', 'JPY', 'KWD', 'ISK']));
    expect(capabilities.currencies).not.toContain('LYD');
  });

  it('charges once for any number of repeats', async () => {
    const request = chargeRequest();
    const first = await provider.charge(request, soon());
    expect(await provider.charge(request, soon())).toEqual(first);
    expect(held(request.reference)).toHaveLength(1);
  });

  it('rejects a repeat with another amount, although the first one succeeded', async () => {
    const request = chargeRequest();
    await provider.charge(request, soon());
    await expect(provider.charge({ ...request, amount: '1' }, soon())).rejects.toThrow('same parameters');
    expect(held(request.reference)).toMatchObject([{ status: 'captured', amount: 10010 }]);
  });

  it.each([
    ['pm_card_visa_chargeDeclined', 'soft_declined', 'card_declined'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'declined', 'lost_card'],
    ['pm_card_visa_chargeDeclinedStolenCard', 'declined', 'stolen_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'declined', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'declined', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'soft_declined', 'processing_error'],
    ['pm_card_radarBlock', 'declined', 'fraudulent'],
    ['pm_card_not_known', 'soft_declined', 'payment_method_unusable'],
    ['tok_success', 'soft_declined', 'payment_method_unusable'],
    [undefined, 'soft_declined', 'payment_method_unusable'],
  ])('answers %s with %s, %s', async (token, outcome, declineCode) => {
    expect(await charge({ paymentMethod: { token } })).toMatchObject({ outcome, declineCode });
  });

  it.each([
    ['an account of the other mode', { code: 'livemode_mismatch', param: 'payment_method' }],
    ['a message only', { code: 'resource_missing' }],
  ])(
    'answers payment_method_unusable to a payment method that the account does not have: %s',
    async (_name, fields) => {
      const { tokens } = fake.account(SECRET_KEY).ledger;
      jest.spyOn(tokens, 'get').mockImplementationOnce(() => {
        const message = "No such PaymentMethod: 'pm_other'";
        throw new StripeFault(400, { type: 'invalid_request_error', message, ...fields });
      });
      const answer = await charge({ paymentMethod: { token: 'pm_other' } });
      expect(answer).toMatchObject({ outcome: 'soft_declined', declineCode: 'payment_method_unusable' });
    },
  );

  it('names the transaction of a decline and keeps Stripe’s codes', async () => {
    const request = chargeRequest({ paymentMethod: { token: 'pm_card_visa_chargeDeclined' } });
    expect(await provider.charge(request, soon())).toMatchObject({
      transactionId: held(request.reference)[0]?.id,
      metadata: { code: 'card_declined', decline_code: 'generic_decline', advice_code: 'try_again_later' },
    });
  });

  it.each([
    [{ decline_code: 'do_not_honor', advice_code: 'do_not_try_again' }, 'declined', 'do_not_honor'],
    [{ decline_code: 'do_not_honor', network_advice_code: '03' }, 'declined', 'do_not_honor'],
    [{ decline_code: 'do_not_honor', network_advice_code: '02' }, 'soft_declined', 'do_not_honor'],
    [{ decline_code: 'newly_invented' }, 'declined', 'newly_invented'],
    [{ decline_code: 'newly_invented', advice_code: 'try_again_later' }, 'soft_declined', 'newly_invented'],
    [{ decline_code: '<b>A sentence.</b>' }, 'soft_declined', 'card_declined'],
  ])('follows the advice of Stripe and the networks: %j → %s', async (error, outcome, declineCode) => {
    fake
      .account(SECRET_KEY)
      .ledger.tokens.set('pm_advised', { charge: 'declined', error: { code: 'card_declined', ...error } });
    expect(await charge({ paymentMethod: { token: 'pm_advised' } })).toMatchObject({ outcome, declineCode });
  });

  it('returns a redirect if there is a return address, and approves after it', async () => {
    const request = chargeRequest({ paymentMethod: { token: 'pm_card_threeDSecure2Required' }, returnUrl: RETURN_URL });
    const answer = await provider.charge(request, soon());
    expect(answer).toMatchObject({ outcome: 'processing', nextAction: { type: 'redirect', method: 'GET' } });
    const url = redirectOf(answer);
    const operation = operationOn(request, answer);
    expect(await provider.lookup(operation, soon())).toMatchObject({ status: 'open', nextAction: { url } });

    const page = await fetch(url, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'approve' }),
      redirect: 'manual',
    });
    expect(page.headers.get('location')).toContain(RETURN_URL);
    const state = { status: 'captured', transactionId: answer.transactionId, amount: '100.1', currency: 'EUR' };
    expect(await provider.lookup(operation, soon())).toMatchObject(state);
  });

  it('returns a failed authentication as a decline', async () => {
    const request = chargeRequest({ paymentMethod: { token: 'pm_card_threeDSecure2Required' }, returnUrl: RETURN_URL });
    const answer = await provider.charge(request, soon());
    fake.account(SECRET_KEY).ledger.settleIntent(answer.transactionId ?? '', 'failed');
    const state = { status: 'declined', declineCode: 'authentication_failed' };
    expect(await provider.lookup(operationOn(request, answer), soon())).toMatchObject(state);
  });

  it('declines a payment that needs the payer if there is no return address', async () => {
    const answer = await charge({ paymentMethod: { token: 'pm_card_threeDSecure2Required' } });
    expect(answer).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
  });

  it('leaves a bank debit processing', async () => {
    const answer = await charge({ paymentMethod: { token: 'pm_usBankAccount_success' } });
    expect(answer).toEqual({ outcome: 'processing', transactionId: answer.transactionId, metadata: {} });
  });

  it.each([
    ['JPY', '500', '500', '500'],
    ['CLP', '500', '500', '500'],
    ['KWD', '5.12', '5120', '5.12'],
    ['ISK', '5', '500', '5'],
    ['UGX', '5', '500', '5'],
    ['MGA', '500', '500', '500'],
    ['USD', '0.29', '29', '0.29'],
  ])('sends and reads %s %s as %s', async (currency, amount, sent, read) => {
    const request = chargeRequest({ currency, amount });
    const answer = await provider.charge(request, soon());
    expect(answer.outcome).toBe('approved');
    expect(fake.calls.at(-1)?.form['amount']).toBe(sent);
    expect(await provider.lookup(operationOn(request, answer), soon())).toMatchObject({ amount: read, currency });
  });

  it.each([
    ['KWD', '5.123', 'invalid_amount', 'Stripe accepts KWD only in multiples of 0.01'],
    ['MGA', '1.2', 'invalid_amount', 'Stripe accepts MGA only in multiples of 1'],
    ['LYD', '1', 'currency_not_supported', 'Stripe does not accept LYD'],
    ['CLF', '1', 'currency_not_supported', 'Stripe does not accept CLF'],
  ])('refuses %s %s without a call', async (currency, amount, declineCode, reason) => {
    const before = fake.calls.length;
    expect(await charge({ currency, amount })).toEqual({ outcome: 'soft_declined', declineCode, metadata: { reason } });
    expect(fake.calls).toHaveLength(before);
  });

  it('soft-declines an amount that Stripe refuses', async () => {
    expect(await charge({ amount: '1000000' })).toMatchObject({
      outcome: 'soft_declined',
      declineCode: 'invalid_amount',
      metadata: { reason: 'Stripe answered 400 amount_too_large', code: 'amount_too_large' },
    });
  });

  it.each([
    ['sk_test_revoked_0123456789', 'Stripe answered 401'],
    ['rk_test_restricted_0123456789', 'Stripe answered 403'],
  ])('returns unavailable with %s', async (key, reason) => {
    expect(await charge({ credentials: { ...CREDENTIALS, secret_key: key } })).toEqual({
      outcome: 'unavailable',
      reason,
    });
  });

  it.each([
    [{}, ['secret_key']],
    [{ secret_key: 'sk_live_0123456789abcdef' }, []],
    [{ secret_key: 'pk_test_0123456789abcdef' }, ['secret_key']],
    [{ ...CREDENTIALS, webhook_secret: 'secret' }, ['webhook_secret']],
    [{ ...CREDENTIALS, notification_secret: 'x' }, ['notification_secret']],
  ])('validates the credentials %j by name', (credentials, fields) => {
    const errors = provider.validateCredentials(credentials);
    expect(errors.map(({ field }) => field)).toEqual(fields);
    expect(JSON.stringify(errors)).not.toContain('0123456789abcdef');
  });
});
