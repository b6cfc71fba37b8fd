import { describe, expect, it } from '@jest/globals';
import { cardText, methodFacts } from './method-facts';

describe('methodFacts', () => {
  it('names the type, the card and the accounts', () => {
    const card = {
      scheme: 'visa',
      bin: '411111',
      last4: '1111',
      funding: 'credit',
      issuer_country: 'DE',
      expiry_month: 3,
      expiry_year: 2030,
    } as const;
    const options = [{ provider: 'sandbox', account: 'eu' }, { provider: 'stripe' }];
    expect(methodFacts({ type: 'card', card, options })).toEqual([
      ['Payment method', 'card'],
      ['Card', 'visa 411111 •••• 1111'],
      ['Funding', 'credit'],
      ['Issuer country', 'DE'],
      ['Card expires', '03/2030'],
      ['Accounts', 'sandbox eu; stripe (any account)'],
    ]);
  });

  it.each([
    [{}, []],
    [{ options: [] }, []],
    [{ card: { last4: '4242' } }, [['Card', '•••• 4242']]],
    [{ card: { bin: '41111111' } }, [['Card', '41111111 ••••']]],
    [{ card: { expiry_year: 2031 } }, [['Card expires', '2031']]],
    [{ card: { expiry_month: 4 } }, []],
  ])('leaves out what is not known: %j', (method, facts) => {
    expect(methodFacts(method)).toEqual(facts);
  });
});

it('cardText names the known facts of a card in one line', () => {
  expect(cardText({ scheme: 'visa', last4: '1111', funding: 'debit', expiry_month: 3, expiry_year: 2030 })).toBe(
    'visa •••• 1111, debit, 03/2030',
  );
});
