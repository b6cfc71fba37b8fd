import { describe, expect, it } from '@jest/globals';
import { CURRENCIES, currencyDigits as digitsOfApi } from '../../../src/shared/money.js';
import { currencyDigits } from './currency-digits';

describe('currencyDigits', () => {
  it('currencyDigits returns the digits of the API for every currency', () => {
    const different = CURRENCIES.filter((currency) => currencyDigits(currency) !== digitsOfApi(currency));
    expect(different).toEqual([]);
  });
});
