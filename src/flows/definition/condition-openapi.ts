import { schemaRef } from '../../openapi/schemas.js';

const text = { type: 'string' };
const amount = { type: 'number', format: 'double', minimum: 0 };
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const exists = { type: 'boolean', description: 'Whether the payment must have the field, or must not.' };

/** The tests that every field takes; `more` are those of some. */
const testOf = (description: string, value: object, more: Record<string, object> = {}): object => ({
  type: 'object',
  description: `${description} All tests that are given must pass; there is at least one.`,
  minProperties: 1,
  additionalProperties: false,
  properties: {
    equals: value,
    in: { type: 'array', description: 'One of these, none of them twice.', items: value, minItems: 1, maxItems: 1_000 },
    // of a choice with a list in it, generators make Java that does not compile; the client's type is exact
    not: { description: 'Not this value, or none of these: a value as in `equals`, or an array as in `in`.' },
    ...more,
  },
});

const conditions = { type: 'array', items: schemaRef('Condition'), minItems: 1, maxItems: 100 };

/** Names that are no field of the schema: `metadata.` and a path. */
const NAMES = '^(all|any|not|currency|country|amount|customer_id|metadata(\\.[^.]+){1,10})$';

/**
 * What the document says of conditions. `metadata.<path>` is open in `Condition`: of `patternProperties` generators make an
 * index signature that the other fields contradict. The names are closed all the same.
 */
export const CONDITION_SCHEMAS: Record<string, object> = {
  Condition: {
    type: 'object',
    description:
      'What a payment must meet: all that the object names, so `{}` is met by all. `currency`, `country`, `amount`, ' +
      '`customer_id` and `metadata.<path>` take tests, `all` and `any` conditions, `not` one. A field that a payment ' +
      'does not have equals nothing. `metadata.order.tier` is the key `tier` of the object `order`; of an array, the ' +
      'key is an index. The tests of `metadata.<path>` are a `MetadataTest`. At most 8 levels deep.',
    properties: {
      all: { ...conditions, description: 'Every one of these is met.' },
      any: { ...conditions, description: 'At least one of these is met.' },
      not: { ...schemaRef('Condition'), description: 'This one is not met.' },
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
  CurrencyTest: testOf('Of the ISO 4217 code.', { ...text, pattern: '^[A-Z]{3}$' }),
  CountryTest: testOf('Of the ISO 3166-1 alpha-2 code.', { ...text, pattern: '^[A-Z]{2}$' }, { exists }),
  AmountTest: testOf("Of the amount, in the currency's major unit.", amount, {
    min: { ...amount, description: 'The least, itself included.' },
    max: { ...amount, description: 'The greatest, itself included.' },
  }),
  CustomerIdTest: testOf("Of the customer's id.", id, { exists }),
  MetadataTest: testOf(
    'Of a value in the metadata. Equality is strict: `"1"` is not `1`.',
    schemaRef('MetadataValue'),
    {
      exists,
    },
  ),
  MetadataValue: {
    description: 'What a value of the metadata can be compared with.',
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: 500,
  },
};
