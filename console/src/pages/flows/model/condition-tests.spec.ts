import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { METADATA_PREFIX, testsOf } from './condition-tests';

interface Document {
  components: { schemas: Record<string, { properties: Record<string, unknown> }> };
}

const { components } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document;

describe('testsOf', () => {
  it.each([
    ['currency', 'CurrencyTest'],
    ['country', 'CountryTest'],
    ['amount', 'AmountTest'],
    ['customer_id', 'CustomerIdTest'],
    ['payment_method.type', 'PaymentMethodTypeTest'],
    ['card.scheme', 'CardSchemeTest'],
    ['card.bin', 'CardBinTest'],
    ['card.funding', 'CardFundingTest'],
    ['card.issuer_country', 'CountryTest'],
    [`${METADATA_PREFIX}tier`, 'MetadataTest'],
  ])('returns the tests of the API for %s', (field, schema) => {
    expect([...testsOf(field)].sort()).toEqual(Object.keys(components.schemas[schema]!.properties).sort());
  });
});
