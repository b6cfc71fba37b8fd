import { describe, expect, it } from '@jest/globals';
import { percentText } from './percent';

describe('percentText', () => {
  it.each([
    [1 / 13, '7.7 %'],
    [0.0769, '7.7 %'],
    [0.0764, '7.6 %'],
    [0.999, '99.9 %'],
    [0.25, '25 %'],
    [2 / 3, '66.7 %'],
    [1, '100 %'],
    [0, '0 %'],
  ])('rounds %p to %s', (share, text) => {
    expect(percentText(share)).toBe(text);
  });

  it('shows 100 % and 0 % only for exact values', () => {
    expect(percentText(9_999 / 10_000)).toBe('> 99.9 %');
    expect(percentText(1 / 10_000)).toBe('< 0.1 %');
  });
});
