import { describe, expect, it } from '@jest/globals';
import { hasOption, methodAt } from './method-at.js';

const stripe = { provider: 'stripe', account: 'eu' };

describe('methodAt', () => {
  const options = [
    { provider: 'stripe', token: 'pm_any' },
    { provider: 'stripe', account: 'eu', token: 'pm_eu' },
    { provider: 'adyen', data: { paymentMethod: { type: 'scheme' } } },
  ];

  it.each([
    ['the token for every account', { token: 'pm_1' }, stripe, { token: 'pm_1' }],
    ['the option that names the account', { options }, stripe, { token: 'pm_eu' }],
    [
      'the option of the provider for other accounts',
      { options },
      { provider: 'stripe', account: 'us' },
      { token: 'pm_any' },
    ],
    ['data', { options }, { provider: 'adyen', account: 'x' }, { data: { paymentMethod: { type: 'scheme' } } }],
    ['the type with it', { type: 'card', options }, stripe, { type: 'card', token: 'pm_eu' }],
    ['nothing without an option', { type: 'card', options }, { provider: 'sandbox', account: 'eu' }, undefined],
    ['only the type', { type: 'ideal' }, stripe, { type: 'ideal' }],
    ['nothing without a token and a type', { card: { scheme: 'visa' } }, stripe, undefined],
    ['nothing without a method', undefined, stripe, undefined],
  ] as const)('gives %s', (_, given, at, expected) => {
    expect(methodAt(given, at)).toEqual(expected);
  });

  it.each([
    [undefined, true],
    [{ token: 'pm_1' }, true],
    [{ options }, true],
    [{ options: [{ provider: 'stripe', account: 'us', token: 'pm_us' }] }, false],
    [{ options: [{ provider: 'adyen', token: 'a/b' }] }, false],
  ])('knows whether %j may be about the account', (given, expected) => {
    expect(hasOption(given, stripe)).toBe(expected);
  });
});
