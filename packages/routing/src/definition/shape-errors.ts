import { CAPTURE_MODES } from '../facts/capture-mode.js';
import { MAX_OPTIONS } from '../facts/payment-method.js';
import { SEGMENT_FIELDS } from '../facts/segment.js';
import { type FieldError, isObject } from '../field-error.js';
import { withoutNulls } from './condition-errors.js';
import { CHOICE_NAMES, OBJECTIVES, RULE_OTHERWISE, STRATEGY_NAMES } from './definition.js';
import type { GivenDefinition } from './given-definition.js';
import {
  amountLimitError,
  booleanError,
  both,
  countryListError,
  currencyListError,
  idError,
  integerIn,
  matching,
  oneOf,
  textOf,
  valueList,
  type ValueRule,
} from './value-rules.js';

/** The limits of a definition. */
export const MAX_SHOPS = 300;
export const MAX_RULES = 100;
export const MAX_ATTEMPTS = 10;
export const MAX_ASSERTIONS = 50;
export const MAX_SEGMENT_FIELDS = 2;
export const MAX_WEIGHT = 1_000_000;
/** A decline code of a rule: in `snake_case`, as the decline codes of providers. */
export const DECLINE_CODE = /^[a-z][a-z0-9_]{0,49}$/;
export const MAX_DECLINE_MESSAGE = 200;
export const MAX_RULE_NAME = 60;
/** The label of an account at a provider. */
export const ACCOUNT = /^[A-Za-z0-9_.-]{1,80}$/;
export const MAX_PROVIDER_LENGTH = 64;

/** A field of an object: its rule, and the fields of its value, or of each item of its list. */
interface Field {
  rule: ValueRule;
  isRequired?: boolean;
  fields?: Fields;
  items?: Fields;
}

export type Fields = Readonly<Record<string, Field>>;

const objectError: ValueRule = (value) => (isObject(value) ? undefined : 'must be an object');

const objectList =
  (max: number): ValueRule =>
  (value) => {
    if (!Array.isArray(value)) return 'must be an array';
    return value.length > max ? `must contain no more than ${max} elements` : undefined;
  };

const notEmpty: ValueRule = (value) => (Array.isArray(value) && value.length === 0 ? 'should not be empty' : undefined);

const atLeastOne: ValueRule = (value) =>
  Array.isArray(value) && value.length === 0 ? 'must contain at least 1 elements' : undefined;

const SHOP: Fields = {
  shop_id: { rule: idError, isRequired: true },
  priority: { rule: integerIn(0, MAX_WEIGHT) },
  weight: { rule: integerIn(1, MAX_WEIGHT) },
  enabled: { rule: booleanError },
  conditions: {
    rule: objectError,
    fields: {
      currencies: { rule: currencyListError },
      countries: { rule: countryListError },
      min_amount: { rule: amountLimitError },
      max_amount: { rule: amountLimitError },
    },
  },
};

const SUCCESS_RATE: Field = {
  rule: objectError,
  fields: {
    objective: { rule: oneOf(OBJECTIVES) },
    by: { rule: valueList(MAX_SEGMENT_FIELDS, oneOf(SEGMENT_FIELDS)) },
  },
};

const integerItem: ValueRule = (value) => (Number.isInteger(value) ? undefined : 'must be an integer number');

const USE: Field = {
  rule: objectError,
  fields: {
    shops: { rule: valueList(MAX_SHOPS, integerItem), isRequired: true },
    strategy: { rule: oneOf(CHOICE_NAMES), isRequired: true },
    success_rate: SUCCESS_RATE,
  },
};

const DECLINE: Field = {
  rule: objectError,
  fields: {
    code: { rule: both(textOf(0, Infinity), matching(DECLINE_CODE)), isRequired: true },
    message: { rule: textOf(1, MAX_DECLINE_MESSAGE) },
  },
};

/** `conditionErrors` checks its content. */
const WHEN: Field = { rule: objectError, isRequired: true };

const ACCOUNTS: Field = {
  rule: objectError,
  fields: {
    options: {
      rule: both(objectList(MAX_OPTIONS), atLeastOne),
      isRequired: true,
      items: {
        provider: { rule: textOf(1, MAX_PROVIDER_LENGTH), isRequired: true },
        account: { rule: matching(ACCOUNT) },
      },
    },
  },
};

const DEFINITION: Fields = {
  strategy: { rule: oneOf(STRATEGY_NAMES), isRequired: true },
  shops: { rule: both(objectList(MAX_SHOPS), notEmpty), isRequired: true, items: SHOP },
  rules: {
    rule: objectList(MAX_RULES),
    items: {
      name: { rule: textOf(1, MAX_RULE_NAME) },
      when: WHEN,
      use: USE,
      otherwise: { rule: oneOf(RULE_OTHERWISE) },
      decline: DECLINE,
    },
  },
  default: USE,
  success_rate: SUCCESS_RATE,
  max_attempts: { rule: integerIn(1, MAX_ATTEMPTS) },
  capture: { rule: oneOf(CAPTURE_MODES) },
  assertions: {
    rule: objectList(MAX_ASSERTIONS),
    items: {
      when: WHEN,
      payment_method: ACCOUNTS,
      never: { rule: idError },
      at_least: { rule: integerIn(1, MAX_SHOPS) },
      at_least_tries: { rule: integerIn(1, MAX_ATTEMPTS) },
    },
  },
};

/**
 * The errors of a value that is to be a definition, field by field, with the messages of the API. Without errors it is a
 * `GivenDefinition` once `withoutNullFields` has removed its `null`s. `definitionErrors` checks how the fields fit
 * together.
 */
export function shapeErrors(value: unknown, field = ''): FieldError[] {
  return isObject(value) ? fieldErrors(value, DEFINITION, field) : [{ field, message: 'must be an object' }];
}

/** The errors of an object's fields, and of unknown fields. */
export function fieldErrors(object: Record<string, unknown>, fields: Fields, path: string): FieldError[] {
  const unknown = Object.keys(object).filter((name) => !Object.hasOwn(fields, name));
  return [
    ...unknown.map((name) => ({ field: pathOf(path, name), message: 'is not a known field' })),
    ...Object.entries(fields).flatMap(([name, field]) => errorsOf(object[name], field, pathOf(path, name))),
  ];
}

function errorsOf(value: unknown, { rule, isRequired = false, fields, items }: Field, path: string): FieldError[] {
  if (value === undefined || (value === null && !isRequired)) {
    return isRequired ? [{ field: path, message: `is required and ${rule(undefined)}` }] : [];
  }
  const message = rule(value);
  const own = message === undefined ? [] : [{ field: path, message: `${message}${gotOf(value)}` }];
  if (fields && isObject(value)) return [...own, ...fieldErrors(value, fields, path)];
  if (!items || !Array.isArray(value) || own.length > 0) return own;
  return value.flatMap((item: unknown, index) => {
    const place = `${path}[${index}]`;
    if (isObject(item)) return fieldErrors(item, items, place);
    return [{ field: place, message: `must be an object${gotOf(item)}` }];
  });
}

const pathOf = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const MAX_SHOWN_LENGTH = 40;

function gotOf(value: unknown): string {
  if (Array.isArray(value)) return ', got an array';
  if (typeof value === 'object' && value !== null) return ', got an object';
  const text = JSON.stringify(value) ?? typeof value;
  return `, got ${text.length > MAX_SHOWN_LENGTH ? `${typeof value} of ${text.length - 2} characters` : text}`;
}

/** The definition without fields that are `null`, which count as absent. Expects one without `shapeErrors`. */
export const withoutNullFields = (value: unknown): GivenDefinition => cleaned(value, DEFINITION) as GivenDefinition;

function cleaned(value: unknown, fields: Fields): unknown {
  if (!isObject(value)) return value;
  const given = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    given.map(([name, each]): [string, unknown] => {
      const field = fields[name];
      if (name === 'when') return [name, withoutNulls(each)];
      if (field?.fields) return [name, cleaned(each, field.fields)];
      const { items } = field ?? {};
      return [name, items && Array.isArray(each) ? each.map((item) => cleaned(item, items)) : each];
    }),
  );
}
