import { Decimal } from 'decimal.js';
import { isCountry } from '../facts/country.js';
import { amountError, CURRENCIES, currencyDigits } from '../facts/money.js';
import { CARD_FUNDINGS } from '../facts/payment-method.js';
import type { FieldTest, Scalar } from './condition.js';

/**
 * The values of a field that its tests distinguish. For any value that a request can have, one of these passes exactly
 * the same tests. So a check of these values covers all values.
 */
type BoundaryValues<T> = (tests: readonly FieldTest[]) => T[];

const ALPHABET = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const USUAL_CURRENCIES = ['USD', 'EUR', 'JPY', 'BHD'];
const USUAL_COUNTRIES = ['US', 'DE', 'FR'];
const ALL_CURRENCIES = [...new Set([...USUAL_CURRENCIES, ...CURRENCIES])];
const ALL_COUNTRIES = [
  ...new Set([...USUAL_COUNTRIES, ...ALPHABET.flatMap((one) => ALPHABET.map((two) => one + two))]),
].filter(isCountry);

/** Represents all values that no test names. */
const UNNAMED_TEXT = 'something else';

/**
 * Each named currency, and one unnamed currency for each number of decimals, because the decimals decide which amounts
 * exist.
 */
export const currencies: BoundaryValues<string> = (tests) => {
  const named = namedValues(tests);
  const unnamed = new Map<number, string>();
  for (const currency of ALL_CURRENCIES) {
    const digits = currencyDigits(currency)!;
    if (!named.has(currency) && !unnamed.has(digits)) unnamed.set(digits, currency);
  }
  return [...ALL_CURRENCIES.filter((currency) => named.has(currency)), ...unnamed.values()];
};

/** Each named country, one unnamed country, and no country. */
export const countries: BoundaryValues<string | undefined> = (tests) => {
  const named = namedValues(tests);
  const unnamed = ALL_COUNTRIES.find((country) => !named.has(country));
  return [...ALL_COUNTRIES.filter((country) => named.has(country)), ...(unnamed ? [unnamed] : []), undefined];
};

/** Each named customer, one unnamed customer, and no customer. */
export const customerIds: BoundaryValues<number | undefined> = (tests) => {
  const named = namedValues(tests);
  const ids = [...named].filter((value): value is number => Number.isSafeInteger(value) && (value as number) > 0);
  let unnamed = 1;
  while (named.has(unnamed)) unnamed++;
  return [...ids, unnamed, undefined];
};

/**
 * Each named value, one unnamed value, and no value. `asObject`: the unnamed value is an object, which can contain
 * further fields. It comes first because it restricts the search least.
 */
export const metadataValues = (tests: readonly FieldTest[], { asObject }: { asObject: boolean }): unknown[] => {
  const named = namedValues(tests);
  if (asObject) return [{}, ...named, undefined];
  let unnamed = UNNAMED_TEXT;
  while (named.has(unnamed)) unnamed += '.';
  return [...named, unnamed, undefined];
};

/** Each named value, one unnamed value, and no value; for a type of payment method or a card network. */
export const names: BoundaryValues<string | undefined> = (tests) => {
  const named = namedValues(tests);
  let unnamed = 'other';
  for (let next = 2; named.has(unnamed); next++) unnamed = `other${next}`;
  return [...([...named] as string[]), unnamed, undefined];
};

/** Every funding, and none. */
export const fundings: BoundaryValues<string | undefined> = () => [...CARD_FUNDINGS, undefined];

const MIN_BIN_LENGTH = 6;
/** A BIN of a large network comes first, because examples show it. */
const DIGITS = [...'4512367890'];

/**
 * For each prefix a BIN that no longer prefix matches, a BIN that no prefix matches, and no BIN. Prefixes of any other
 * BIN are prefixes of each other, so the longest one decides which tests it passes.
 */
export const bins: BoundaryValues<string | undefined> = (tests) => {
  const prefixes = new Set(tests.flatMap(({ starts_with: list = [] }) => list));
  const found = ['', ...prefixes].map((start) => binWithout(start, prefixes)).filter((bin) => bin !== undefined);
  return [...found.slice(1), ...found.slice(0, 1), undefined];
};

/** A BIN that begins with `start` and that no longer prefix matches; `undefined`: there is none. */
function binWithout(start: string, prefixes: ReadonlySet<string>): string | undefined {
  if (start.length >= MIN_BIN_LENGTH) return start;
  for (const digit of DIGITS) {
    const bin = prefixes.has(start + digit) ? undefined : binWithout(start + digit, prefixes);
    if (bin !== undefined) return bin;
  }
  return undefined;
}

/**
 * For each bound: the greatest amount below it, the bound itself, and the smallest amount above it, if the currency has
 * them.
 */
export const amounts =
  (currency: string): BoundaryValues<number> =>
  (tests) => {
    const unit = new Decimal(10).pow(-currencyDigits(currency)!);
    const near = [...bounds(tests)].flatMap((bound) => {
      const below = new Decimal(bound).div(unit).ceil().minus(1).times(unit);
      const above = new Decimal(bound).div(unit).floor().plus(1).times(unit);
      return [below.toNumber(), bound, above.toNumber()];
    });
    const usable = near.filter((amount) => amountError(amount, currency) === undefined);
    return usable.length > 0 ? [...new Set(usable)] : [100];
  };

function bounds(tests: readonly FieldTest[]): Set<number> {
  const limits = tests.flatMap(({ min, max }) => [min, max]);
  return new Set([...limits, ...namedValues(tests)].filter((value) => typeof value === 'number'));
}

function namedValues(tests: readonly FieldTest[]): Set<Scalar> {
  const values = tests.flatMap(({ equals, in: list = [], not = [] }) => [equals, ...list, ...[not].flat()]);
  return new Set(values.filter((value) => value !== undefined));
}
