import { describe, expect, it } from '@jest/globals';
import { type FeeEntry, feeErrors, feeOf } from './fees.js';

const fee = (percent: number, fixed = 0, only: Partial<FeeEntry> = {}): FeeEntry => ({ percent, fixed, ...only });
const payment = (amount: number, currency = 'EUR', scheme?: string, type?: string) => ({
  amount,
  currency,
  scheme,
  type,
});

const LIST = [
  fee(2.9),
  fee(1.4, 0.25, { currency: 'EUR' }),
  fee(0.2, 0, { scheme: 'maestro' }),
  fee(0.3, 0.05, { scheme: 'maestro', currency: 'EUR' }),
  fee(3.4, 0, { payment_method_type: 'paypal' }),
  fee(0, 0.29, { payment_method_type: 'ideal', currency: 'EUR' }),
];

describe('feeOf', () => {
  it.each([
    ['for scheme and currency', payment(100, 'EUR', 'maestro'), 0.35],
    ['for the scheme', payment(100, 'USD', 'maestro'), 0.2],
    ['for the currency', payment(100, 'EUR', 'visa'), 1.65],
    ['for the currency, for a payment without a scheme', payment(100), 1.65],
    ['for the type', payment(100, 'USD', undefined, 'paypal'), 3.4],
    ['for the type, before the one for the currency', payment(100, 'EUR', undefined, 'paypal'), 3.4],
    ['for type and currency', payment(100, 'EUR', undefined, 'ideal'), 0.29],
    ['for the currency, for a type without an entry', payment(100, 'EUR', undefined, 'eps'), 1.65],
    ['for the scheme, before the one for the type', payment(100, 'USD', 'maestro', 'paypal'), 0.2],
    ['for all payments', payment(100, 'USD', 'visa'), 2.9],
    ['for all payments in a currency without decimals', payment(1_000, 'JPY'), 29],
  ])('uses the entry %s', (_, facts, expected) => {
    expect(feeOf(LIST, facts)).toBe(expected);
    expect(feeOf(LIST.toReversed(), facts)).toBe(expected);
  });

  it.each([undefined, null, [], [fee(1, 0, { currency: 'EUR' })], [fee(1, 0, { scheme: 'visa' })]])(
    'returns undefined if no entry of %j is for the payment',
    (fees) => {
      expect(feeOf(fees, payment(100, 'USD', 'mastercard'))).toBeUndefined();
    },
  );

  it('returns fees that are not rounded to the digits of the currency', () => {
    expect(feeOf([fee(1.4321, 0.0025, { currency: 'EUR' })], payment(0.01))).toBe(0.00264321);
    expect(feeOf([fee(0.0001)], payment(0.001, 'BHD'))).toBe(1e-9);
    expect(feeOf([fee(100)], payment(999_999_999_999.999, 'BHD'))).toBeCloseTo(999_999_999_999.999, 3);
    expect(feeOf([fee(0)], payment(100))).toBe(0);
  });

  it('returns equal numbers for equal fees', () => {
    expect(2.9 + 0.3).not.toBe(3.2);
    for (let cents = 1; cents < 20_000; cents++) {
      const amount = cents / 100;
      const fixed = Math.round(amount * 30) / 1e4; // 0.3 % of a multiple of 0.10
      if (cents % 10 !== 0) continue;
      const inTwoParts = feeOf([fee(2.9, fixed, { currency: 'EUR' })], payment(amount));
      expect(inTwoParts).toBe(feeOf([fee(3.2)], payment(amount)));
    }
  });
});

describe('feeErrors', () => {
  it('accepts entries for different payments', () => {
    expect(feeErrors(LIST, 'fees')).toEqual([]);
  });

  it.each([
    [[fee(1), fee(2)], { field: 'fees[1]', message: 'is for the same payments as fees[0]' }],
    [
      [...LIST, fee(1, 0, { currency: 'EUR', scheme: 'maestro' })],
      { field: 'fees[6]', message: 'is for the same payments as fees[3]' },
    ],
    [
      [...LIST, fee(1, 0, { payment_method_type: 'paypal' })],
      { field: 'fees[6]', message: 'is for the same payments as fees[4]' },
    ],
    [[fee(1, 0.1)], { field: 'fees[0].currency', message: 'is required with a fixed fee' }],
  ])('refuses %j', (fees, error) => {
    expect(feeErrors(fees, 'fees')).toEqual([error]);
  });
});
