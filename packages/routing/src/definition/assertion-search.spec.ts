import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aMember,
  anyPaymentMethod,
  load,
  paymentMethodTest,
  summariesOf,
} from '../../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '../result-of.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { amountError } from '../facts/money.js';
import { decide } from '../decision/decision.js';
import { findCounterexample } from './assertion-search.js';
import { violationsOf, shopsFor, triesOf } from './assertions.js';
import { type Condition, matches, type RoutingRequest } from './condition.js';
import type { Assertion, FlowDefinition, Rule, RuleUse } from './definition.js';

const UNSET = { nil: undefined };
const STATE = { counter: 0, statsByShop: new Map(), random: () => 0 };
const take = (...shops: number[]): RuleUse => ({ shops, strategy: 'round_robin' });
const violation = (definition: FlowDefinition, assertion: Assertion): RoutingRequest | undefined =>
  violationsOf(definition, summariesOf(definition), assertion)
    .map((each) => resultOf(findCounterexample(each)))
    .find((request) => request);

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
  paymentMethodTest,
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
const rules: fc.Arbitrary<Rule> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(condition, fc.subarray([1, 2, 3, 4], { minLength: 1 }))
      .map(([when, shops]) => ({ when, use: take(...shops) })),
  },
  { weight: 1, arbitrary: condition.map((when) => ({ when, decline: { code: 'blocked' } })) },
);
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
    rules: fc.array(rules, { maxLength: 3 }),
    hasRules: fc.boolean(),
    max_attempts: fc.integer({ min: 1, max: 4 }),
  })
  .map(({ conditions, rules: made, hasRules, max_attempts }): FlowDefinition => ({
    ...(hasRules ? { strategy: 'rules', rules: made, default: take(1) } : { strategy: 'round_robin' }),
    shops: conditions.map((each, index) => aMember(index + 1, { conditions: each })),
    max_attempts,
  }));
const requests: fc.Arbitrary<RoutingRequest> = fc
  .record({
    amount: fc.constantFrom(0.01, 1, 9.98, 9.99, 10, 10.01, 999, 1000, 1001),
    currency: fc.constantFrom(...CURRENCIES, 'EUR'),
    country: fc.option(fc.constantFrom(...COUNTRIES, 'US'), UNSET),
    customerId: fc.option(fc.constantFrom(1, 2), UNSET),
    metadata: fc.option(
      fc.constantFrom<Record<string, unknown>>({ a: 'x' }, { a: 1 }, { a: { b: 'y' } }, { a: {} }, { b: 1 }),
      UNSET,
    ),
    paymentMethod: fc.option(anyPaymentMethod, UNSET),
  })
  .filter(({ amount, currency }) => amountError(amount, currency) === undefined);
const claims = fc.oneof(
  fc.record({ never: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ at_least: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ at_least_tries: fc.integer({ min: 1, max: 3 }) }),
);
const named = anyPaymentMethod.map(({ options }) => (options ? { payment_method: { options: [...options] } } : {}));
const assertions: fc.Arbitrary<Assertion> = fc
  .tuple(condition, named, claims)
  .map(([when, method, claim]): Assertion => ({ when, ...method, ...claim }));

/** The request with the accounts that the assertion is about. */
function asserted(request: RoutingRequest, { payment_method: method }: Assertion): RoutingRequest {
  const { type, card } = request.paymentMethod ?? {};
  return { ...request, paymentMethod: { ...(type && { type }), ...(card && { card }), ...method } };
}

const isBrokenBy = (definition: FlowDefinition, assertion: Assertion, request: RoutingRequest): boolean => {
  if (!matches(assertion.when, request)) return false;
  const summaries = summariesOf(definition);
  if ('at_least_tries' in assertion) return triesOf(definition, summaries, request) < assertion.at_least_tries;
  const shops = shopsFor(definition, summaries, request);
  return 'never' in assertion ? shops.includes(assertion.never) : shops.length < assertion.at_least;
};

describe('findCounterexample', () => {
  it('finds only requests that break the assertion', () => {
    fc.assert(
      fc.property(definitions, assertions, (definition, assertion) => {
        const request = violation(definition, assertion);
        if (!request) return;
        expect(isBrokenBy(definition, assertion, request)).toBe(true);
        expect(request.paymentMethod?.options).toEqual(assertion.payment_method?.options);
      }),
      { numRuns: runs(100) },
    );
  });

  it('finds a request whenever one exists', () => {
    fc.assert(
      fc.property(
        definitions,
        assertions,
        fc.array(requests, { minLength: 30, maxLength: 30 }),
        (definition, assertion, many) => {
          if (violation(definition, assertion)) return;
          const about = many.map((request) => asserted(request, assertion));
          expect(about.find((request) => isBrokenBy(definition, assertion, request))).toBeUndefined();
        },
      ),
      { numRuns: runs(100) },
    );
  });
});

it('a claim that never goes to a shop holds for every payment that names accounts', () => {
  const never = fc.record({ when: condition, never: fc.integer({ min: 1, max: 4 }) });
  fc.assert(
    fc.property(definitions, never, fc.array(requests, { minLength: 30, maxLength: 30 }), (definition, claim, many) => {
      if (violation(definition, claim)) return;
      expect(many.find((request) => isBrokenBy(definition, claim, request))).toBeUndefined();
    }),
    { numRuns: runs(100) },
  );
});

describe('triesOf', () => {
  it('counts the shops that routing would try', () => {
    fc.assert(
      fc.property(definitions, requests, (definition, request) => {
        const { shop, fallbacks } = decide(load(definition), request, STATE);
        const tries = shop ? Math.min(definition.max_attempts!, 1 + fallbacks.length) : 0;
        expect(triesOf(definition, summariesOf(definition), request)).toBe(tries);
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('shopsFor', () => {
  it('returns exactly the shops that routing picks when all others are disabled', () => {
    fc.assert(
      fc.property(definitions, requests, (definition, request) => {
        const ids = definition.shops.map(({ shop_id }) => shop_id);
        const picked = ids.filter((id) => {
          const others = ids.filter((other) => other !== id);
          return decide(load(definition, others), request, STATE).shop !== undefined;
        });
        expect(shopsFor(definition, summariesOf(definition), request)).toEqual(picked);
      }),
      { numRuns: runs(100) },
    );
  });
});
