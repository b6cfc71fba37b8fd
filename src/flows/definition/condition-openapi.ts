import { schemaRef } from '../../openapi/schemas.js';

const text = { type: 'string' };
const amount = { type: 'number', format: 'double', minimum: 0 };
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const exists = {
  type: 'boolean',
  description: '`true`: the payment must have the field; `false`: it must not have it.',
};

/** Tests that every field has; `more` are tests of some fields only. */
const testOf = (description: string, value: object, more: Record<string, object> = {}): object => ({
  type: 'object',
  description: `${description} All given tests must pass; at least one is required.`,
  minProperties: 1,
  additionalProperties: false,
  properties: {
    equals: value,
    in: {
      type: 'array',
      description: 'One of these values, without duplicates.',
      items: value,
      minItems: 1,
      maxItems: 1_000,
    },
    // Generators turn a choice that contains a list into Java that does not compile. The client's own type is exact.
    not: { description: 'Not this value, or none of these: a value as in `equals`, or an array as in `in`.' },
    ...more,
  },
});

const conditions = { type: 'array', items: schemaRef('Condition'), minItems: 1, maxItems: 100 };

/** Includes names that are not properties of the schema: `metadata.` and a path. */
const NAMES = '^(all|any|not|currency|country|amount|customer_id|metadata(\\.[^.]+){1,10})$';

/**
 * The schemas of conditions in the OpenAPI document. `Condition` allows additional properties for `metadata.<path>`:
 * generators turn `patternProperties` into an index signature that contradicts the other fields. `propertyNames` still
 * restricts the names.
 */
export const CONDITION_SCHEMAS: Record<string, object> = {
  Condition: {
    type: 'object',
    description:
      'The condition that a payment must meet. All fields of the object must match, so `{}` matches every ' +
      'payment. `currency`, `country`, `amount`, `customer_id` and `metadata.<path>` contain tests, `all` and ' +
      '`any` contain lists of conditions, and `not` contains one condition. A field that the payment does not ' +
      'have equals no value. `metadata.order.tier` is the key `tier` of the object `order`; in an array, the ' +
      'key is an index. The tests of `metadata.<path>` are a `MetadataTest`. At most 8 levels of nesting.',
    properties: {
      all: { ...conditions, description: 'All of these conditions must match.' },
      any: { ...conditions, description: 'At least one of these conditions must match.' },
      not: { ...schemaRef('Condition'), description: 'This condition must not match.' },
      currency: schemaRef('CurrencyTest'),
      country: schemaRef('CountryTest'),
      amount: schemaRef('AmountTest'),
      customer_id: schemaRef('CustomerIdTest'),
    },
    propertyNames: { pattern: NAMES },
    additionalProperties: true,
    example: {
      currency: { in: ['EUR', 'CHF'] },
      any: [{ amount: { min: 500 } }, { 'metadata.order.tier': { equals: 'gold' } }],
    },
  },
  CurrencyTest: testOf('Tests of the ISO 4217 code.', { ...text, pattern: '^[A-Z]{3}$' }),
  CountryTest: testOf('Tests of the ISO 3166-1 alpha-2 code.', { ...text, pattern: '^[A-Z]{2}$' }, { exists }),
  AmountTest: testOf("Tests of the amount, in the currency's major unit.", amount, {
    min: { ...amount, description: 'The minimum, inclusive.' },
    max: { ...amount, description: 'The maximum, inclusive.' },
  }),
  CustomerIdTest: testOf("Tests of the customer's id.", id, { exists }),
  MetadataTest: testOf('Tests of a metadata value. Equality is strict: `"1"` is not `1`.', schemaRef('MetadataValue'), {
    exists,
  }),
  MetadataValue: {
    description: 'A value to compare a metadata value with.',
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: 500,
  },
};
