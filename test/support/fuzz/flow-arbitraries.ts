import fc from 'fast-check';
import type { Condition, RoutingRequest } from '@payment-orchestrator/routing/definition/condition';
import {
  CHOICE_NAMES,
  type FlowDefinition,
  type FlowShop,
  type Rule,
  type RuleDecline,
  type RuleUse,
  type ShopConditions,
} from '@payment-orchestrator/routing/definition/definition';
import { resultOf } from '@payment-orchestrator/routing/result-of';
import { definitionErrors } from '@payment-orchestrator/routing/definition/definition-errors';
import type { RoutingState } from '@payment-orchestrator/routing/decision/decision';
import { type RoutableFlow, routableFlow } from '@payment-orchestrator/routing/decision/routable-flow';
import { NO_SEGMENTS, type Segments } from '@payment-orchestrator/routing/decision/segments';
import { hash32 } from '@payment-orchestrator/routing/strategies/hash';
import { prepare, type PreparedScenario } from '@payment-orchestrator/routing/simulation/scenario';
import { CURRENCIES as ALL_CURRENCIES, currencyDigits } from '../../../src/shared/money.js';
import { CARD_FUNDINGS, type PaymentMethodFacts } from '../../../src/shared/payment-method.js';
import type { FeeEntry } from '@payment-orchestrator/routing/facts/fees';
import type { SegmentField } from '@payment-orchestrator/routing/facts/segment';
import type { ShopStats } from '@payment-orchestrator/routing/facts/shop';
import type { ShopSummary } from '../../../src/shops/shop-summary.js';

const CURRENCIES = ['USD', 'EUR', 'JPY'];
const COUNTRIES = ['DE', 'FR', 'US'];
const TIERS = ['gold', 'silver', 7, true, null];

const TYPES = ['card', 'wallet'];
const SCHEMES = ['visa', 'mastercard'];
/** Some are prefixes of others, some longer than the shortest BIN. */
const PREFIXES = ['4', '41', '411111', '41111122'];
const BINS = ['411111', '41111122', '412222', '444444', '555555'];
const PROVIDERS = ['sandbox', 'stripe'];
const ACCOUNTS = ['default', 'eu'];

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const minorUnits = fc.integer({ min: 1, max: 100_000 });
/** Amounts of conditions, which have no currency. */
const amounts = minorUnits.map((cents) => cents / 100);

const conditionsOver = (amounts: fc.Arbitrary<number>): fc.Arbitrary<ShopConditions> =>
  fc.record(
    {
      currencies: fc.subarray(CURRENCIES, { minLength: 1 }),
      countries: fc.subarray(COUNTRIES, { minLength: 1 }),
      min_amount: amounts,
      max_amount: amounts,
    },
    { requiredKeys: [] },
  );

/** Tests of facts about the payment method. */
export const paymentMethodTest: fc.Arbitrary<Condition> = fc.oneof(
  fc.constantFrom(...TYPES).map((type): Condition => ({ 'payment_method.type': { equals: type } })),
  fc.subarray(SCHEMES, { minLength: 1 }).map((schemes): Condition => ({ 'card.scheme': { in: schemes } })),
  fc.subarray(PREFIXES, { minLength: 1 }).map((prefixes): Condition => ({ 'card.bin': { starts_with: prefixes } })),
  fc.constantFrom(...CARD_FUNDINGS).map((funding): Condition => ({ 'card.funding': { not: funding } })),
  fc.boolean().map((exists): Condition => ({ 'card.issuer_country': { exists } })),
);

const fieldTestsOver = (amounts: fc.Arbitrary<number>): fc.Arbitrary<Condition> =>
  fc.oneof(
    fc.subarray(CURRENCIES, { minLength: 1 }).map((currencies): Condition => ({ currency: { in: currencies } })),
    fc.constantFrom(...COUNTRIES).map((country): Condition => ({ country: { not: country } })),
    fc.boolean().map((exists): Condition => ({ customer_id: { exists } })),
    amounts.map((min): Condition => ({ amount: { min } })),
    amounts.map((max): Condition => ({ amount: { max } })),
    fc.constantFrom(...TIERS).map((tier): Condition => ({ 'metadata.order.tier': { equals: tier } })),
    paymentMethodTest,
  );

/** Conditions of every kind, two levels deep. */
const conditionOver = (fieldTests: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> =>
  fc.oneof(
    fieldTests,
    fc.array(fieldTests, { minLength: 1, maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(fieldTests, { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
    fieldTests.map((not): Condition => ({ not })),
  );

export const anyCondition = conditionOver(fieldTestsOver(amounts));

/** An amount that a payment can have: whole minor units of its currency. */
const sumsOver = (units: fc.Arbitrary<number>) =>
  fc
    .record({ units, currency: fc.constantFrom(...CURRENCIES) })
    .map(({ units, currency }) => ({ amount: units / 10 ** currencyDigits(currency)!, currency }));

/** Facts with and without options; an option may leave out the account. */
export const anyPaymentMethod: fc.Arbitrary<PaymentMethodFacts> = fc.record(
  {
    type: fc.constantFrom(...TYPES, 'else'),
    options: fc.array(
      fc.record(
        { provider: fc.constantFrom(...PROVIDERS, 'other'), account: fc.constantFrom(...ACCOUNTS) },
        { requiredKeys: ['provider'] },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    card: fc.record(
      {
        scheme: fc.constantFrom(...SCHEMES, 'else'),
        bin: fc.constantFrom(...BINS),
        funding: fc.constantFrom(...CARD_FUNDINGS),
        issuer_country: fc.constantFrom(...COUNTRIES),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const otherFields = fc.record({
  country: optional(fc.constantFrom(...COUNTRIES)),
  customerId: optional(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })),
  paymentMethod: optional(anyPaymentMethod),
  metadata: optional(
    fc.constantFrom(...TIERS).map((tier): Record<string, unknown> => ({ order: { tier }, list: [tier] })),
  ),
});
const requestsOver = (units: fc.Arbitrary<number>): fc.Arbitrary<RoutingRequest> =>
  fc.tuple(sumsOver(units), otherFields).map(([sum, rest]) => ({ ...sum, ...rest }));

export const anyRequest = requestsOver(minorUnits);

/** Requests of at most `maxUnits` minor units. */
export const smallRequest = (maxUnits: number): fc.Arbitrary<RoutingRequest> =>
  requestsOver(fc.integer({ min: 1, max: maxUnits }));

const membersOver = (conditions: fc.Arbitrary<ShopConditions>): fc.Arbitrary<FlowShop[]> =>
  fc.uniqueArray(
    fc.record({
      shop_id: fc.integer({ min: 1, max: 1_000 }),
      priority: fc.integer({ min: 0, max: 3 }),
      weight: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 1_000_000 })),
      enabled: fc.boolean(),
      conditions: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: conditions }),
    }),
    { selector: (shop) => shop.shop_id, minLength: 1, maxLength: 12 },
  );

/** Every strategy except `rules`, with every objective and with segments. */
const CHOICES: readonly Pick<RuleUse, 'strategy' | 'success_rate'>[] = [
  ...CHOICE_NAMES.map((strategy) => ({ strategy })),
  { strategy: 'success_rate', success_rate: { objective: 'margin' } },
  { strategy: 'success_rate', success_rate: { by: ['card.scheme', 'country'] } },
];

const usesOf = (shops: readonly FlowShop[]): fc.Arbitrary<RuleUse> =>
  fc
    .record({
      shops: fc.subarray(
        shops.map((shop) => shop.shop_id),
        { minLength: 1 },
      ),
      choice: fc.constantFrom(...CHOICES),
    })
    .map(({ shops: used, choice }) => ({ shops: used, ...choice }));

const DECLINES: RuleDecline[] = [{ code: 'blocked' }, { code: 'too_risky', message: 'Too risky.' }];

/** One in five declines, and one in five refuses what its shops do not take. */
const rulesOf = (shops: readonly FlowShop[], condition: fc.Arbitrary<Condition>): fc.Arbitrary<Rule> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ when: condition, use: usesOf(shops) }) },
    {
      weight: 1,
      arbitrary: fc.record({ when: condition, use: usesOf(shops), otherwise: fc.constant('refuse' as const) }),
    },
    { weight: 1, arbitrary: fc.record({ when: condition, decline: fc.constantFrom(...DECLINES) }) },
  );

const withRules = (shops: FlowShop[], condition: fc.Arbitrary<Condition>): fc.Arbitrary<FlowDefinition> =>
  fc
    .record({
      rules: fc.array(rulesOf(shops, condition), { minLength: 1, maxLength: 4 }),
      default: usesOf(shops),
    })
    .map((rules): FlowDefinition => ({ strategy: 'rules', shops, ...rules }));

const definitionsOver = (amounts: fc.Arbitrary<number>): fc.Arbitrary<FlowDefinition> => {
  const members = membersOver(conditionsOver(amounts));
  const condition = conditionOver(fieldTestsOver(amounts));
  return fc.oneof(
    ...CHOICES.map((choice) => members.map((shops): FlowDefinition => ({ ...choice, shops }))),
    members.chain((shops) => withRules(shops, condition)),
  );
};

/** Flows of every strategy; their rules may be unreachable. */
export const anyDefinition = definitionsOver(amounts);

/** Like `anyDefinition`, but only definitions that the API accepts, with limits of at most `maxCents`. */
export const acceptedDefinition = (maxCents: number): fc.Arbitrary<FlowDefinition> =>
  definitionsOver(fc.integer({ min: 1, max: maxCents }).map((cents) => cents / 100)).filter(
    (definition) =>
      resultOf(definitionErrors(definition, new Set(definition.shops.map((shop) => shop.shop_id)))).length === 0,
  );

const anyStats: fc.Arbitrary<ShopStats> = fc.record({
  approved: fc.nat({ max: 500 }),
  declined: fc.nat({ max: 500 }),
  failed: fc.nat({ max: 50 }),
  health: fc.constantFrom('healthy', 'healthy', 'unhealthy', 'probing'),
});

/** Statistics of some of the definition's shops. */
export const statsOf = (definition: FlowDefinition): fc.Arbitrary<Map<number, ShopStats>> =>
  fc
    .tuple(...definition.shops.map(({ shop_id }) => optional(anyStats.map((each) => [shop_id, each] as const))))
    .map((entries) => new Map(entries.filter((entry) => entry !== undefined)));

/** One value of each field has outcomes. */
const WITH_OUTCOMES: Record<SegmentField, string> = {
  currency: 'EUR',
  country: 'DE',
  'card.scheme': 'visa',
  'card.funding': 'credit',
  'card.issuer_country': 'DE',
  'card.bin': '411111',
};

/** Some rate for every shop whose payment has a segment with outcomes. */
const anySegments: fc.Arbitrary<Segments> = fc.nat({ max: 1_000 }).map((seed) => ({
  rateOf(by, values, shopId) {
    const unknown = values.findIndex((value, index) => value !== WITH_OUTCOMES[by[index]!]);
    const level = unknown < 0 ? values.length : unknown;
    if (level === 0) return undefined;
    const [approved, others] = [hash32(seed, shopId, level) % 200, hash32(seed, shopId, 9) % 50];
    return { level, approved, others, shape: [1 + approved, 1.5 + others] };
  },
  valuesOf: (by) => by.map((field) => [WITH_OUTCOMES[field]]),
}));

export const anyCounter = fc.oneof(fc.nat({ max: 1_000 }), fc.nat({ max: Number.MAX_SAFE_INTEGER - 1_000_000 }));

export const anyDraw = fc.nat({ max: 2 ** 47 - 1 }).map((draw) => draw / 2 ** 47);

const SOME_REFUSED = new Set(['JPY', 'BHD']);
/** The types of payment methods that the providers of some shops take, by the remainder of the shop's id; 0 to 39 take any. */
const TAKEN_TYPES: Readonly<Record<number, readonly string[]>> = { 40: ['card'], 41: ['card'], 42: ['wallet'] };
const MOST_REFUSED = new Set(ALL_CURRENCIES.filter((currency) => !['USD', 'EUR'].includes(currency)));

/** By the remainder of a shop's id; some have equal fees for all payments, or for some of them. */
const FEES: readonly FeeEntry[][] = [
  [],
  [{ percent: 2.9, fixed: 0 }],
  [
    { percent: 1.4, fixed: 0.25, currency: 'EUR' },
    { percent: 2.9, fixed: 0 },
  ],
  [
    { percent: 0.2, fixed: 0, scheme: 'visa' },
    { percent: 2.9, fixed: 0.3, currency: 'USD' },
  ],
  [{ percent: 3.2, fixed: 0 }],
];

function aSummary(id: number, enabled = true): ShopSummary {
  const refusedCurrencies = { 3: SOME_REFUSED, 0: MOST_REFUSED }[id % 4];
  const paymentMethodTypes = TAKEN_TYPES[id % 43];
  return {
    id,
    name: `Shop ${id}`,
    provider: PROVIDERS[id % 2]!,
    account: ACCOUNTS[id % 3 === 0 ? 1 : 0]!,
    enabled,
    ...(refusedCurrencies && { refusedCurrencies }),
    ...(paymentMethodTypes && { paymentMethodTypes }),
    fees: FEES[id % FEES.length]!,
  };
}

/**
 * The shops of a definition, all enabled except `disabled`. Their ids decide their accounts, their fees, and the
 * currencies and types of payment methods that their providers accept.
 */
export const summariesOf = (definition: FlowDefinition, disabled: readonly number[] = []): Map<number, ShopSummary> =>
  new Map(definition.shops.map(({ shop_id: id }) => [id, aSummary(id, !disabled.includes(id))]));

export const load = (definition: FlowDefinition, disabled: readonly number[] = []): RoutableFlow =>
  routableFlow(definition, summariesOf(definition, disabled), 1);

export const aMember = (shopId: number, changes: Partial<FlowShop> = {}): FlowShop => ({
  shop_id: shopId,
  priority: 1,
  weight: 1,
  enabled: true,
  conditions: {},
  ...changes,
});

/** A source of one random number; a second call throws. */
export function drawing(draw: number): () => number {
  let isDrawn = false;
  return () => {
    if (isDrawn) throw new Error('a second draw in one decision');
    isDrawn = true;
    return draw;
  };
}

/** The state for a decision; by default all shops are healthy. */
export const stateAt = (
  counter: number,
  draw = 0.5,
  statsByShop: RoutingState['statsByShop'] = new Map(),
  segments: Segments = NO_SEGMENTS,
): RoutingState => ({ counter, statsByShop, segments, random: drawing(draw) });

/** A flow, its shops' statistics, and a request. */
export const situationOf = (definition: FlowDefinition, request: fc.Arbitrary<RoutingRequest>) =>
  fc.record({
    definition: fc.constant(definition),
    disabled: fc.subarray(definition.shops.map((shop) => shop.shop_id)),
    statsByShop: statsOf(definition),
    segments: anySegments,
    request,
    counter: anyCounter,
    draw: anyDraw,
  });

/** For a flow of any strategy. */
export const anySituation = anyDefinition.chain((definition) => situationOf(definition, anyRequest));

export type Situation = typeof anySituation extends fc.Arbitrary<infer T> ? T : never;

export const scenarioIn = ({ definition, disabled, ...situation }: Situation): PreparedScenario =>
  prepare({ definition, version: 1, shops: summariesOf(definition, disabled), ...situation });
