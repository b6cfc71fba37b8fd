import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resultOf } from '../../../test/support/result-of.js';
import { amountError } from '../../shared/money.js';
import { Problem } from '../../shared/problem.js';
import type { ShopSummary } from '../../shops/shop-summary.js';
import { findForbidden } from './assertion-search.js';
import { forbiddenBy, requireAssertions, shopsFor, triesOf } from './assertions.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import { decide } from '../routing/decision.js';
import type { Assertion, FlowDefinition, FlowShop, Rule, RuleUse, ShopConditions } from './definition.js';
import { routableFlow } from '../routing/routable-flow.js';

const aMember = (shopId: number, conditions: ShopConditions = {}, enabled = true): FlowShop => ({
  shop_id: shopId,
  priority: 1,
  weight: 1,
  enabled,
  conditions,
});
const aFlow = (shops: FlowShop[], changes: Partial<FlowDefinition> = {}): FlowDefinition => ({
  strategy: 'round_robin',
  shops,
  ...changes,
});
const take = (...shops: number[]): RuleUse => ({ shops, strategy: 'round_robin' });

function violation(definition: FlowDefinition, assertion: Assertion): RoutingRequest | undefined {
  for (const forbidden of forbiddenBy(definition, assertion)) {
    const request = resultOf(findForbidden(forbidden));
    if (request) return request;
  }
  return undefined;
}

describe('never', () => {
  it.each<[string, Condition, ShopConditions, RoutingRequest | undefined]>([
    ['anything', {}, {}, { amount: 100, currency: 'USD' }],
    ['what the shop excludes', { currency: { equals: 'EUR' } }, { currencies: ['USD'] }, undefined],
    [
      'what the shop takes',
      { currency: { in: ['EUR', 'USD'] } },
      { currencies: ['EUR'] },
      { amount: 100, currency: 'EUR' },
    ],
    ['amounts above the greatest', { amount: { min: 100.01 } }, { max_amount: 100 }, undefined],
    [
      'an amount that only fits into three decimals',
      { amount: { min: 100.001 } },
      { max_amount: 100.009 },
      { amount: 100.001, currency: 'BHD' },
    ],
    [
      'amounts that no currency has between',
      { all: [{ amount: { min: 100.0001 } }, { currency: { in: ['USD', 'BHD'] } }] },
      { max_amount: 100.0009 },
      undefined,
    ],
    ['no country', { country: { exists: false } }, { countries: ['DE'] }, undefined],
    [
      'a country that nobody names',
      { country: { exists: true, not: ['DE', 'US'] } },
      {},
      { amount: 100, currency: 'USD', country: 'FR' },
    ],
    ['a customer', { customer_id: { exists: true, not: 1 } }, {}, { amount: 100, currency: 'USD', customerId: 2 }],
    [
      'metadata inside metadata',
      { all: [{ 'metadata.order.kind': { equals: 'gift' } }, { 'metadata.order': { exists: true } }] },
      {},
      { amount: 100, currency: 'USD', metadata: { order: { kind: 'gift' } } },
    ],
    [
      'metadata that contradict each other',
      { all: [{ 'metadata.order.kind': { equals: 'gift' } }, { 'metadata.order': { equals: 1 } }] },
      {},
      undefined,
    ],
    [
      'nested alternatives',
      { not: { any: [{ currency: { not: 'EUR' } }, { country: { exists: false } }] } },
      {},
      { amount: 100, currency: 'EUR', country: 'US' },
    ],
  ])('decides about %s', (_, when, conditions, expected) => {
    expect(violation(aFlow([aMember(1, conditions), aMember(2)]), { when, never: 1 })).toEqual(expected);
  });

  it('holds for a shop that the flow does not use', () => {
    expect(violation(aFlow([aMember(1, {}, false), aMember(2)]), { when: {}, never: 1 })).toBeUndefined();
    expect(violation(aFlow([aMember(2)]), { when: {}, never: 1 })).toBeUndefined();
  });

  it('counts a rule that is only reached when the shops of an earlier one are out', () => {
    const euro: Condition = { currency: { equals: 'EUR' } };
    const rules: Rule[] = [{ when: euro, use: take(2) }];
    const flow = aFlow([aMember(1), aMember(2)], { strategy: 'rules', rules, default: take(1) });
    expect(violation(flow, { when: euro, never: 1 })).toEqual({ amount: 100, currency: 'EUR' });
    const safe = { ...flow, default: take(2) };
    expect(violation(safe, { when: {}, never: 1 })).toBeUndefined();
  });
});

describe('at_least', () => {
  const shops = [
    aMember(1, { currencies: ['EUR', 'USD'], max_amount: 500 }),
    aMember(2, { currencies: ['EUR'], min_amount: 10 }),
    aMember(3, { countries: ['DE'] }),
  ];

  it.each<[string, Condition, number, RoutingRequest | undefined]>([
    ['holds where two shops overlap', { currency: { equals: 'EUR' }, amount: { min: 10, max: 500 } }, 2, undefined],
    [
      'fails just above a bound',
      { currency: { equals: 'EUR' }, amount: { min: 10 } },
      2,
      { amount: 500.01, currency: 'EUR', country: 'US' },
    ],
    [
      'fails just below a bound',
      { currency: { equals: 'EUR' }, amount: { max: 500 } },
      2,
      { amount: 9.99, currency: 'EUR', country: 'US' },
    ],
    [
      'holds for a country',
      { currency: { equals: 'USD' }, amount: { max: 500 }, country: { equals: 'DE' } },
      2,
      undefined,
    ],
    ['fails for more shops than there are', { currency: { equals: 'EUR' } }, 4, expect.anything() as never],
  ])('%s', (_, when, atLeast, expected) => {
    expect(violation(aFlow(shops), { when, at_least: atLeast })).toEqual(expected);
  });

  it('counts the shops of all the rules that match', () => {
    const rules: Rule[] = [
      { when: { 'metadata.tier': { equals: 'gold' } }, use: take(1) },
      { when: { amount: { min: 100 } }, use: take(2) },
    ];
    const flow = aFlow([aMember(1), aMember(2), aMember(3)], { strategy: 'rules', rules, default: take(3) });
    const gold: Condition = { 'metadata.tier': { equals: 'gold' } };
    expect(violation(flow, { when: { ...gold, amount: { min: 100 } }, at_least: 3 })).toBeUndefined();
    expect(violation(flow, { when: gold, at_least: 3 })).toEqual({
      amount: 99.99,
      currency: 'USD',
      metadata: { tier: 'gold' },
    });
  });
});

describe('requireAssertions', () => {
  const errorOf = (definition: FlowDefinition): unknown => {
    try {
      resultOf(requireAssertions(definition));
    } catch (error) {
      return error;
    }
    return undefined;
  };

  it('names each violated assertion with a request that shows it', () => {
    const flow = aFlow([aMember(1, { max_amount: 50 }), aMember(2)], {
      assertions: [
        { when: {}, at_least: 1 },
        { when: { customer_id: { equals: 7 } }, never: 2 },
        { when: { country: { equals: 'DE' } }, at_least: 2 },
      ],
    });
    expect(errorOf(flow)).toMatchObject({
      code: 'flow_assertion_violated',
      errors: [
        {
          field: 'assertions[1]',
          message: 'must never go to shop 2, but {"amount":100,"currency":"USD","customer_id":7} can',
        },
        {
          field: 'assertions[2]',
          message: 'must have at least 2 shops to go to, but {"amount":50.01,"currency":"USD","country":"DE"} has 1: 2',
        },
      ],
    });
  });

  it('says so when there are too many cases to tell apart', () => {
    const switches = Array.from({ length: 20 }, (_, index): Condition => ({
      [`metadata.on${index}`]: { equals: true },
    }));
    const rules = switches.flatMap((on, index): Rule[] => [
      { when: on, use: take(2 * index) },
      { when: { not: on }, use: take(2 * index + 1) },
    ]);
    const flow = aFlow(
      rules.map((_, index) => aMember(index)),
      { strategy: 'rules', rules, default: take(0), assertions: [{ when: {}, at_least: 20 }] },
    );
    const error = errorOf(flow);
    expect(error).toBeInstanceOf(Problem);
    expect(error).toMatchObject({ code: 'flow_assertions_too_complex', errors: [{ field: 'assertions[0]' }] });
  });
});

const CURRENCIES = ['USD', 'JPY', 'BHD'];
const COUNTRIES = ['DE', 'FR'];
const bounds = fc.constantFrom(0, 1, 9.99, 10, 10.005, 1000);
const tests: fc.Arbitrary<Condition> = fc.oneof(
  fc.subarray(CURRENCIES, { minLength: 1 }).map((list): Condition => ({ currency: { in: list } })),
  fc.constantFrom<Condition>(
    { country: { exists: true } },
    { country: { equals: 'DE' } },
    { country: { not: ['FR'] } },
  ),
  bounds.map((min): Condition => ({ amount: { min } })),
  bounds.map((max): Condition => ({ amount: { max } })),
  fc.constantFrom<Condition>(
    { customer_id: { equals: 1 } },
    { 'metadata.a': { equals: 'x' } },
    { 'metadata.a': { exists: true } },
    { 'metadata.a.b': { not: 'y' } },
    { 'metadata.a.b': { exists: true } },
  ),
);
const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 2 },
    tests,
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((all): Condition => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((any): Condition => ({ any })),
    tie('condition').map((not): Condition => ({ not })),
  ),
}));
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const definitions: fc.Arbitrary<FlowDefinition> = fc
  .record({
    conditions: fc.array(
      fc.record(
        {
          currencies: fc.subarray(CURRENCIES, { minLength: 1 }),
          countries: fc.subarray(COUNTRIES, { minLength: 1 }),
          min_amount: bounds,
          max_amount: bounds,
        },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 4 },
    ),
    rules: fc.array(fc.tuple(condition, fc.subarray([1, 2, 3, 4], { minLength: 1 })), { maxLength: 3 }),
    hasRules: fc.boolean(),
    max_attempts: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ conditions, rules, hasRules, max_attempts }) =>
    aFlow(
      conditions.map((each, index) => aMember(index + 1, each)),
      hasRules
        ? {
            strategy: 'rules',
            rules: rules.map(([when, shops]) => ({ when, use: take(...shops) })),
            default: take(1),
            max_attempts,
          }
        : { max_attempts },
    ),
  );
const requests: fc.Arbitrary<RoutingRequest> = fc
  .record({
    amount: fc.constantFrom(0.01, 1, 9.98, 9.99, 10, 10.01, 999, 1000, 1001),
    currency: fc.constantFrom(...CURRENCIES, 'EUR'),
    country: optional(fc.constantFrom(...COUNTRIES, 'US')),
    customerId: optional(fc.constantFrom(1, 2)),
    metadata: optional(
      fc.constantFrom<Record<string, unknown>>({ a: 'x' }, { a: 1 }, { a: { b: 'y' } }, { a: {} }, { b: 1 }),
    ),
  })
  .filter(({ amount, currency }) => amountError(amount, currency) === undefined);
const assertions: fc.Arbitrary<Assertion> = fc.oneof(
  fc.record({ when: condition, never: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ when: condition, at_least: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ when: condition, at_least_tries: fc.integer({ min: 1, max: 3 }) }),
);

const isBrokenBy = (definition: FlowDefinition, assertion: Assertion, request: RoutingRequest): boolean => {
  if (!matches(assertion.when, request)) return false;
  if ('at_least_tries' in assertion) return triesOf(definition, request) < assertion.at_least_tries;
  const shops = shopsFor(definition, request);
  return 'never' in assertion ? shops.includes(assertion.never) : shops.length < assertion.at_least;
};

describe('the search', () => {
  it('finds only requests that break the assertion', () => {
    fc.assert(
      fc.property(definitions, assertions, (definition, assertion) => {
        const request = violation(definition, assertion);
        if (request) expect(isBrokenBy(definition, assertion, request)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('finds one whenever there is one', () => {
    fc.assert(
      fc.property(
        definitions,
        assertions,
        fc.array(requests, { minLength: 30, maxLength: 30 }),
        (definition, assertion, many) => {
          if (violation(definition, assertion)) return;
          expect(many.find((request) => isBrokenBy(definition, assertion, request))).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('at_least_tries', () => {
  const two = [aMember(1), aMember(2, { currencies: ['EUR'] })];
  const assertion: Assertion = { when: { currency: { equals: 'EUR' } }, at_least_tries: 2 };
  const errorsOf = (definition: FlowDefinition): string[] => {
    try {
      resultOf(requireAssertions({ ...definition, assertions: [assertion] }));
      return [];
    } catch (error) {
      return (error as Problem).errors!.map(({ message }) => message);
    }
  };

  it('takes max_attempts, which at_least does not ask for', () => {
    expect(violation(aFlow(two), { when: assertion.when, at_least: 2 })).toBeUndefined();
    expect(errorsOf(aFlow(two))).toEqual([
      'must be tried with at least 2 shops, but {"amount":100,"currency":"EUR"} is tried with 1 (max_attempts is 1)',
    ]);
    expect(errorsOf(aFlow(two, { max_attempts: 2 }))).toEqual([]);
  });

  it('takes shops of the one rule that decides, where at_least counts those of all that match', () => {
    const rules = [{ when: assertion.when, use: take(2) }];
    const flow = aFlow(two, { strategy: 'rules', rules, default: take(1, 2), max_attempts: 3 });
    expect(violation(flow, { when: assertion.when, at_least: 2 })).toBeUndefined();
    expect(errorsOf(flow)).toEqual([
      'must be tried with at least 2 shops, but {"amount":100,"currency":"EUR"} is tried with 1 (max_attempts is 3)',
    ]);
    expect(errorsOf({ ...flow, rules: [{ when: assertion.when, use: take(1, 2) }] })).toEqual([]);
  });

  it('counts the shops that routing would try', () => {
    fc.assert(
      fc.property(definitions, requests, (definition, request) => {
        const summaries = definition.shops.map(({ shop_id: id }): [number, ShopSummary] => [
          id,
          { id, name: `Shop ${id}`, provider: 'sandbox', enabled: true },
        ]);
        const state = { counter: 0, statsByShop: new Map(), random: () => 0 };
        const { shop, fallbacks } = decide(routableFlow(definition, new Map(summaries)), request, state);
        const tries = shop ? Math.min(definition.max_attempts!, 1 + fallbacks.length) : 0;
        expect(triesOf(definition, request)).toBe(tries);
      }),
      { numRuns: 300 },
    );
  });
});

describe('shopsFor', () => {
  it('names exactly the shops that routing picks when all the others are disabled', () => {
    fc.assert(
      fc.property(definitions, requests, (definition, request) => {
        const picked = definition.shops.filter(({ shop_id: id }) => pickWithOnly(id, definition, request) === id);
        expect(shopsFor(definition, request)).toEqual(picked.map(({ shop_id }) => shop_id));
      }),
      { numRuns: 300 },
    );
  });

  function pickWithOnly(id: number, definition: FlowDefinition, request: RoutingRequest): number | undefined {
    const summaries = definition.shops.map(({ shop_id }): [number, ShopSummary] => [
      shop_id,
      { id: shop_id, name: `Shop ${shop_id}`, provider: 'sandbox', enabled: shop_id === id },
    ]);
    const state = { counter: 0, statsByShop: new Map(), random: () => 0 };
    return decide(routableFlow(definition, new Map(summaries)), request, state).shop?.shop.id;
  }
});
