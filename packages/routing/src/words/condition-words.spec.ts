import { describe, expect, it } from '@jest/globals';
import type { Condition, FieldTest } from '../definition/condition.js';
import { CONDITION_FIELDS, conditionErrors } from '../definition/condition-errors.js';
import { FIELDS_WITH_WORDS, listChangeWords, paymentsWords } from './condition-words.js';

describe('paymentsWords', () => {
  it.each<[condition: Condition, words: string]>([
    [{}, 'all payments'],
    [{ currency: { equals: 'EUR' } }, 'payments in euros'],
    [{ currency: { in: ['EUR', 'CHF'] } }, 'payments in euros or Swiss francs'],
    [{ currency: { not: ['EUR', 'USD'] } }, 'payments not in euros or US dollars'],
    [{ country: { not: 'DE' } }, 'payments not from Germany'],
    [{ country: { exists: true } }, 'payments with a country'],
    [{ country: { exists: false } }, 'payments without a country'],
    [{ amount: { min: 500 } }, 'payments of at least 500'],
    [{ amount: { max: 1000.5 } }, 'payments of at most 1,000.5'],
    [{ amount: { min: 500, max: 1000 } }, 'payments of 500 to 1,000'],
    [{ amount: { in: [5, 10] } }, 'payments of exactly 5 or 10'],
    [{ customer_id: { not: 7 } }, 'payments not of customer 7'],
    [{ 'payment_method.type': { equals: 'ideal' } }, 'payments by ideal'],
    [{ 'card.scheme': { in: ['visa', 'dankort'] } }, 'payments with Visa or dankort cards'],
    [{ 'card.bin': { starts_with: ['4111', '51'] } }, 'payments with cards that begin with 4111 or 51'],
    [{ 'card.funding': { not: 'prepaid' } }, 'payments not with prepaid cards'],
    [{ 'card.issuer_country': { equals: 'US' } }, 'payments with cards issued in the United States'],
    [
      {
        'card.scheme': { equals: 'maestro' },
        'card.funding': { in: ['debit', 'prepaid'] },
        'card.issuer_country': { equals: 'DE' },
      },
      'payments with Maestro debit or prepaid cards issued in Germany',
    ],
    [
      { 'card.scheme': { equals: 'visa' }, 'card.funding': { not: 'debit' } },
      'payments with Visa cards and not with debit cards',
    ],
    [{ 'metadata.order.tier': { equals: 'gold' } }, 'payments with order.tier “gold”'],
    [{ 'metadata.vip': { in: [true, null] } }, 'payments with vip true or null'],
    [{ 'metadata.vip': { exists: false } }, 'payments without vip'],
    [{ all: [{ currency: { equals: 'EUR' } }, { country: { equals: 'DE' } }] }, 'payments in euros and from Germany'],
    [{ any: [{ currency: { equals: 'EUR' } }] }, 'payments in euros'],
    [
      { amount: { min: 5 }, any: [{ currency: { equals: 'EUR' } }, { country: { equals: 'DE' } }] },
      'payments of at least 5 and (in euros or from Germany)',
    ],
    [
      { any: [{ currency: { equals: 'EUR' }, amount: { min: 5 } }, {}] },
      'payments (in euros and of at least 5) or of any kind',
    ],
    [{ not: { currency: { equals: 'EUR' } } }, 'payments not in euros'],
    [{ not: { currency: { not: 'EUR' } } }, 'payments not (not in euros)'],
    [{ not: { currency: { equals: 'EUR' }, amount: { min: 5 } } }, 'payments not (in euros and of at least 5)'],
    [{ not: {} }, 'payments of no kind'],
    [
      { 'card.bin': { starts_with: Array.from({ length: 20 }, (_, index) => String(index)) } },
      'payments with cards that begin with 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 or 9 others',
    ],
  ])('says %j as “%s”', (condition, words) => {
    expect(conditionErrors(condition, 'when')).toEqual([]);
    expect(paymentsWords(condition)).toBe(words);
  });

  it('paymentsWords has words for every field', () => {
    expect([...FIELDS_WITH_WORDS].sort()).toEqual(Object.keys(CONDITION_FIELDS).sort());
  });

  const operands: Record<string, unknown[]> = {
    equals: ['EUR', 'DE'],
    in: [['EUR'], ['DE']],
    not: ['EUR', 'DE'],
    exists: [true, false],
    min: [1, 2],
    max: [1, 2],
    starts_with: [['4'], ['5']],
  };
  const tests = Object.entries({ ...CONDITION_FIELDS, 'metadata.tier': CONDITION_FIELDS['country']! }).flatMap(
    ([field, rules]) => rules.tests.map((test): [string, string] => [field, test]),
  );

  it.each(tests)('paymentsWords depends on the value of %s.%s', (field, test) => {
    const [one, other] = operands[test]!.map((value) => paymentsWords({ [field]: { [test]: value } as FieldTest }));
    expect(one).not.toBe('all payments');
    expect(one).not.toBe(other);
  });
});

describe('listChangeWords', () => {
  it.each<[before: Condition, after: Condition, words: string | undefined]>([
    [{ country: { in: ['DE', 'IT'] } }, { country: { in: ['DE', 'AT'] } }, 'the countries gain Austria and lose Italy'],
    [{ country: { not: ['DE'] } }, { country: { not: ['DE', 'AT'] } }, 'the excluded countries gain Austria'],
    [
      { not: { 'card.bin': { starts_with: ['4'] } } },
      { not: { 'card.bin': { starts_with: ['5'] } } },
      'the excluded first digits gain 5 and lose 4',
    ],
    [{ currency: { in: ['EUR', 'USD'] } }, { currency: { in: ['USD', 'EUR'] } }, 'the currencies are in another order'],
    [{ country: { equals: 'DE' } }, { country: { equals: 'AT' } }, undefined],
    [{ country: { in: ['DE'] } }, { currency: { in: ['EUR'] } }, undefined],
    [{ country: { in: ['DE'] } }, { country: { in: ['AT'] }, amount: { min: 1 } }, undefined],
  ])('says the change of %j to %j', (before, after, words) => {
    expect(listChangeWords(before, after)).toBe(words);
  });
});
