import { describe, expect, it } from '@jest/globals';
import {
  amountBoundError,
  amountError,
  CURRENCIES,
  currencyDigits,
  currencyError,
  toDecimalText,
  toJsonAmount,
} from './money.js';

describe('currencyDigits', () => {
  it.each([
    ['USD', 2],
    ['JPY', 0],
    ['BHD', 3],
    ['XCG', 2],
    ['usd', undefined],
    ['ZZZ', undefined],
    ['', undefined],
    ['constructor', undefined],
  ])('maps %s to %s', (currency, digits) => {
    expect(currencyDigits(currency)).toBe(digits);
  });

  it.each([
    ['metals', ['XAU', 'XAG', 'XPT', 'XPD']],
    ['bond market units', ['XBA', 'XBB', 'XBC', 'XBD']],
    ['units of account', ['XDR', 'XSU', 'XUA']],
    ['funds codes', ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW']],
    ['the codes for tests and for no currency', ['XTS', 'XXX']],
  ])('excludes %s: no customer can pay in them', (_, codes) => {
    expect(codes.filter((code) => currencyDigits(code) !== undefined || CURRENCIES.includes(code))).toEqual([]);
  });

  it.each(['XAF', 'XOF', 'XPF', 'XCD'])('includes %s, a currency of several countries', (currency) => {
    expect(currencyDigits(currency)).toBeDefined();
  });
});

describe('currencyError', () => {
  it.each([
    ['BGN', 'EUR'],
    ['ANG', 'XCG'],
    ['CUC', 'CUP'],
    ['HRK', 'EUR'],
    ['SLL', 'SLE'],
    ['ZWL', 'ZWG'],
    ['MRO', 'MRU'],
    ['STD', 'STN'],
    ['VEF', 'VES'],
    ['BYR', 'BYN'],
  ])('rejects %s as withdrawn and names its successor %s, which it accepts', (withdrawn, successor) => {
    expect(currencyError(withdrawn)).toBe(
      `must be a currency in use: ${withdrawn} was withdrawn, its successor is ${successor}`,
    );
    expect(currencyError(successor)).toBeUndefined();
    expect(CURRENCIES).not.toContain(withdrawn);
  });

  it.each(['XCG', 'ZWG', 'SLE', 'VED', 'VES', 'SVC'])('accepts %s', (currency) => {
    expect(currencyError(currency)).toBeUndefined();
    expect(CURRENCIES).toContain(currency);
  });

  it.each(['XAD', 'ZZZ', 'eur', '', 'constructor', 7, null, ['EUR'], undefined])('rejects %j', (currency) => {
    expect(currencyError(currency)).toBe('must be the ISO 4217 code of a currency to pay in, such as USD');
  });

  it('rejects withdrawn currencies whose digits stay known for refunds of old payments', () => {
    expect(['BGN', 'ANG', 'CUC'].map(currencyDigits)).toEqual([2, 2, 2]);
  });
});

/** VED: CLDR does not list it as legal tender, ISO 4217 does since amendment 170. The others are newer than the ICU of Node 20.19. */
const MAY_BE_MISSING = ['VED', 'XCG', 'ZWG'];

/** A Node version that fails here has an ICU with a change of ISO 4217 that `money.ts` lacks. */
describe("the runtime's currencies", () => {
  const runtimeCurrencies = Intl.supportedValuesOf('currency');
  const NOT_CHARGEABLE = ['XAU', 'XAG', 'XPT', 'XPD', 'XDR', 'XSU', 'XUA', 'XAD', 'XXX', 'XTS'];

  it('each are accepted, withdrawn or not for payments', () => {
    const isDecided = (code: string): boolean =>
      !currencyError(code) || /was withdrawn/.test(currencyError(code)!) || NOT_CHARGEABLE.includes(code);
    expect(runtimeCurrencies.filter((code) => !isDecided(code))).toEqual([]);
  });

  it('include each currency that the service accepts', () => {
    expect(CURRENCIES.filter((code) => ![...runtimeCurrencies, ...MAY_BE_MISSING].includes(code))).toEqual([]);
  });
});

describe('amountError', () => {
  it.each([
    [0.01, 'USD'],
    [100, 'JPY'],
    [1.001, 'BHD'],
    [999999999999.99, 'USD'],
    [999999999999.999, 'BHD'],
  ])('accepts %s %s', (amount, currency) => {
    expect(amountError(amount, currency)).toBeUndefined();
  });

  it.each([
    [0, 'USD', /greater than 0/],
    [-0, 'USD', /greater than 0/],
    [-1, 'USD', /greater than 0/],
    [0.001, 'USD', /at most 2 decimals/],
    [1.5, 'JPY', /at most 0 decimals/],
    [1e12, 'USD', /at most 999999999999.999/],
    [1e308, 'USD', /at most/],
    [5e-324, 'USD', /decimals/],
    [0.1 + 0.2, 'USD', /decimals/],
    [Infinity, 'USD', /number/],
    [NaN, 'USD', /number/],
  ])('rejects %s %s', (amount, currency, message) => {
    expect(amountError(amount, currency)).toMatch(message);
  });
});

describe('amountBoundError', () => {
  it.each([0, 0.0001, 99.99, 999999999999.999])('accepts %s', (amount) => {
    expect(amountBoundError(amount)).toBeUndefined();
  });

  it.each([
    [-0.01, /negative/],
    [1e12, /at most 999999999999.999/],
    [1e-7, /4 decimals/],
    [0.1 + 0.2, /4 decimals/],
    [999999999999.1234, /15 digits/],
    [NaN, /number/],
  ])('rejects %s', (amount, message) => {
    expect(amountBoundError(amount)).toMatch(message);
  });
});

it('toDecimalText writes plain decimals, which toJsonAmount reads back unchanged', () => {
  for (const amount of [0.1, 100.1, 1e-4, 999999999999.999]) {
    expect(toDecimalText(amount)).not.toMatch(/e/);
    expect(toJsonAmount(`${toDecimalText(amount)}`)).toBe(amount);
  }
});
