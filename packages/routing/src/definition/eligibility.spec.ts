import { describe, expect, it } from '@jest/globals';
import { failedTests, isEligible, type RoutableShop } from './eligibility.js';
import type { ShopConditions } from './definition.js';
import type { PaymentMethodOption } from '../facts/payment-method.js';
import type { RoutingRequest } from './condition.js';

const aShop = (conditions: ShopConditions, enabled = true): RoutableShop => ({
  shop: { id: 1, name: 'Alpha', provider: 'sandbox', account: 'default', enabled: true },
  priority: 1,
  weight: 1,
  weightRank: 0,
  enabled,
  conditions,
});
const aRequest = (changes: Partial<RoutingRequest> = {}): RoutingRequest => ({
  amount: 100,
  currency: 'USD',
  country: 'DE',
  ...changes,
});

const named = (...options: PaymentMethodOption[]): RoutingRequest => aRequest({ paymentMethod: { options } });

/** A shop whose provider takes payment methods of these types only. */
const taking = (...paymentMethodTypes: string[]): RoutableShop => {
  const shop = aShop({});
  return { ...shop, shop: { ...shop.shop, paymentMethodTypes } };
};
const typed = (type: string) => ({ paymentMethod: { type } });

describe('eligibility', () => {
  it.each<[string, RoutableShop, RoutingRequest, string[]]>([
    ['accepts any request without conditions', aShop({}), aRequest({ country: undefined }), []],
    ['excludes a disabled shop', aShop({}, false), aRequest(), ['disabled']],
    ['accepts a listed currency', aShop({ currencies: ['EUR', 'USD'] }), aRequest(), []],
    ['excludes another currency', aShop({ currencies: ['EUR'] }), aRequest(), ['currency']],
    ['accepts a listed country', aShop({ countries: ['FR', 'DE'] }), aRequest(), []],
    ['excludes another country', aShop({ countries: ['FR'] }), aRequest(), ['country']],
    [
      'excludes a request without a country',
      aShop({ countries: ['DE'] }),
      aRequest({ country: undefined }),
      ['country'],
    ],
    ['accepts the minimum amount', aShop({ min_amount: 100 }), aRequest(), []],
    ['excludes less than the minimum amount', aShop({ min_amount: 100 }), aRequest({ amount: 99.99 }), ['min_amount']],
    ['accepts the maximum amount', aShop({ max_amount: 100 }), aRequest(), []],
    ['excludes more than the maximum amount', aShop({ max_amount: 100 }), aRequest({ amount: 100.01 }), ['max_amount']],
    ['accepts zero as a bound', aShop({ min_amount: 0, max_amount: 0 }), aRequest(), ['max_amount']],
    ['accepts an automatic capture anywhere', aShop({}), aRequest({ capture: 'automatic' }), []],
    [
      'excludes a manual capture from a provider that cannot capture later',
      aShop({}),
      aRequest({ capture: 'manual' }),
      ['capability_missing'],
    ],
    [
      'accepts a manual capture at a provider that can capture later',
      { ...aShop({}), shop: { ...aShop({}).shop, capturesManually: true } },
      aRequest({ capture: 'manual' }),
      [],
    ],
    [
      'excludes a currency that the provider does not accept',
      { ...aShop({}), shop: { ...aShop({}).shop, refusedCurrencies: new Set(['USD']) } },
      aRequest(),
      ['capability_missing'],
    ],
    [
      'accepts the other currencies of the provider',
      { ...aShop({}), shop: { ...aShop({}).shop, refusedCurrencies: new Set(['JPY']) } },
      aRequest(),
      [],
    ],
    ['accepts an option for its account', aShop({}), named({ provider: 'sandbox', account: 'default' }), []],
    ['accepts an option for any account of the provider', aShop({}), named({ provider: 'sandbox' }), []],
    ['accepts a payment method without options', aShop({}), aRequest({ paymentMethod: { type: 'card' } }), []],
    [
      'excludes options of other accounts and providers',
      aShop({}),
      named({ provider: 'sandbox', account: 'eu' }, { provider: 'stripe' }),
      ['no_payment_method'],
    ],
    ['accepts a type that the provider takes', taking('card', 'ideal'), aRequest(typed('ideal')), []],
    ['accepts any type at a provider that does not say', aShop({}), aRequest(typed('ideal')), []],
    ['accepts a payment without a type', taking('ideal'), aRequest({ paymentMethod: { card: {} } }), []],
    ['accepts a payment without a payment method', taking('ideal'), aRequest(), []],
    [
      'excludes a type that the provider does not take',
      taking('card', 'ideal'),
      aRequest(typed('paypal')),
      ['capability_missing'],
    ],
    [
      'excludes a type even with an option for its account',
      taking('card'),
      aRequest({ paymentMethod: { type: 'paypal', options: [{ provider: 'sandbox' }] } }),
      ['capability_missing'],
    ],
    [
      'lists all failed tests',
      aShop({ currencies: ['EUR'], countries: ['FR'], min_amount: 200 }, false),
      aRequest(),
      ['disabled', 'currency', 'country', 'min_amount'],
    ],
  ])('%s', (_, shop, request, failed) => {
    expect(failedTests(shop, request)).toEqual(failed);
    expect(isEligible(shop, request)).toBe(failed.length === 0);
  });

  it.each([
    [0.1, 0.1, true],
    [999_999_999_999.999, 999_999_999_999.999, true],
    [999_999_999_999.998, 999_999_999_999.999, false],
    [0.0001, 0.0002, false],
    [4.35, 4.35, true],
  ])('compares %d with a minimum amount of %d exactly', (amount, min, eligible) => {
    expect(isEligible(aShop({ min_amount: min }), aRequest({ amount }))).toBe(eligible);
  });
});
