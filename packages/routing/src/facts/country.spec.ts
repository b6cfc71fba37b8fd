import { describe, expect, it } from '@jest/globals';
import { isISO31661Alpha2 } from 'class-validator';
import { isCountry } from './country.js';

describe('isCountry', () => {
  it.each(['DE', 'XK', 'GB', 'SX'])('accepts %s', (code) => {
    expect(isCountry(code)).toBe(true);
  });

  it.each(['xk', 'XKX', 'UK', 'AN', 'EU', 'XX', 'ZZ', '', null, undefined, ['XK'], 7])('rejects %j', (code) => {
    expect(isCountry(code)).toBe(false);
  });

  it('knows the codes of ISO 3166-1 and Kosovo', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    expect(codes.filter(isCountry)).toEqual(codes.filter((code) => isISO31661Alpha2(code) || code === 'XK'));
  });
});
