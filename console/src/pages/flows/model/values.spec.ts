import { describe, expect, it } from '@jest/globals';
import { codesOf, listOf, numberOf, textOf, textOfList, valueOf } from './values';

describe('the value of a test', () => {
  it.each<[field: string, text: string, value: unknown]>([
    ['amount', '12.5', 12.5],
    ['amount', 'many', 'many'],
    ['customer_id', ' 7 ', 7],
    ['currency', 'eur', 'EUR'],
    ['card.issuer_country', 'de', 'DE'],
    ['card.scheme', 'Visa', 'visa'],
    ['payment_method.type', 'Klarna', 'Klarna'],
    ['metadata.tier', 'gold', 'gold'],
    ['metadata.tier', '12', 12],
    ['metadata.tier', '"12"', '12'],
    ['metadata.tier', 'true', true],
    ['metadata.tier', 'null', null],
    ['metadata.tier', '{"a":1}', '{"a":1}'],
  ])('valueOf reads for %s the text %s', (field, text, value) => {
    expect(valueOf(field, text)).toEqual(value);
  });

  it('listOf reads a list', () => {
    expect(listOf('currency', 'eur, chf,')).toEqual(['EUR', 'CHF']);
    expect(listOf('card.bin', '0411, 51')).toEqual(['0411', '51']);
    expect(listOf('metadata.tier', 'gold, 12, "a, b"')).toEqual(['gold', 12, 'a, b']);
  });

  it.each([['gold', 12, '12', 'a, b', true, null, 'with "quotes"', ' padded ']])(
    'textOf writes a text that valueOf reads back: %p …',
    (...values) => {
      for (const value of values) expect(valueOf('metadata.tier', textOf('metadata.tier', value))).toEqual(value);
      expect(listOf('metadata.tier', textOfList('metadata.tier', values))).toEqual(values);
    },
  );
});

describe('numberOf', () => {
  it.each([
    ['', undefined],
    ['3', 3],
    ['3.', 3],
    ['x', 'x'],
  ])('reads "%s"', (text, value) => {
    expect(numberOf(text)).toBe(value);
  });
});

it('codesOf accepts several separators, and reads an empty text as any', () => {
  expect(codesOf('eur usd;CHF')).toEqual(['EUR', 'USD', 'CHF']);
  expect(codesOf(' ')).toBeUndefined();
});
