import { describe, expect, it } from '@jest/globals';
import { factsOf, optionFor } from './payment-method.js';

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
