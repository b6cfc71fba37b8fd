import { isCountry } from '../facts/country.js';
import { currencyDigits } from '../facts/money.js';
import { CARD_FUNDINGS, METHOD_TYPE } from '../facts/payment-method.js';
import type { FieldError } from '../field-error.js';
import { isObject } from '../field-error.js';
import { amountLimitError, COUNTRY, CURRENCY, type ValueRule } from './value-rules.js';

/** The maximum nesting of `all`, `any` and `not`. */
const MAX_DEPTH = 8;
const MAX_PARTS = 100;
const MAX_VALUES = 1_000;
const MAX_TEXT_LENGTH = 500;
const MAX_PATH_KEYS = 10;

interface FieldRules {
  value: ValueRule;
  tests: readonly string[];
}

const VALUE_TESTS = ['equals', 'in', 'not'];

const country: ValueRule = (value) => (isCountry(value) ? undefined : `must be ${COUNTRY}`);
const matching =
  (pattern: RegExp, message: string): ValueRule =>
  (value) =>
    typeof value === 'string' && pattern.test(value) ? undefined : message;

/** The fixed fields of conditions, with their tests. Metadata have those of `METADATA`. */
export const CONDITION_FIELDS: Readonly<Record<string, FieldRules>> = {
  currency: {
    tests: VALUE_TESTS,
    value: (value) =>
      typeof value === 'string' && currencyDigits(value) !== undefined ? undefined : `must be ${CURRENCY}`,
  },
  country: {
    tests: [...VALUE_TESTS, 'exists'],
    value: country,
  },
  amount: {
    tests: [...VALUE_TESTS, 'min', 'max'],
    value: amountLimitError,
  },
  customer_id: {
    tests: [...VALUE_TESTS, 'exists'],
    value: (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'must be a positive integer'),
  },
  'payment_method.type': {
    tests: [...VALUE_TESTS, 'exists'],
    value: matching(METHOD_TYPE, 'must be text of 1 to 32 characters'),
  },
  'card.scheme': {
    tests: [...VALUE_TESTS, 'exists'],
    value: matching(/^[a-z0-9_-]{1,32}$/, 'must be a card network in lower case such as visa'),
  },
  'card.bin': {
    tests: ['starts_with', 'exists'],
    value: matching(/^\d{1,8}$/, 'must be the first 1 to 8 digits of card numbers, as text'),
  },
  'card.funding': {
    tests: [...VALUE_TESTS, 'exists'],
    value: (value) =>
      CARD_FUNDINGS.some((funding) => funding === value) ? undefined : `must be one of ${CARD_FUNDINGS.join(', ')}`,
  },
  'card.issuer_country': { tests: [...VALUE_TESTS, 'exists'], value: country },
};

const METADATA: FieldRules = {
  tests: [...VALUE_TESTS, 'exists'],
  value: (value) => {
    if (typeof value === 'string') {
      return value.length > MAX_TEXT_LENGTH ? `must be at most ${MAX_TEXT_LENGTH} characters` : undefined;
    }
    return typeof value === 'number' || typeof value === 'boolean' || value === null
      ? undefined
      : 'must be text, a number, a boolean or null';
  },
};

/**
 * The errors in the structure of a condition that a caller sent; `field` is its path, such as `rules[0].when`. A value
 * without errors is a `Condition`.
 */
export const conditionErrors = (condition: unknown, field: string): FieldError[] => check(condition, field, 1);

function check(condition: unknown, field: string, depth: number): FieldError[] {
  if (!isObject(condition)) return [{ field, message: 'must be an object' }];
  if (depth > MAX_DEPTH) return [{ field, message: `must be nested at most ${MAX_DEPTH} levels deep` }];
  return Object.entries(condition).flatMap(([key, part]) => {
    const path = `${field}.${key}`;
    if (key === 'all' || key === 'any') return partsErrors(part, path, depth);
    if (key === 'not') return check(part, path, depth + 1);
    const rules = rulesOf(key);
    return rules ? testErrors(part, rules, path) : [{ field: path, message: UNKNOWN }];
  });
}

const UNKNOWN = `is not a known field: use all, any, not, ${Object.keys(CONDITION_FIELDS).join(', ')} or metadata.<path>`;

function partsErrors(parts: unknown, field: string, depth: number): FieldError[] {
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS) {
    return [{ field, message: `must be an array of 1 to ${MAX_PARTS} conditions` }];
  }
  return parts.flatMap((part, index) => check(part, `${field}[${index}]`, depth + 1));
}

function rulesOf(key: string): FieldRules | undefined {
  if (Object.hasOwn(CONDITION_FIELDS, key)) return CONDITION_FIELDS[key];
  const keys = key.split('.');
  if (keys[0] !== 'metadata' || keys.length < 2 || keys.length > 1 + MAX_PATH_KEYS) return undefined;
  return keys.every((each) => each !== '' && each !== '__proto__') ? METADATA : undefined;
}

function testErrors(test: unknown, rules: FieldRules, field: string): FieldError[] {
  const takes = `must be an object with at least one of ${rules.tests.join(', ')}`;
  if (!isObject(test) || Object.keys(test).length === 0) return [{ field, message: takes }];
  const errors = Object.entries(test).flatMap(([name, value]) => {
    const path = `${field}.${name}`;
    if (!rules.tests.includes(name)) {
      return [{ field: path, message: `is not a test of this field: use ${rules.tests.join(', ')}` }];
    }
    const message = operandError(name, value, rules.value);
    return message === undefined ? [] : [{ field: path, message }];
  });
  return errors.length > 0 ? errors : boundErrors(test, field);
}

function operandError(name: string, value: unknown, rule: ValueRule): string | undefined {
  if (name === 'exists') return typeof value === 'boolean' ? undefined : 'must be true or false';
  if (name === 'in' || name === 'starts_with' || (name === 'not' && Array.isArray(value)))
    return listError(value, rule);
  return rule(value);
}

function listError(values: unknown, rule: ValueRule): string | undefined {
  if (!Array.isArray(values) || values.length === 0 || values.length > MAX_VALUES) {
    return `must be an array of 1 to ${MAX_VALUES} values`;
  }
  for (const [index, value] of values.entries()) {
    const message = rule(value);
    if (message !== undefined) return `item ${index} ${message}`;
  }
  return new Set(values).size < values.length ? 'must not hold a value twice' : undefined;
}

function boundErrors({ min, max }: { min?: number; max?: number }, field: string): FieldError[] {
  if (min === undefined || max === undefined || min <= max) return [];
  return [{ field: `${field}.max`, message: `must not be less than min (${min}), got ${max}` }];
}

/**
 * The condition without the fields and tests that are `null`, which count as absent, as in every body. Exception: tests
 * of metadata values, which may equal `null`. A value that is no condition is returned unchanged; `conditionErrors`
 * refuses it.
 */
export function withoutNulls(condition: unknown): unknown {
  if (!isObject(condition)) return condition;
  const entries = Object.entries(condition).filter(([key, part]) => part !== null || rulesOf(key) === METADATA);
  return Object.fromEntries(entries.map(([key, part]: [string, unknown]) => [key, partWithoutNulls(key, part)]));
}

function partWithoutNulls(key: string, part: unknown): unknown {
  if (key === 'not') return withoutNulls(part);
  if (key === 'all' || key === 'any') return Array.isArray(part) ? part.map(withoutNulls) : part;
  if (!isObject(part)) return part;
  const takesNull = (test: string): boolean => rulesOf(key) === METADATA && (test === 'equals' || test === 'not');
  return Object.fromEntries(Object.entries(part).filter(([test, value]) => value !== null || takesNull(test)));
}
