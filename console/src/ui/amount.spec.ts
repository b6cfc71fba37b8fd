import { describe, expect, it } from '@jest/globals';
import { amountError } from '../../../src/shared/money.js';
import { amountProblem, amountText, difference } from './amount';

describe('amountProblem', () => {
  it.each([
    ['10', 'EUR', undefined],
    ['10.50', 'EUR', undefined],
    ['10.500', 'EUR', undefined],
    [' 0.01 ', 'EUR', undefined],
    ['0.001', 'BHD', undefined],
    ['10.5', 'HUF', undefined],
    ['999999999999.99', 'EUR', undefined],
    ['10.555', 'EUR', 'must have at most 2 decimals in EUR'],
    ['10.5', 'JPY', 'must have at most 0 decimals in JPY'],
    ['0', 'EUR', 'must be greater than 0'],
    ['-1', 'EUR', 'must be greater than 0'],
    ['1000000000000', 'EUR', 'must be at most 999999999999.999'],
  ])('returns the message of the API for %s %s', (text, currency, problem) => {
    expect(amountProblem(text, currency)).toBe(problem);
    expect(amountError(Number(text), currency)).toBe(problem);
  });

  it.each(['', 'ten', '1,5', '1e3', '1.2.3', '0x10', '∞'])('refuses %j, which is no decimal number', (text) => {
    expect(amountProblem(text, 'EUR')).toBe('must be a number');
  });
});

describe('amounts', () => {
  it('amountText shows them with all digits of their currency', () => {
    expect([amountText(49.9, 'EUR'), amountText(100, 'JPY'), amountText(1.5, 'BHD')]).toEqual([
      '49.90',
      '100',
      '1.500',
    ]);
  });

  it('difference is exact', () => {
    expect([difference(0.3, 0.1, 'EUR'), difference(49.9, 10.45, 'EUR')]).toEqual([0.2, 39.45]);
  });
});
