import { describe, expect, it } from '@jest/globals';
import { isCountry } from './country.js';

describe('isCountry', () => {
  it.each(['DE', 'XK', 'GB', 'SX'])('accepts %s', (code) => {
    expect(isCountry(code)).toBe(true);
  });

  it.each(['xk', 'XKX', 'UK', 'AN', 'EU', 'XX', 'ZZ', '', null, undefined, ['XK'], 7])('rejects %j', (code) => {
    expect(isCountry(code)).toBe(false);
  });
});
