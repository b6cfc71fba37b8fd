import { describe, expect, it } from '@jest/globals';
import { factsOf, optionFor, validFacts } from './payment-method.js';

describe('optionFor', () => {
  const eu = { provider: 'stripe', account: 'eu' };
  const anywhere = { provider: 'stripe' };

  it.each([
    ['the option that names the account', [anywhere, eu], eu],
    ['the option for any account', [{ provider: 'stripe', account: 'us' }, anywhere], anywhere],
    ['none of another account', [{ provider: 'stripe', account: 'us' }], undefined],
    ['none of another provider with the same label', [{ provider: 'adyen', account: 'eu' }], undefined],
    ['none of no options', [], undefined],
  ])('finds %s', (_, options, expected) => {
    expect(optionFor(options, eu)).toBe(expected);
  });
});

describe('factsOf', () => {
  it('keeps what may be shown, without tokens and data', () => {
    const card = { scheme: 'visa', last4: '1111' };
    const options = [
      { provider: 'stripe', account: 'eu', token: 'pm_1' },
      { provider: 'adyen', data: { secret: 1 } },
    ];
    expect(factsOf({ type: 'card', token: 'pm_0', options, card })).toEqual({
      type: 'card',
      options: [{ provider: 'stripe', account: 'eu' }, { provider: 'adyen' }],
      card,
    });
  });

  it.each([[undefined], [{ token: 'pm_1' }]])('keeps nothing of %j', (given) => {
    expect(factsOf(given)).toBeUndefined();
  });
});

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
