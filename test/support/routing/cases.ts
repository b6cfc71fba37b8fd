import fc from 'fast-check';
import type { Account, Definition, Fee, Health, Json, JsonObject, Member, Payment } from './reference.js';

// Flows and payments as in the API. Shops and customers are numbered from 1; the test has their ids.

const SHOPS = 6;
const CUSTOMERS = 4;

const STRATEGIES = ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'];
const DIGITS: Record<string, number> = { USD: 2, EUR: 2, JPY: 0, CLP: 0, BHD: 3, TND: 3 };
const CURRENCIES = Object.keys(DIGITS);
const COUNTRIES = ['DE', 'FR', 'US', 'GB'];
const BOUNDS = [0, 0.0001, 0.001, 0.01, 0.5, 1, 9.99, 9.995, 10, 10.001, 19.99, 100, 1234.5678, 999_999_999_999.999];
const PATHS = [
  'tier',
  'order.tier',
  'order',
  'list.0',
  'list.00',
  'list',
  'list.length',
  'ключ',
  '😀. ',
  'toString',
  'a.b.c',
  'a.b',
];
const TYPES = ['card', 'wallet', 'other'];
const SCHEMES = ['visa', 'mastercard', 'other'];
const FUNDINGS = ['credit', 'debit', 'prepaid', 'charge', 'unknown'];
const PREFIXES = ['4', '41', '411', '411111', '4111112', '41111122', '5', '0'];
const BINS = ['411111', '4111112', '41111122', '41111123', '412222', '444444', '555555', '012345'];
const PROVIDERS = ['sandbox', 'stripe'];
const LABELS = ['default', 'eu'];
const SCALARS: Json[] = ['gold', '', '0', 0, 1, -1, 0.1, 1e21, true, false, null, 'something else', '😀', 'Ω'];

/** Some have equal fees for all payments, or for some of them. */
const PRICE_LISTS: Fee[][] = [
  [],
  [{ percent: 2.9, fixed: 0 }],
  [{ percent: 2.9, fixed: 0 }],
  [
    { percent: 0.2, fixed: 0, scheme: 'visa' },
    { percent: 2.9, fixed: 0, currency: 'USD' },
  ],
  [
    { percent: 3, fixed: 0 },
    { percent: 1, fixed: 0.19, currency: 'EUR' },
    { percent: 0.5, fixed: 0, payment_method_type: 'wallet' },
    { percent: 2, fixed: 0, payment_method_type: 'wallet', currency: 'EUR' },
    { percent: 0.1, fixed: 0, scheme: 'visa', currency: 'EUR' },
  ],
];

const some = <T>(values: readonly T[], least = 1): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...values], { minLength: least, maxLength: Math.min(values.length, 4) });
const one = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined });
const without = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as T;

const valueTests = (values: readonly Json[]): fc.Arbitrary<JsonObject>[] => [
  one(values).map((equals) => ({ equals })),
  some(values).map((list) => ({ in: list })),
  one(values).map((not) => ({ not })),
  some(values).map((not) => ({ not })),
];
const exists = fc.boolean().map((is): JsonObject => ({ exists: is }));
const minAndMax = fc
  .tuple(one(BOUNDS), one(BOUNDS))
  .map(([a, b]): JsonObject => ({ min: Math.min(a, b), max: Math.max(a, b) }));

const named = (field: string, tests: fc.Arbitrary<JsonObject>[]): fc.Arbitrary<JsonObject> =>
  fc
    .oneof(
      ...tests,
      fc.tuple(fc.oneof(...tests), fc.oneof(...tests)).map(([a, b]) => ({ ...a, ...b })),
    )
    .filter(({ min, max }) => min === undefined || max === undefined || min! <= max!)
    .map((test) => ({ [field]: test }));

const fieldTest: fc.Arbitrary<JsonObject> = fc.oneof(
  named('currency', valueTests(CURRENCIES)),
  named('country', [...valueTests(COUNTRIES), exists]),
  named('amount', [
    ...valueTests(BOUNDS),
    one(BOUNDS).map((min) => ({ min })),
    one(BOUNDS).map((max) => ({ max })),
    minAndMax,
  ]),
  named('customer_id', [...valueTests([1, 2, 3, 4]), exists]),
  named('payment_method.type', [...valueTests(TYPES), exists]),
  named('card.scheme', [...valueTests(SCHEMES), exists]),
  named('card.funding', [...valueTests(FUNDINGS), exists]),
  named('card.issuer_country', [...valueTests(COUNTRIES), exists]),
  named('card.bin', [some(PREFIXES).map((prefixes) => ({ starts_with: prefixes })), exists]),
  { weight: 2, arbitrary: one(PATHS).chain((path) => named(`metadata.${path}`, [...valueTests(SCALARS), exists])) },
);

const { condition } = fc.letrec<{ condition: JsonObject; parts: JsonObject[] }>((tie) => ({
  parts: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }),
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fieldTest,
    fc.constant({}),
    fc.tuple(fieldTest, fieldTest).map(([a, b]) => ({ ...a, ...b })),
    tie('parts').map((all) => ({ all })),
    tie('parts').map((any) => ({ any })),
    tie('condition').map((not) => ({ not })),
    fc.tuple(tie('parts'), tie('condition'), fieldTest).map(([any, not, test]) => ({ any, not, ...test })),
  ),
}));

const member = (shopId: number): fc.Arbitrary<Member> =>
  fc.record({
    shop_id: fc.constant(shopId),
    priority: fc.integer({ min: 0, max: 2 }),
    weight: one([1, 1, 1, 2, 3, 10, 1_000_000]),
    enabled: one([true, true, true, true, true, false]),
    conditions: fc.oneof(
      { weight: 7, arbitrary: fc.constant({}) },
      {
        weight: 3,
        arbitrary: fc
          .record({ currencies: maybe(some(CURRENCIES)), countries: maybe(some(COUNTRIES)), bounds: maybe(minAndMax) })
          .chain(({ bounds, ...rest }) =>
            one(['min', 'max', 'both']).map((which) =>
              without({
                ...rest,
                min_amount: which === 'max' ? undefined : (bounds?.['min'] as number | undefined),
                max_amount: which === 'min' ? undefined : (bounds?.['max'] as number | undefined),
              }),
            ),
          ),
      },
    ),
  });

const anyOptions = fc.array(
  fc.record({ provider: one([...PROVIDERS, 'elsewhere']), account: maybe(one(LABELS)) }).map(without),
  { minLength: 1, maxLength: 3 },
);

const anyAccount: fc.Arbitrary<Account> = fc
  .record({
    provider: one(PROVIDERS),
    account: one(LABELS),
    fees: fc.constantFrom(...PRICE_LISTS),
    refused: fc.oneof({ weight: 2, arbitrary: fc.constant<string[]>([]) }, { weight: 1, arbitrary: some(CURRENCIES) }),
    types: maybe(some(TYPES)),
  })
  .map(without);

const anyDefinition: fc.Arbitrary<Definition> = fc
  .shuffledSubarray(
    Array.from({ length: SHOPS }, (_, index) => index + 1),
    { minLength: 2 },
  )
  .chain((ids) =>
    fc.tuple(...ids.map(member)).chain((shops) => {
      const use = fc.record({ shops: fc.shuffledSubarray(ids, { minLength: 1 }), strategy: one(STRATEGIES) });
      const decline = fc
        .record({ code: one(['blocked', 'too_risky']), message: maybe(one(['Too risky.', '😀'])) })
        .map(without);
      const rule = fc.oneof(
        {
          weight: 4,
          arbitrary: fc.record({ when: condition, use, otherwise: maybe(one(['next', 'refuse'])) }).map(without),
        },
        { weight: 1, arbitrary: fc.record({ when: condition, decline }) },
      );
      const about = fc
        .record({ when: condition, payment_method: maybe(anyOptions.map((options) => ({ options }))) })
        .map(without);
      const claim = fc
        .tuple(
          about,
          fc.oneof(
            fc.record({ never: fc.integer({ min: 1, max: SHOPS }) }),
            fc.record({ at_least: fc.integer({ min: 1, max: 3 }) }),
            fc.record({ at_least_tries: fc.integer({ min: 1, max: 3 }) }),
          ),
        )
        .map(([requests, claims]) => ({ ...requests, ...claims }));
      const common = {
        max_attempts: maybe(fc.integer({ min: 1, max: 4 })),
        assertions: maybe(fc.array(claim, { minLength: 1, maxLength: 2 })),
      };
      return fc.oneof(
        { weight: 2, arbitrary: fc.record({ strategy: one(STRATEGIES), shops: fc.constant(shops), ...common }) },
        {
          weight: 3,
          arbitrary: fc.record({
            strategy: fc.constant('rules'),
            shops: fc.constant(shops),
            rules: fc.array(rule, { minLength: 1, maxLength: 4 }),
            default: use,
            ...common,
          }),
        },
      );
    }),
  )
  .map((definition) => without(definition) as Definition);

const anyAmount = (currency: string): fc.Arbitrary<number> =>
  fc
    .tuple(one(BOUNDS), fc.integer({ min: -1, max: 1 }), fc.integer({ min: 1, max: 30 }))
    .map(([bound, step, other]) => {
      const scale = 10 ** DIGITS[currency]!;
      const near = Number(((Math.floor(bound * scale) + step) / scale).toFixed(DIGITS[currency]));
      return near > 0 && near <= 999_999_999_999.999 ? near : other;
    });

const anyMetadata: fc.Arbitrary<JsonObject> = fc
  .record({
    tier: maybe(one(SCALARS)),
    order: maybe(
      fc.oneof(
        one(SCALARS),
        fc.constant({}),
        one(SCALARS).map((tier) => ({ tier })),
      ),
    ),
    list: maybe(
      fc.oneof(
        some(SCALARS),
        fc.constant([]),
        one(SCALARS).map((first) => ({ '0': first, '00': first, length: 1 })),
      ),
    ),
    ключ: maybe(one(SCALARS)),
    '😀': maybe(one(SCALARS).map((value) => ({ ' ': value }))),
    toString: maybe(one(SCALARS)),
    a: maybe(one<Json>([{ b: { c: 'gold' } }, { b: null }, { b: 'gold' }, { b: { c: null } }, { b: [] }, 1])),
  })
  .map((value) => without(value) as JsonObject);

const anyCard: fc.Arbitrary<JsonObject> = fc
  .record({
    scheme: maybe(one(SCHEMES)),
    bin: maybe(one(BINS)),
    funding: maybe(one(FUNDINGS)),
    issuer_country: maybe(one(COUNTRIES)),
  })
  .map((card) => without(card) as JsonObject);

const anyPaymentMethod = fc
  .record({ type: maybe(one(TYPES)), card: maybe(anyCard), options: maybe(anyOptions) })
  .map(without);

const anyPayment: fc.Arbitrary<Payment> = one(CURRENCIES)
  .chain((currency) =>
    fc.record({
      amount: anyAmount(currency),
      currency: fc.constant(currency),
      country: maybe(one(COUNTRIES)),
      customer_id: maybe(fc.integer({ min: 1, max: CUSTOMERS })),
      metadata: maybe(anyMetadata),
      payment_method: maybe(anyPaymentMethod),
    }),
  )
  .map((payment) => without(payment) as Payment);

const anyHealth: fc.Arbitrary<Health[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(Array<Health>(SHOPS).fill('healthy')) },
  {
    weight: 1,
    arbitrary: fc.array(one<Health>(['healthy', 'healthy', 'unhealthy']), { minLength: SHOPS, maxLength: SHOPS }),
  },
  {
    weight: 1,
    arbitrary: fc.array(one<Health>(['healthy', 'probing', 'unhealthy']), { minLength: SHOPS, maxLength: SHOPS }),
  },
);

export interface Case {
  definition: Definition;
  health: Health[];
  /** By shop. */
  accounts: Account[];
  payments: Payment[];
  /** Payments that are only simulated. */
  others: Payment[];
}

export const anyCase: fc.Arbitrary<Case> = fc.record({
  definition: anyDefinition,
  health: anyHealth,
  accounts: fc.array(anyAccount, { minLength: SHOPS, maxLength: SHOPS }),
  payments: fc.array(anyPayment, { minLength: 1, maxLength: 6 }),
  others: fc.array(anyPayment, { minLength: 40, maxLength: 40 }),
});
