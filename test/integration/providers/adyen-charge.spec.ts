import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiCallError, type ApiRequest, type ChargeAnswer } from '@payment-orchestrator/provider-kit';
import { AdyenProvider } from '@payment-orchestrator/provider-adyen';
import {
  ADYEN_CREDENTIALS,
  startAdyen,
  adyenCharge,
  MERCHANT_ACCOUNT,
} from '../../support/providers/adyen-requests.js';
import { connectorContext } from '../../support/providers/connector-context.js';
import { soon } from '../../support/providers/stripe-requests.js';
import { AdyenFault, type Behaviour } from '../../support/servers/adyen/adyen-objects.js';
import type { FakeAdyen } from '../../support/servers/fake-adyen.js';

const WITHOUT_CREDENTIAL = (name: string) =>
  Object.fromEntries(Object.entries(ADYEN_CREDENTIALS).filter(([field]) => field !== name));

describe('charges at Adyen', () => {
  let fake: FakeAdyen;
  let provider: AdyenProvider;
  let stop: () => Promise<void>;
  const ledger = () => fake.account(MERCHANT_ACCOUNT).ledger;
  const charge = (method: string, fields: Parameters<typeof adyenCharge>[1] = {}): Promise<ChargeAnswer> =>
    provider.charge(adyenCharge(method, fields), soon());
  const chargeAs = (behaviour: Behaviour): Promise<ChargeAnswer> => {
    ledger().methods.set('SCRIPTED', behaviour);
    return charge('SCRIPTED');
  };
  const lastBody = () => fake.calls.at(-1)?.body ?? {};

  beforeAll(async () => {
    ({ fake, provider, stop } = await startAdyen());
  });
  afterAll(() => stop());

  it('captures at once, under our reference and key', async () => {
    const request = adyenCharge('AUTHORISED', { paymentMethod: { token: 'shopper/7/AUTHORISED' } });
    const answer = await provider.charge(request, soon());
    expect(answer).toMatchObject({ outcome: 'approved', transactionId: expect.stringMatching(/^[A-Z0-9]{16}$/) });
    expect(fake.calls.at(-1)).toMatchObject({
      path: '/v72/payments',
      headers: { 'idempotency-key': request.idempotencyKey, 'x-api-key': ADYEN_CREDENTIALS.api_key },
      body: {
        merchantAccount: MERCHANT_ACCOUNT,
        reference: request.reference,
        amount: { value: 10_010, currency: 'EUR' },
        captureDelayHours: 0,
        countryCode: 'FR',
        shopperReference: 'shopper/7',
        paymentMethod: { type: 'scheme', storedPaymentMethodId: 'AUTHORISED' },
      },
    });
    expect(fake.transactions()).toContainEqual(
      expect.objectContaining({ id: answer.transactionId, reference: request.reference, status: 'captured' }),
    );
  });

  it('requests a redirect if there is a return address', async () => {
    await charge('AUTHORISED', { returnUrl: 'https://shop.example/back' });
    expect(lastBody()).toMatchObject({
      returnUrl: 'https://shop.example/back',
      recurringProcessingModel: 'CardOnFile',
      redirectToIssuerMethod: 'GET',
      authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    });
  });

  it('requests no authentication without a return address, which a card may refuse', async () => {
    const answer = await charge('REDIRECT');
    expect(answer).toMatchObject({ outcome: 'declined', declineCode: 'authentication_required' });
    expect(lastBody()).toMatchObject({
      returnUrl: 'https://no-return-url.invalid/',
      recurringProcessingModel: 'UnscheduledCardOnFile',
      authenticationData: { attemptAuthentication: 'never' },
    });
  });

  it('sends the known data of the customer, with a name only if both parts are known', async () => {
    const customer = { id: 5, email: 'a@shop.example', firstName: 'Ada', lastName: null };
    await charge('AUTHORISED', { customer });
    expect(lastBody()).toMatchObject({ shopperEmail: 'a@shop.example' });
    expect(lastBody()).not.toHaveProperty('shopperName');
    await charge('AUTHORISED', { customer: { ...customer, lastName: 'Byron' } });
    expect(lastBody()).toMatchObject({ shopperName: { firstName: 'Ada', lastName: 'Byron' } });
  });

  it.each([
    ['JPY', '500', 500],
    ['KWD', '5.123', 5_123],
    ['UGX', '5000', 5_000],
    ['CLP', '5000', 500_000],
    ['ISK', '2790', 279_000],
    ['CVE', '150', 150],
    ['IDR', '20000', 20_000],
    ['EUR', '0.1', 10],
    ['KWD', '999999999999.999', 999_999_999_999_999],
  ])('sends %s %s as %i', async (currency, amount, value) => {
    expect(await charge('AUTHORISED', { currency, amount })).toMatchObject({ outcome: 'approved' });
    expect(lastBody()).toMatchObject({ amount: { value, currency } });
  });

  it.each([
    ['CVE', '150.50', 'invalid_amount', 'Adyen accepts CVE only in multiples of 1'],
    ['IDR', '20000.5', 'invalid_amount', 'Adyen accepts IDR only in multiples of 1'],
    ['CLF', '1.0001', 'currency_not_supported', 'Adyen does not accept CLF'],
  ])('never rounds %s %s', async (currency, amount, declineCode, reason) => {
    const before = fake.calls.length;
    const answer = await charge('AUTHORISED', { currency, amount });
    expect(answer).toEqual({ outcome: 'soft_declined', declineCode, metadata: { reason } });
    expect(fake.calls).toHaveLength(before);
  });

  it('passes the refusal on as metadata', async () => {
    const [code, reason] = ['12', 'Not enough balance'];
    expect(await chargeAs({ result: 'Refused', code, reason })).toMatchObject({
      outcome: 'declined',
      declineCode: 'insufficient_funds',
      transactionId: expect.any(String),
      metadata: { result_code: 'Refused', refusal_reason_code: code, refusal_reason: reason },
    });
  });

  it.each<[string, Behaviour, object]>([
    ['an error', { result: 'Error', code: '4', reason: 'Acquirer Error' }, { outcome: 'soft_declined' }],
    [
      'an error with an unknown reason',
      { result: 'Error', code: '99', reason: 'X1' },
      { declineCode: 'processing_error' },
    ],
    ['a cancelled payment', { result: 'Cancelled' }, { outcome: 'declined', declineCode: 'voided' }],
    ['an unknown reason', { result: 'Refused', code: '99', reason: 'Not Today' }, { declineCode: 'not_today' }],
    ['advice not to try again', refusedWithAdvice('03 : Do not try again'), { outcome: 'declined' }],
    ['advice to try later', refusedWithAdvice('02 : Try again later'), { outcome: 'soft_declined' }],
    [
      'a deleted stored method',
      { result: 'Error', code: '0', reason: '803 PaymentDetail not found' },
      { outcome: 'soft_declined', declineCode: 'payment_method_unusable' },
    ],
  ])('maps %s', async (_name, behaviour, expected) => {
    expect(await chargeAs(behaviour)).toMatchObject(expected);
  });

  it('passes a voucher on, without an id', async () => {
    const answer = await charge('VOUCHER', { returnUrl: 'https://shop.example/back' });
    const data = expect.objectContaining({ type: 'voucher', reference: expect.any(String) });
    expect(answer).toEqual({ outcome: 'processing', nextAction: { type: 'provider_action', provider: 'adyen', data } });
  });

  it.each(['PENDING', 'RECEIVED'])('leaves %s open', async (method) => {
    expect(await charge(method)).toEqual({ outcome: 'processing', transactionId: expect.any(String) });
  });

  it('passes a redirect with fields on, because ours has none', async () => {
    const answer = await charge('REDIRECTPOST', { returnUrl: 'https://shop.example/back' });
    expect(answer).toMatchObject({
      outcome: 'processing',
      nextAction: {
        type: 'provider_action',
        data: {
          type: 'redirect',
          method: 'POST',
          url: expect.stringContaining(fake.url),
          data: { MD: expect.any(String), PaReq: expect.any(String) },
        },
      },
    });
  });

  it('rejects an authorisation of a partial or different amount', async () => {
    await expect(charge('PARTLY')).rejects.toThrow('PartiallyAuthorised');
    await expect(chargeAs({ result: 'Authorised', partly: 1 })).rejects.toThrow('a different amount');
  });

  it.each([
    [422, '131', 'declined', 'incorrect_address'],
    [422, '138', 'soft_declined', 'currency_not_supported'],
    [500, '803', 'soft_declined', 'payment_method_unusable'],
    [500, '907', 'soft_declined', 'configuration_error'],
  ])('maps the error %i %s', async (status, code, outcome, declineCode) => {
    const answer = await chargeAs({ error: new AdyenFault(status, code, 'scripted', 'configuration') });
    expect(answer).toMatchObject({ outcome, declineCode, metadata: { reason: expect.stringContaining(code) } });
  });

  it.each([undefined, 'pm_card_visa', 'AUTHORISED', '/AUTHORISED', 'shopper/'])(
    'soft-declines the token %j as unknown, without a call',
    async (token) => {
      const before = fake.calls.length;
      const answer = await provider.charge({ ...adyenCharge('X'), paymentMethod: { token: token } }, soon());
      expect(answer).toMatchObject({ outcome: 'soft_declined', declineCode: 'payment_method_unusable' });
      expect(fake.calls).toHaveLength(before);
    },
  );

  it.each([
    [{ api_key: 'AQE_a_revoked_key_0123456' }, 'Adyen answered 401 000 security'],
    [{ merchant_account: 'UnknownECOM' }, 'Adyen answered 403 901 security'],
  ])('returns unavailable with %j', async (credential, reason) => {
    const credentials = { ...ADYEN_CREDENTIALS, ...credential };
    expect(await charge('AUTHORISED', { credentials })).toEqual({ outcome: 'unavailable', reason });
  });

  it.each([
    [{}, 'https://checkout-test.adyen.com/v72/payments'],
    [
      { environment: 'live', live_endpoint_url_prefix: '1797a841fbb37ca7-Shop' },
      'https://1797a841fbb37ca7-Shop-checkout-live.adyenpayments.com/checkout/v72/payments',
    ],
    ...[
      ['eu', 'live'],
      ['us', 'live-us'],
      ['au', 'live-au'],
      ['apse', 'live-apse'],
    ].map(([region, host]): [Record<string, string | undefined>, string] => [
      { environment: 'live', live_endpoint_url_prefix: '1797a841fbb37ca7-Shop', live_region: region },
      `https://1797a841fbb37ca7-Shop-checkout-${host}.adyenpayments.com/checkout/v72/payments`,
    ]),
  ])("calls Adyen's own host with %j", async (environment, url) => {
    const urls: string[] = [];
    const call = (request: ApiRequest): Promise<never> => {
      urls.push(request.url.href.replace('-shop-', '-Shop-'));
      return Promise.reject(new ApiCallError(false, 'not called'));
    };
    const adapter = new AdyenProvider(connectorContext({ call }));
    const request = adyenCharge('AUTHORISED', { credentials: { ...ADYEN_CREDENTIALS, ...environment } });
    expect(await adapter.charge(request, soon())).toMatchObject({ outcome: 'unavailable' });
    expect(urls).toEqual([url]);
  });

  it('validates credentials by name and repeats none of them', () => {
    const errors = (credentials: Record<string, unknown>) =>
      provider.validateCredentials(credentials).map(({ field, message }) => `${field} ${message}`);
    expect(errors(ADYEN_CREDENTIALS)).toEqual([]);
    expect(
      errors({ ...ADYEN_CREDENTIALS, environment: 'live', live_endpoint_url_prefix: '1797a841fbb37ca7-Shop' }),
    ).toEqual([]);
    for (const name of ['api_key', 'merchant_account', 'environment']) {
      expect(errors(WITHOUT_CREDENTIAL(name))).toEqual([expect.stringMatching(new RegExp(`^${name} is required`))]);
    }
    expect(errors({ ...ADYEN_CREDENTIALS, hmac_key: 'zz', secret: 's3cret' })).toEqual([
      expect.stringMatching(/^secret is not a credential of Adyen; known credentials: .+ and hmac_key$/),
      expect.stringMatching(/^hmac_key must be/),
    ]);
    expect(errors({ ...ADYEN_CREDENTIALS, environment: 'live' })).toEqual([
      'live_endpoint_url_prefix is required for the live environment',
    ]);
    expect(errors({ ...ADYEN_CREDENTIALS, live_region: 'us' })).toEqual([
      'live_region is only for the live environment',
    ]);
    expect(errors({ ...ADYEN_CREDENTIALS, live_region: 'us.evil.example/' })).toContainEqual(
      expect.stringMatching(/^live_region must be/),
    );
    const elsewhere = { ...ADYEN_CREDENTIALS, environment: 'live', live_endpoint_url_prefix: 'evil.example/x-y' };
    expect(errors(elsewhere)).toEqual([expect.stringMatching(/^live_endpoint_url_prefix must be/)]);
    expect(JSON.stringify(errors({ api_key: 'my secret' }))).not.toContain('my secret');
  });
});

function refusedWithAdvice(merchantAdviceCode: string): Behaviour {
  return { result: 'Refused', code: '2', reason: 'Refused', additionalData: { merchantAdviceCode } };
}
