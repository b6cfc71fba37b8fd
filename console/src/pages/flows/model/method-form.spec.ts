import { describe, expect, it } from '@jest/globals';
import { accountsOf, methodForm, methodOf, methodText, newOption, NO_METHOD } from './method-form';

describe('methodOf', () => {
  it('returns nothing for an empty form', () => {
    expect(methodOf(NO_METHOD)).toBeUndefined();
  });

  it.each([
    { type: 'card' },
    { options: [{ provider: 'sandbox', account: 'eu' }, { provider: 'stripe' }] },
    { card: { scheme: 'visa', bin: '411111', funding: 'debit', issuer_country: 'DE' } as const },
  ])('returns the method that methodForm was given: %j', (method) => {
    expect(methodOf(methodForm(method))).toEqual(method);
  });

  it('leaves out tokens, which decide nothing', () => {
    expect(methodOf(methodForm({ options: [{ provider: 'sandbox', token: 'tok_success' }] }))).toEqual({
      options: [{ provider: 'sandbox' }],
    });
  });
});

it('accountsOf lists each account of a provider once', () => {
  const shops = [
    { provider: 'sandbox', provider_account: 'us' },
    { provider: 'sandbox', provider_account: 'eu' },
    { provider: 'sandbox', provider_account: 'us' },
    { provider: 'stripe', provider_account: 'default' },
  ];
  expect([...accountsOf(shops)]).toEqual([
    ['sandbox', ['eu', 'us']],
    ['stripe', ['default']],
  ]);
});

it('methodText names the accounts and the facts', () => {
  const options = [newOption('sandbox', 'eu'), newOption('stripe')];
  expect(methodText({ ...NO_METHOD, options, type: 'card', scheme: 'visa' })).toBe(
    'sandbox eu, stripe (any account); card, visa',
  );
  expect(methodText(NO_METHOD)).toBe('not named');
});
