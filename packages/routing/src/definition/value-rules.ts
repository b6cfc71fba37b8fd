import { isCountry } from '../facts/country.js';
import { amountBoundError, currencyDigits } from '../facts/money.js';

/**
 * Returns the error of a value, as the end of a sentence that begins with the name of its field; `undefined`: the value is
 * valid. The service uses the same texts.
 */
export type ValueRule = (value: unknown) => string | undefined;

export const CURRENCY = 'the ISO 4217 code of a currency to pay in, such as USD';
export const COUNTRY = 'an ISO 3166-1 alpha-2 country code such as DE';

const isCurrency = (value: unknown): boolean => typeof value === 'string' && currencyDigits(value) !== undefined;

/** One or more different ISO 4217 codes. Withdrawn ones are accepted, so that a flow that names one can be changed. */
export const currencyListError: ValueRule = (value) => codeListError(value, isCurrency, CURRENCY);

/** One or more different ISO 3166-1 alpha-2 codes. */
export const countryListError: ValueRule = (value) => codeListError(value, isCountry, COUNTRY);

/** Takes linear time, unlike class-validator's ArrayUnique: a list may fill a whole request body. */
function codeListError(value: unknown, isCode: (item: unknown) => boolean, takes: string): string | undefined {
  if (!Array.isArray(value)) return 'must be an array';
  if (value.length === 0) return 'must not be empty: omit it to allow any';
  const invalid = value.findIndex((item) => !isCode(item));
  if (invalid >= 0) return `must contain only codes: item ${invalid} is not ${takes}`;
  return new Set(value).size < value.length ? 'must not contain a code twice' : undefined;
}

/** A limit for amounts in any currency; 0 or above. */
export const amountLimitError: ValueRule = (value) =>
  typeof value === 'number' ? amountBoundError(value) : 'must be a number';

export const integerIn =
  (min: number, max: number): ValueRule =>
  (value) => {
    if (!Number.isInteger(value)) return 'must be an integer number';
    if ((value as number) < min) return `must not be less than ${min}`;
    return (value as number) > max ? `must not be greater than ${max}` : undefined;
  };

export const idError: ValueRule = (value) => {
  if (!Number.isInteger(value)) return 'must be an integer number';
  if ((value as number) <= 0) return 'must be a positive number';
  return (value as number) > Number.MAX_SAFE_INTEGER
    ? `must not be greater than ${Number.MAX_SAFE_INTEGER}`
    : undefined;
};

export const booleanError: ValueRule = (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean value');

export const oneOf =
  (values: readonly string[]): ValueRule =>
  (value) =>
    values.some((each) => each === value) ? undefined : `must be one of the following values: ${values.join(', ')}`;

/** Text with so many characters; a character outside of the first plane counts once. */
export const textOf =
  (min: number, max: number): ValueRule =>
  (value) => {
    if (typeof value !== 'string') return 'must be a string';
    const length = [...value].length;
    if (length < min) return `must be longer than or equal to ${min} characters`;
    return length > max ? `must be shorter than or equal to ${max} characters` : undefined;
  };

export const matching =
  (pattern: RegExp): ValueRule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : `must match ${pattern} regular expression`;

export const both =
  (first: ValueRule, then: ValueRule): ValueRule =>
  (value) =>
    first(value) ?? then(value);

/** A list of 1 to `max` different values. */
export const valueList =
  (max: number, item: ValueRule): ValueRule =>
  (value) => {
    if (!Array.isArray(value)) return 'must be an array';
    if (value.length === 0) return 'should not be empty';
    if (value.length > max) return `must contain no more than ${max} elements`;
    if (new Set(value).size < value.length) return 'all items must be unique';
    const wrong = value.map(item).find((message) => message !== undefined);
    return wrong === undefined ? undefined : `each item ${wrong}`;
  };
