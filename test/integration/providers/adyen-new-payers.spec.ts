import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import type { ChargeAnswer, ChargeRequest } from '@payment-orchestrator/provider-kit';
import {
  card,
  CHALLENGED,
  collected,
  collectedCharge,
  MERCHANT_ACCOUNT,
  startAdyen,
} from '../../support/providers/adyen-requests.js';
import { soon } from '../../support/providers/stripe-requests.js';
import { AdyenFault } from '../../support/servers/adyen/adyen-objects.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';

const text = (): string => expect.stringMatching(/./) as unknown as string;
const threeDS = (nativeThreeDS: string) => ({ threeDSRequestData: { nativeThreeDS } });
const asking = (nextActionType: 'redirect' | 'provider_action') => ({ paymentMethod: { nextActionType } });

describe('first payments at Adyen', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const charge = (data: Record<string, unknown>, fields: Partial<ChargeRequest> = {}): Promise<ChargeAnswer> =>
    provider.charge(collectedCharge(data, fields), soon());
  const lastBody = () => fake.calls.at(-1)?.body ?? {};
  const held = (reference: string) => fake.transactions().filter((transaction) => transaction.reference === reference);

  beforeAll(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterAll(() => stop());

  it('sends what Drop-in collected, under our own reference, amount and account', async () => {
    const request = collectedCharge(collected(card(), { shopperIP: '192.0.2.7', billingAddress: { city: 'Delft' } }));
    const answer = await provider.charge(request, soon());
    expect(answer).toMatchObject({ outcome: 'approved', transactionId: expect.stringMatching(/^[A-Z0-9]{16}$/) });
    expect(fake.calls.at(-1)?.headers).toMatchObject({ 'idempotency-key': request.idempotencyKey });
    expect(lastBody()).toEqual({
      ...collected(card()),
      shopperIP: '192.0.2.7',
      billingAddress: { city: 'Delft' },
      merchantAccount: MERCHANT_ACCOUNT,
      reference: request.reference,
      amount: { value: 10_010, currency: 'EUR' },
      countryCode: 'FR',
      returnUrl: request.returnUrl,
      captureDelayHours: 0,
      channel: 'Web',
      shopperInteraction: 'Ecommerce',
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'preferred' } },
      redirectToIssuerMethod: 'GET',
      redirectFromIssuerMethod: 'GET',
    });
    expect(held(request.reference)).toMatchObject([{ status: 'captured', amount: 10_010 }]);
  });

  it('only authorises with manual capture', async () => {
    const request = collectedCharge(collected(card()), { capture: 'manual' });
    expect(await provider.charge(request, soon())).toMatchObject({ outcome: 'authorized' });
    expect(lastBody()).toMatchObject({ additionalData: { manualCapture: 'true' } });
    expect(held(request.reference)).toMatchObject([{ status: 'authorized' }]);
  });

  it('prefers what the payer entered over the data of the customer', async () => {
    const customer = { id: 5, email: 'a@shop.example', firstName: 'Ada', lastName: 'Byron' };
    await charge(collected(card(), { shopperEmail: 'b@shop.example' }), { customer });
    expect(lastBody()).toMatchObject({ shopperEmail: 'b@shop.example', shopperName: { firstName: 'Ada' } });
  });

  it('leaves out what is only for the page, and what the request to us decides', async () => {
    const answer = await charge(collected(card(), { clientStateDataIndicator: true, storePaymentMethod: true }));
    expect(answer).toMatchObject({ outcome: 'approved' });
    expect(lastBody()).not.toHaveProperty('clientStateDataIndicator');
    expect(lastBody()).not.toHaveProperty('storePaymentMethod');
  });

  it.each<[string, object, Partial<ChargeRequest>, object]>([
    ['a page with browserInfo and origin', collected(card()), {}, threeDS('preferred')],
    ['a page without origin', collected(card(), { origin: undefined }), {}, threeDS('disabled')],
    ['a page without browserInfo', collected(card(), { browserInfo: undefined }), {}, threeDS('disabled')],
    [
      'an app that asks for it',
      { paymentMethod: card(), channel: 'iOS' },
      asking('provider_action'),
      threeDS('preferred'),
    ],
    ['a request for redirects', collected(card()), asking('redirect'), threeDS('disabled')],
    [
      'a request without a return address',
      collected(card()),
      { returnUrl: undefined },
      { attemptAuthentication: 'never' },
    ],
    [
      'its own authenticationData',
      collected(card(), {
        authenticationData: { attemptAuthentication: 'always', threeDSRequestData: { challengeWindowSize: '05' } },
      }),
      {},
      {
        attemptAuthentication: 'always',
        threeDSRequestData: { nativeThreeDS: 'preferred', challengeWindowSize: '05' },
      },
    ],
  ])('%s gets the authentication that it can show', async (_name, data, fields, authenticationData) => {
    await charge(data as Record<string, unknown>, fields);
    expect(lastBody()).toMatchObject({ authenticationData });
  });

  it.each([
    ['applepay', { applePayToken: 'eyJ2ZXJzaW9uIjoiRUNfdjEi' }],
    ['googlepay', { googlePayToken: '{"signature":"MEYCIQD"}' }],
  ])('charges %s', async (type, fields) => {
    expect(await charge(collected({ type, ...fields }))).toMatchObject({ outcome: 'approved' });
    expect(lastBody()).toMatchObject({ paymentMethod: { type, ...fields } });
  });

  it.each(['ideal', 'klarna'])('sends the payer of %s to its page', async (type) => {
    const answer = await charge(collected({ type }));
    expect(answer).toEqual({
      outcome: 'processing',
      nextAction: { type: 'redirect', method: 'GET', url: expect.stringContaining(fake.url) },
    });
  });

  it('declines a method that needs a redirect if the payer could not return, without a call', async () => {
    const before = fake.calls.length;
    const answer = await charge(collected({ type: 'ideal' }), { returnUrl: undefined });
    expect(answer).toMatchObject({
      outcome: 'soft_declined',
      declineCode: 'request_refused',
      metadata: { reason: expect.stringContaining('return_url') },
    });
    expect(fake.calls).toHaveLength(before);
  });

  it.each([
    [
      card({ number: CHALLENGED }),
      { type: 'threeDS2', subtype: 'fingerprint', token: text(), authorisationToken: text() },
    ],
    [card({ number: '4917610000000000' }), { type: 'threeDS2', subtype: 'challenge', paymentData: text() }],
    [{ type: 'paypal' }, { type: 'sdk', paymentMethodType: 'paypal', sdkData: { token: text() }, paymentData: text() }],
    [{ type: 'blik' }, { type: 'await', paymentMethodType: 'blik', paymentData: text() }],
    [{ type: 'pix' }, { type: 'qrCode', qrCodeData: text(), paymentData: text() }],
    [{ type: 'multibanco' }, { type: 'voucher', entity: text(), reference: text() }],
    [{ type: 'bankTransfer_IBAN' }, { type: 'bankTransfer', iban: text() }],
  ])("passes the action of %j on to Adyen's script, unchanged", async (paymentMethod, data) => {
    const answer = await charge(collected(paymentMethod));
    expect(answer).toEqual({
      outcome: 'processing',
      nextAction: { type: 'provider_action', provider: 'adyen', data: expect.objectContaining(data) },
    });
  });

  it.each([
    [card({ holderName: 'DECLINED' }), 'soft_declined', 'card_declined'],
    [card({ holderName: 'CARD_EXPIRED' }), 'declined', 'expired_card'],
    [card({ holderName: 'NOT_ENOUGH_BALANCE' }), 'declined', 'insufficient_funds'],
    [card({ encryptedCardNumber: 'test_4111' }), 'declined', 'invalid_number'],
    [card({ encryptedExpiryMonth: 'test_13' }), 'declined', 'invalid_expiry'],
    [card({ encryptedSecurityCode: 'test_7' }), 'declined', 'invalid_cvc'],
    [
      card({ encryptedCardNumber: 'eyJhbGciOiJSU0EtT0FFUCJ9.another.account' }),
      'soft_declined',
      'payment_method_unusable',
    ],
    [{ type: 'applepay' }, 'soft_declined', 'request_refused'],
    [{ type: 'unheard_of' }, 'soft_declined', 'configuration_error'],
  ])('maps the refusal of %j', async (paymentMethod, outcome, declineCode) => {
    expect(await charge(collected(paymentMethod))).toMatchObject({ outcome, declineCode });
  });

  it.each(['170', '171', '172', '173', '174', '175'])(
    'maps the error %s of encrypted data to an unusable payment method',
    async (code) => {
      const { ledger } = fake.account(MERCHANT_ACCOUNT);
      ledger.methods.set('5555444433331111', { error: new AdyenFault(422, code, 'scripted') });
      const answer = await charge(collected(card({ number: '5555444433331111' })));
      expect(answer).toMatchObject({ outcome: 'soft_declined', declineCode: 'payment_method_unusable' });
    },
  );

  it('declines data that Adyen may not get as unusable, without a call', async () => {
    const before = fake.calls.length;
    const answer = await charge({ ...collected(card()), amount: { value: 1, currency: 'EUR' } });
    expect(answer).toMatchObject({ outcome: 'soft_declined', declineCode: 'payment_method_unusable' });
    expect(fake.calls).toHaveLength(before);
  });

  it.each<[object, string[]]>([
    [collected(card()), []],
    [{}, ['paymentMethod is required']],
    [{ paymentMethod: 'scheme' }, ['paymentMethod is required']],
    [{ paymentMethod: {} }, ['paymentMethod.type must be a type of Adyen']],
    [{ paymentMethod: { type: 'a/b' } }, ['paymentMethod.type must be a type of Adyen']],
    [
      { paymentMethod: { type: 'scheme', number: '4111111111111111', cvc: '737' } },
      ['paymentMethod.number must be encrypted', 'paymentMethod.cvc must be encrypted'],
    ],
    [
      { paymentMethod: { type: 'scheme', storedPaymentMethodId: 'X' } },
      ['paymentMethod.storedPaymentMethodId must be'],
    ],
    [
      { ...collected(card()), merchantAccount: 'Other' },
      ['merchantAccount is not passed on to Adyen; it takes accountInfo'],
    ],
    [{ ...collected(card()), splits: [] }, ['splits is not passed on to Adyen']],
    [{ ...collected(card()), authenticationData: [] }, ['authenticationData must be an object']],
    [
      { ...collected(card()), authenticationData: { authenticationOnly: true, threeDSRequestData: 'x' } },
      ['authenticationData.authenticationOnly is not passed on', 'authenticationData.threeDSRequestData must be'],
    ],
  ])('names the wrong fields of %j', (data, expected) => {
    const errors = provider.paymentMethodErrors(data as Record<string, unknown>);
    expect(errors.map(({ field, message }) => `${field} ${message}`)).toEqual(
      expected.map((start) => expect.stringMatching(new RegExp(`^${start.replaceAll('.', '\\.')}`))),
    );
    expect(JSON.stringify(errors)).not.toContain('4111111111111111');
  });
});
