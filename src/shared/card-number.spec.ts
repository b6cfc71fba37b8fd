import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findCardNumber, hasCardNumber } from './card-number.js';

/** An independent implementation: ISO/IEC 7812-1 by a table of doubled digits. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
const checkDigit = (payload: string): string => {
  const sum = [...payload]
    .toReversed()
    .reduce((total, digit, index) => total + (index % 2 === 0 ? DOUBLED[Number(digit)]! : Number(digit)), 0);
  return String((10 - (sum % 10)) % 10);
};

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const cardNumbers = digits(11, 18).map((payload) => payload + checkDigit(payload));
const separated = cardNumbers.chain((number) =>
  fc
    .array(fc.constantFrom('', '', ' ', '-', '\u00a0', ' - ', '\u2013', '\n'), {
      minLength: number.length - 1,
      maxLength: number.length - 1,
    })
    .map((separators) => [...number].map((digit, index) => digit + (separators[index] ?? '')).join('')),
);
describe('hasCardNumber', () => {
  it('finds every number that passes the Luhn check, with any spaces and dashes and any text around it', () => {
    fc.assert(
      fc.property(
        separated,
        fc.constantFrom('', 'card: ', 'pan'),
        fc.constantFrom('', 'x', ', 12/30'),
        (number, ...around) => {
          expect(hasCardNumber(around.join(number))).toBe(true);
        },
      ),
    );
  });

  it('finds the test numbers of the card networks', () => {
    for (const number of [
      '4111111111111111',
      '5555 5555 5555 4444',
      '3782-822463-10005',
      '6011 1111 1111 1117',
      '30569309025904',
      '4222222222222',
      '6304000000000000',
    ])
      expect([number, hasCardNumber(number)]).toEqual([number, true]);
  });

  const NUMBER = '4111111111111111';
  const GROUPS = ['4111', '1111', '1111', '1111'];

  it.each(['.', '/', '_', ',', '\u200b', '\u00ad', '\u2212', '\ufe0f', ' | ', '*', '\u2028', '·'])(
    'finds a number with %j between its groups or its digits',
    (separator) => {
      for (const parts of [GROUPS, [...NUMBER], ['3782', '822463', '10005']])
        expect([parts, hasCardNumber(`pay ${parts.join(separator)}, 12/30`)]).toEqual([parts, true]);
    },
  );

  it('finds a number in the digits of every script', () => {
    const systems = Intl.supportedValuesOf('numberingSystem').filter((system) => {
      const shown = new Intl.NumberFormat('en', { numberingSystem: system, useGrouping: false }).format(1_234_567_890);
      return /^\p{Nd}{10}$/u.test(shown);
    });
    expect(systems.length).toBeGreaterThan(50);
    for (const numberingSystem of systems) {
      const shown = new Intl.NumberFormat('en', { numberingSystem, useGrouping: false }).format(Number(NUMBER));
      expect([numberingSystem, hasCardNumber(shown)]).toEqual([numberingSystem, true]);
    }
  });

  it.each(['2026-11-21 01:02:03.456', '192.168.100.203', 'Chrome/120.0.6099.1094', '1.23, 4.56, 7.89, 10.11, 12.15'])(
    'hasCardNumber does not find one in %j',
    (text) => expect(hasCardNumber(text)).toBe(false),
  );

  it('finds a number that other digits follow after a space, such as its expiry date', () => {
    expect(hasCardNumber('4111 1111 1111 1111 12 30 737')).toBe(true);
    expect(hasCardNumber('1 4111111111111111 2')).toBe(true);
  });

  it('hasCardNumber does not find runs of digits that fail the Luhn check, such as ids of orders', () => {
    fc.assert(
      fc.property(digits(11, 18), fc.integer({ min: 1, max: 9 }), (payload, error) => {
        const wrong = payload + ((Number(checkDigit(payload)) + error) % 10);
        expect(hasCardNumber(`order ${wrong}`)).toBe(false);
      }),
    );
  });

  it('hasCardNumber does not find shorter and longer runs of digits', () => {
    fc.assert(
      fc.property(fc.oneof(digits(0, 11), digits(20, 60)), (run) => {
        expect(hasCardNumber(`no ${run}.`)).toBe(false);
      }),
    );
  });

  it('hasCardNumber does not find a UUID', () => {
    expect(hasCardNumber('00000000-0000-0000-0000-411111111111')).toBe(false);
    expect(hasCardNumber('a UUID c0ffee00-1111-4111-8111-111111111117 in a text')).toBe(false);
  });

  it('takes linear time for a body that is full of digits', () => {
    expect(hasCardNumber('1 '.repeat(131_072))).toBe(false);
    expect(hasCardNumber(`1${' '.repeat(262_144)}`)).toBe(false);
    expect(hasCardNumber('1.'.repeat(131_072))).toBe(false);
    expect(hasCardNumber('\u0661'.repeat(131_072))).toBe(false);
  });
});

describe('findCardNumber', () => {
  const NUMBER = '4111111111111111';

  it.each<[unknown, string | undefined]>([
    [{ options: [{ data: { number: NUMBER } }] }, 'payment_method.options.0.data.number'],
    [{ token: `tok-${NUMBER}` }, 'payment_method.token'],
    [{ data: { number: Number(NUMBER) } }, 'payment_method.data.number'],
    [{ data: { [NUMBER]: true } }, 'payment_method.data'],
    [{ data: { encryptedCardNumber: `eyJhbGciOiJSU0EtT0FFUCJ9.${NUMBER}`, other: 1 } }, undefined],
    [{ data: { encryptedCardNumber: NUMBER } }, 'payment_method.data.encryptedCardNumber'],
    [{ data: { checkoutAttemptId: '4111 1111-1111 1111' } }, 'payment_method.data.checkoutAttemptId'],
    [{ data: { encryptedCardNumber: ` ${NUMBER}\n` } }, 'payment_method.data.encryptedCardNumber'],
    [{ data: { encryptedCardNumber: { number: NUMBER } } }, 'payment_method.data.encryptedCardNumber.number'],
    [{ data: { encrypted: NUMBER } }, 'payment_method.data.encrypted'],
    [{ data: { checkoutAttemptId: `7b1c1685355513914D${NUMBER}` } }, undefined],
    [null, undefined],
    [undefined, undefined],
    [[true, null, 12.5, 'pm_card_visa'], undefined],
  ])('of %j is %j', (value, path) => {
    expect(findCardNumber(value, 'payment_method')).toBe(path);
  });
});
