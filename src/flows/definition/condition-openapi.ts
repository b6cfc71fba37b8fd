import { schemaRef } from '../../openapi/schemas.js';
import { CARD_FUNDINGS } from '../../shared/payment-method.js';

const text = { type: 'string' };
const amount = { type: 'number', format: 'double', minimum: 0 };
const id = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER };
const exists = {
  type: 'boolean',
  description: '`true`: the payment must have the field; `false`: it must not have it.',
};

const testsOf = (description: string, properties: Record<string, object>): object => ({
  type: 'object',
  description: `${description} All given tests must pass; at least one is required.`,
  minProperties: 1,
  additionalProperties: false,
  properties,
});

const listOf = (description: string, items: object): object => ({
  type: 'array',
  description,
  items,
  minItems: 1,
  maxItems: 1_000,
});

/** Tests of fields that are compared with values; `more` are tests of some fields only. */
const testOf = (description: string, value: object, more: Record<string, object> = {}): object =>
  testsOf(description, {
    equals: value,
    in: listOf('One of these values, without duplicates.', value),
    // Generators turn a choice that contains a list into Java that does not compile. The client's own type is exact.
    not: { description: 'Not this value, or none of these: a value as in `equals`, or an array as in `in`.' },
    ...more,
  });

const conditions = { type: 'array', items: schemaRef('Condition'), minItems: 1, maxItems: 100 };

/** Includes names that are not properties of the schema: `metadata.` and a path. */
const NAMES =
  '^(all|any|not|currency|country|amount|customer_id|payment_method\\.type|' +
  'card\\.(scheme|bin|funding|issuer_country)|metadata(\\.[^.]+){1,10})$';

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
      'payment. `all` and `any` contain lists of conditions, `not` contains one condition, and all other fields ' +
      'contain tests. `payment_method.type` and `card.…` are facts that the payment gives. A field that it does not ' +
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
      'payment_method.type': schemaRef('PaymentMethodTypeTest'),
      'card.scheme': schemaRef('CardSchemeTest'),
      'card.bin': schemaRef('CardBinTest'),
      'card.funding': schemaRef('CardFundingTest'),
      'card.issuer_country': schemaRef('CountryTest'),
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
  PaymentMethodTypeTest: testOf(
    'Tests of the kind of payment method.',
    { ...text, minLength: 1, maxLength: 32 },
    { exists },
  ),
  CardSchemeTest: testOf('Tests of the card network.', { ...text, pattern: '^[a-z0-9_-]{1,32}$' }, { exists }),
  CardBinTest: testsOf("Tests of the card's first digits, which the payment gives as 6 to 8 digits.", {
    starts_with: listOf('The digits begin with one of these, without duplicates.', { ...text, pattern: '^\\d{1,8}$' }),
    exists,
  }),
  CardFundingTest: testOf('Tests of the kind of card.', { ...text, enum: [...CARD_FUNDINGS] }, { exists }),
  MetadataTest: testOf('Tests of a metadata value. Equality is strict: `"1"` is not `1`.', schemaRef('MetadataValue'), {
    exists,
  }),
  MetadataValue: {
    description: 'A value to compare a metadata value with.',
    type: ['string', 'number', 'boolean', 'null'],
    maxLength: 500,
  },
};
