import { describe, expect, it } from '@jest/globals';
import { feeForms, feesOf, newFee, paymentsOf, priceOf } from './fee-form';

const FEES = [
  { percent: 1.4, fixed: 0.25, currency: 'EUR' },
  { percent: 0.2, scheme: 'maestro' },
  { percent: 2.9, fixed: 0.3, currency: 'USD', scheme: 'amex' },
  { percent: 0 },
  { percent: 0, fixed: 0.29, currency: 'EUR', payment_method_type: 'ideal' },
  { percent: 1, scheme: 'visa', payment_method_type: 'apple_pay' },
];

describe('the form of fees', () => {
  it('returns the same fees after no change', () => {
    expect(feesOf(feeForms(FEES))).toEqual(FEES);
    expect(feesOf(feeForms([{ percent: 1, fixed: 0 }]))).toEqual([{ percent: 1 }]);
  });

  it('sends codes in the letters of the API, and texts that are no numbers unchanged', () => {
    const typed = { ...newFee(), percent: '1,4', fixed: ' 0.25 ', currency: ' eur', scheme: 'Visa ' };
    expect(feesOf([typed, newFee()])).toEqual([
      { percent: '1,4', fixed: 0.25, currency: 'EUR', scheme: 'visa' },
      { percent: '' },
    ]);
  });

  it('shows the payments and the price of each fee', () => {
    expect(FEES.map((fee) => `${paymentsOf(fee)}: ${priceOf(fee)}`)).toEqual([
      'all payments in EUR: 1.4 % + 0.25 EUR',
      'maestro cards: 0.2 %',
      'amex cards in USD: 2.9 % + 0.3 USD',
      'all payments: 0 %',
      'ideal in EUR: 0 % + 0.29 EUR',
      'visa cards by apple_pay: 1 %',
    ]);
  });
});
