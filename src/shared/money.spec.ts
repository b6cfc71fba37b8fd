import { describe, expect, it } from '@jest/globals';
import { amountBoundError, amountError, currencyDigits, toDecimalText, toJsonAmount } from './money.js';

describe('currencyDigits', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['BHD', 3],
    ['CLF', 4],
    ['XCG', 2],
    ['usd', undefined],
    ['ZZZ', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('%s has %s', (currency, digits) => {
    expect(currencyDigits(currency)).toBe(digits);
  });
});

describe('amountError', () => {
  it.each([
    [0.01, 'USD'],
    [100, 'JPY'],
    [1.001, 'BHD'],
    [999999999999.99, 'USD'],
    [999999999999.999, 'BHD'],
    [0.0001, 'CLF'],
  ])('takes %s %s', (amount, currency) => {
    expect(amountError(amount, currency)).toBeUndefined();
  });

  it.each([
    [0, 'USD', /greater than 0/],
    [-0, 'USD', /greater than 0/],
    [-1, 'USD', /greater than 0/],
    [0.001, 'USD', /at most 2 decimals/],
    [1.5, 'JPY', /at most 0 decimals/],
    [1e12, 'USD', /at most 999999999999.999/],
    [1e308, 'USD', /at most/],
    [5e-324, 'USD', /decimals/],
    [0.1 + 0.2, 'USD', /decimals/],
    [999999999999.1234, 'CLF', /at most 15 digits/],
    [Infinity, 'USD', /number/],
    [NaN, 'USD', /number/],
  ])('refuses %s %s', (amount, currency, message) => {
    expect(amountError(amount, currency)).toMatch(message);
  });
});

describe('amountBoundError', () => {
  it.each([0, 0.0001, 99.99, 999999999999.999])('takes %s', (amount) => {
    expect(amountBoundError(amount)).toBeUndefined();
  });

  it.each([
    [-0.01, /negative/],
    [1e12, /at most 999999999999.999/],
    [1e-7, /4 decimals/],
    [0.1 + 0.2, /4 decimals/],
    [999999999999.1234, /15 digits/],
    [NaN, /number/],
  ])('refuses %s', (amount, message) => {
    expect(amountBoundError(amount)).toMatch(message);
  });
});

it('writes amounts as plain decimals and reads them back unchanged', () => {
  for (const amount of [0.1, 100.1, 1e-4, 999999999999.999]) {
    expect(toDecimalText(amount)).not.toMatch(/e/);
    expect(toJsonAmount(`${toDecimalText(amount)}`)).toBe(amount);
  }
});
