import { describe, expect, it } from '@jest/globals';
import { failedTests, isEligible, type RoutableShop } from './eligibility.js';
import type { ShopConditions } from './definition.js';
import type { RoutingRequest } from './condition.js';

const aShop = (conditions: ShopConditions, enabled = true): RoutableShop => ({
  shop: { id: 1, name: 'Alpha', provider: 'sandbox', enabled: true },
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

describe('eligibility', () => {
  it.each<[string, RoutableShop, RoutingRequest, string[]]>([
    ['takes anything without conditions', aShop({}), aRequest({ country: undefined }), []],
    ['keeps out a disabled shop', aShop({}, false), aRequest(), ['disabled']],
    ['takes a listed currency', aShop({ currencies: ['EUR', 'USD'] }), aRequest(), []],
    ['keeps out another currency', aShop({ currencies: ['EUR'] }), aRequest(), ['currency']],
    ['takes a listed country', aShop({ countries: ['FR', 'DE'] }), aRequest(), []],
    ['keeps out another country', aShop({ countries: ['FR'] }), aRequest(), ['country']],
    ['needs a country to compare', aShop({ countries: ['DE'] }), aRequest({ country: undefined }), ['country']],
    ['takes the least amount', aShop({ min_amount: 100 }), aRequest(), []],
    ['keeps out less than the least amount', aShop({ min_amount: 100 }), aRequest({ amount: 99.99 }), ['min_amount']],
    ['takes the greatest amount', aShop({ max_amount: 100 }), aRequest(), []],
    ['keeps out more than the greatest', aShop({ max_amount: 100 }), aRequest({ amount: 100.01 }), ['max_amount']],
    ['takes zero for a bound', aShop({ min_amount: 0, max_amount: 0 }), aRequest(), ['max_amount']],
    [
      'names all that fails',
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
  ])('compares %d with a least amount of %d exactly', (amount, min, eligible) => {
    expect(isEligible(aShop({ min_amount: min }), aRequest({ amount }))).toBe(eligible);
  });
});
