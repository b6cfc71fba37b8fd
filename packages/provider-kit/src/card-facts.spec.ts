import { describe, expect, it } from '@jest/globals';
import { validFacts } from './card-facts.js';

describe('validFacts', () => {
  it('keeps facts of the right form', () => {
    const card = { scheme: 'visa', bin: '411111', last4: '1111', funding: 'debit', issuer_country: 'DE' } as const;
    expect(validFacts({ ...card, expiry_month: 12, expiry_year: 2030 })).toEqual({
      ...card,
      expiry_month: 12,
      expiry_year: 2030,
    });
  });

  it('leaves out a full number and other values', () => {
    const given = { scheme: 'VISA Card', bin: '4111111111111111', last4: '11111', funding: 'gift', expiry_month: 13 };
    expect(validFacts({ ...given, issuer_country: 'Germany', expiry_year: '2030' })).toBeUndefined();
    expect(validFacts({ ...given, last4: '1111' })).toEqual({ last4: '1111' });
    expect(validFacts(undefined)).toBeUndefined();
  });
});
