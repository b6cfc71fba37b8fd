import type { Schema } from '@payment-orchestrator/client';

/** A test of a field in the form. The API has one `not` for a value and for a list; the form has two operators. */
export type Operator = 'equals' | 'in' | 'not' | 'not_in' | 'min' | 'max' | 'starts_with' | 'exists';

type TestSchema =
  | 'CurrencyTest'
  | 'CountryTest'
  | 'AmountTest'
  | 'CustomerIdTest'
  | 'PaymentMethodTypeTest'
  | 'CardSchemeTest'
  | 'CardBinTest'
  | 'CardFundingTest'
  | 'MetadataTest';
type TestNames<Name extends TestSchema> = readonly (keyof Schema<Name>)[];

const CURRENCY: TestNames<'CurrencyTest'> = ['equals', 'in', 'not'];
const COUNTRY: TestNames<'CountryTest'> = ['equals', 'in', 'not', 'exists'];
const AMOUNT: TestNames<'AmountTest'> = ['min', 'max', 'equals', 'in', 'not'];
const CUSTOMER_ID: TestNames<'CustomerIdTest'> = ['equals', 'in', 'not', 'exists'];
const METHOD_TYPE: TestNames<'PaymentMethodTypeTest'> = ['equals', 'in', 'not', 'exists'];
const CARD_SCHEME: TestNames<'CardSchemeTest'> = ['equals', 'in', 'not', 'exists'];
const CARD_BIN: TestNames<'CardBinTest'> = ['starts_with', 'exists'];
const CARD_FUNDING: TestNames<'CardFundingTest'> = ['equals', 'in', 'not', 'exists'];
const METADATA: TestNames<'MetadataTest'> = ['equals', 'in', 'not', 'exists'];

/** The tests of each field in the API; a spec compares them with the API document. */
export const TESTS_BY_FIELD: Readonly<Record<string, readonly ApiTest[]>> = {
  currency: CURRENCY,
  country: COUNTRY,
  amount: AMOUNT,
  customer_id: CUSTOMER_ID,
  'payment_method.type': METHOD_TYPE,
  'card.scheme': CARD_SCHEME,
  'card.bin': CARD_BIN,
  'card.funding': CARD_FUNDING,
  'card.issuer_country': COUNTRY,
};

export type ApiTest = Exclude<Operator, 'not_in'>;

export const METADATA_PREFIX = 'metadata.';

export const testsOf = (field: string): readonly ApiTest[] => TESTS_BY_FIELD[field] ?? METADATA;

export const operatorsOf = (field: string): Operator[] =>
  testsOf(field).flatMap((test): Operator[] => (test === 'not' ? ['not', 'not_in'] : [test]));

export const OPERATOR_LABELS: Readonly<Record<Operator, string>> = {
  equals: 'equals',
  in: 'is one of',
  not: 'is not',
  not_in: 'is none of',
  min: 'is at least',
  max: 'is at most',
  starts_with: 'begins with one of',
  exists: 'exists',
};

export const takesList = (operator: Operator): boolean =>
  operator === 'in' || operator === 'not_in' || operator === 'starts_with';

/** The name of the operator in the API. */
export const apiTestOf = (operator: Operator): ApiTest => (operator === 'not_in' ? 'not' : operator);
