import { describe, expect, it } from '@jest/globals';
import * as arbitraries from '../../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '../result-of.js';
import { findCounterexample } from './assertion-search.js';
import { assertionFailure, type AssertionFailure, violationsOf } from './assertions.js';
import type { Condition, RoutingRequest } from './condition.js';
import type { Assertion, FlowDefinition, FlowShop, Rule, RuleUse, ShopConditions } from './definition.js';

const aMember = (shopId: number, conditions: ShopConditions = {}, enabled = true): FlowShop =>
  arbitraries.aMember(shopId, { conditions, enabled });
const aFlow = (shops: FlowShop[], changes: Partial<FlowDefinition> = {}): FlowDefinition => ({
  strategy: 'round_robin',
  shops,
  ...changes,
});
const take = (...shops: number[]): RuleUse => ({ shops, strategy: 'round_robin' });

const failureOf = (definition: FlowDefinition): AssertionFailure | undefined =>
  resultOf(assertionFailure(definition, arbitraries.summariesOf(definition)));

const messagesOf = (definition: FlowDefinition, assertions: Assertion[]): string[] =>
  failureOf({ ...definition, assertions })?.errors.map(({ message }) => message) ?? [];

const violation = (definition: FlowDefinition, assertion: Assertion): RoutingRequest | undefined =>
  violationsOf(definition, arbitraries.summariesOf(definition), assertion)
    .map((each) => resultOf(findCounterexample(each)))
    .find((request) => request);

describe('never', () => {
  it.each<[string, Condition, ShopConditions, RoutingRequest | undefined]>([
    ['anything', {}, {}, { amount: 100, currency: 'USD' }],
    ['conditions that the shop excludes', { currency: { equals: 'EUR' } }, { currencies: ['USD'] }, undefined],
    [
      'conditions that the shop accepts',
      { currency: { in: ['EUR', 'USD'] } },
      { currencies: ['EUR'] },
      { amount: 100, currency: 'EUR' },
    ],
    ['amounts above the maximum', { amount: { min: 100.01 } }, { max_amount: 100 }, undefined],
    [
      'an amount that needs three decimals',
      { amount: { min: 100.001 } },
      { max_amount: 100.009 },
      { amount: 100.001, currency: 'BHD' },
    ],
    [
      'amounts between two neighbours of every currency',
      { all: [{ amount: { min: 100.0001 } }, { currency: { in: ['USD', 'BHD'] } }] },
      { max_amount: 100.0009 },
      undefined,
    ],
    ['no country', { country: { exists: false } }, { countries: ['DE'] }, undefined],
    [
      'a country that no condition names',
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
      'contradictory metadata',
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
  ])('checks %s', (_, when, conditions, expected) => {
    expect(violation(aFlow([aMember(1, conditions), aMember(2)]), { when, never: 1 })).toEqual(expected);
  });

  it('holds for a shop that the flow does not use', () => {
    expect(violation(aFlow([aMember(1, {}, false), aMember(2)]), { when: {}, never: 1 })).toBeUndefined();
    expect(violation(aFlow([aMember(2)]), { when: {}, never: 1 })).toBeUndefined();
  });

  it('includes a rule that is reached only when the shops of an earlier rule are down', () => {
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
    ['fails for more shops than the flow has', { currency: { equals: 'EUR' } }, 4, expect.anything() as never],
  ])('%s', (_, when, atLeast, expected) => {
    expect(violation(aFlow(shops), { when, at_least: atLeast })).toEqual(expected);
  });

  it('counts the shops of all matching rules', () => {
    const rules: Rule[] = [
      { when: { 'metadata.tier': { equals: 'gold' } }, use: take(1) },
      { when: { amount: { min: 100 } }, use: take(2) },
    ];
    const flow = aFlow([aMember(1), aMember(2), aMember(5)], { strategy: 'rules', rules, default: take(5) });
    const gold: Condition = { 'metadata.tier': { equals: 'gold' } };
    expect(violation(flow, { when: { ...gold, amount: { min: 100 } }, at_least: 3 })).toBeUndefined();
    expect(violation(flow, { when: gold, at_least: 3 })).toEqual({
      amount: 99.99,
      currency: 'USD',
      metadata: { tier: 'gold' },
    });
  });
});

describe('assertionFailure', () => {
  it('reports each violated assertion with an example request', () => {
    const flow = aFlow([aMember(1, { max_amount: 50 }), aMember(2)], {
      assertions: [
        { when: {}, at_least: 1 },
        { when: { customer_id: { equals: 7 } }, never: 2 },
        { when: { country: { equals: 'DE' } }, at_least: 2 },
      ],
    });
    expect(failureOf(flow)).toMatchObject({
      reason: 'violated',
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

  it('refuses assertions with too many cases to check', () => {
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
    expect(failureOf(flow)).toMatchObject({ reason: 'too_complex', errors: [{ field: 'assertions[0]' }] });
  });
});

describe('at_least_tries', () => {
  const two = [aMember(1), aMember(2, { currencies: ['EUR'] })];
  const assertion: Assertion = { when: { currency: { equals: 'EUR' } }, at_least_tries: 2 };
  const errorsOf = (definition: FlowDefinition): string[] => messagesOf(definition, [assertion]);

  it('depends on max_attempts, unlike at_least', () => {
    expect(violation(aFlow(two), { when: assertion.when, at_least: 2 })).toBeUndefined();
    expect(errorsOf(aFlow(two))).toEqual([
      'must be tried with at least 2 shops, but {"amount":100,"currency":"EUR"} is tried with 1 (max_attempts is 1)',
    ]);
    expect(errorsOf(aFlow(two, { max_attempts: 2 }))).toEqual([]);
  });

  it('counts the shops of the deciding rule only, while at_least counts those of all matching rules', () => {
    const rules = [{ when: assertion.when, use: take(2) }];
    const flow = aFlow(two, { strategy: 'rules', rules, default: take(1, 2), max_attempts: 3 });
    expect(violation(flow, { when: assertion.when, at_least: 2 })).toBeUndefined();
    expect(errorsOf(flow)).toEqual([
      'must be tried with at least 2 shops, but {"amount":100,"currency":"EUR"} is tried with 1 (max_attempts is 3)',
    ]);
    expect(errorsOf({ ...flow, rules: [{ when: assertion.when, use: take(1, 2) }] })).toEqual([]);
  });
});

describe('assertions about payments that a rule declines', () => {
  const euro: Condition = { currency: { equals: 'EUR' } };
  const german: Condition = { country: { equals: 'DE' } };
  const flowOf = (...rules: Rule[]): FlowDefinition =>
    aFlow([aMember(1), aMember(2)], { strategy: 'rules', rules, default: take(1, 2), max_attempts: 2 });
  const declining: Rule = { when: euro, decline: { code: 'blocked' } };

  it('hold if they say never', () => {
    expect(violation(flowOf(declining), { when: euro, never: 1 })).toBeUndefined();
    expect(violation(flowOf(declining), { when: {}, never: 1 })).toBeDefined();
  });

  it('fail if they claim a number of shops or tries, and name the rule', () => {
    const claims: Assertion[] = [
      { when: euro, at_least: 1 },
      { when: euro, at_least_tries: 1 },
      { when: { not: euro }, at_least: 2 },
      { when: { not: euro }, at_least_tries: 2 },
    ];
    const example = '{"amount":100,"currency":"EUR","country":"US"}';
    expect(messagesOf(flowOf({ when: german, use: take(1) }, declining), claims)).toEqual([
      `must have at least 1 shops to go to, but rules[1] declines ${example}`,
      `must be tried with at least 1 shops, but rules[1] declines ${example}`,
      'must be tried with at least 2 shops, but {"amount":100,"currency":"USD","country":"DE"} is tried with 1 (max_attempts is 2)',
    ]);
  });

  it('count the shops of rules before it only', () => {
    const flow = flowOf({ when: german, use: take(1) }, declining);
    const both: Condition = { all: [euro, german] };
    expect(violation(flow, { when: both, at_least: 1 })).toBeUndefined();
    expect(violation(flow, { when: both, at_least_tries: 1 })).toBeUndefined();
    expect(violation(flow, { when: both, at_least: 2 })).toEqual({ amount: 100, currency: 'EUR', country: 'DE' });
    expect(violation(flow, { when: both, never: 2 })).toBeUndefined();
  });
});

describe('assertions about payments that a rule refuses', () => {
  const british: Condition = { country: { equals: 'GB' } };
  const flowOf = (otherwise?: 'refuse'): FlowDefinition =>
    aFlow([aMember(1, { currencies: ['GBP'] }), aMember(2)], {
      strategy: 'rules',
      rules: [{ when: british, use: take(1), ...(otherwise && { otherwise }) }],
      default: take(1, 2),
      max_attempts: 2,
    });
  const refusing = flowOf('refuse');
  const inEuro: Condition = { all: [british, { currency: { equals: 'EUR' } }] };
  const inPounds: Condition = { all: [british, { currency: { equals: 'GBP' } }] };

  it.each<[string, FlowDefinition, Assertion, boolean]>([
    ['never another shop', refusing, { when: british, never: 2 }, true],
    ['never another shop, with a default', flowOf(), { when: british, never: 2 }, false],
    ['never the shop of the rule', refusing, { when: british, never: 1 }, false],
    ['at least one shop, if it takes them', refusing, { when: inPounds, at_least: 1 }, true],
    ['at least one shop', refusing, { when: british, at_least: 1 }, false],
    ['at least two shops', refusing, { when: inPounds, at_least: 2 }, false],
    ['at least one try, if the shop takes them', refusing, { when: inPounds, at_least_tries: 1 }, true],
    ['at least one try', refusing, { when: inEuro, at_least_tries: 1 }, false],
    ['at least one try, with a default', flowOf(), { when: inEuro, at_least_tries: 1 }, true],
    ['two shops for other payments', refusing, { when: { not: british }, at_least_tries: 1 }, true],
  ])('hold or not: %s', (_, flow, assertion, holds) => {
    expect(violation(flow, assertion) === undefined).toBe(holds);
  });

  it('name the rule', () => {
    const assertions: Assertion[] = [
      { when: inEuro, at_least: 1 },
      { when: inEuro, at_least_tries: 1 },
    ];
    const example = '{"amount":100,"currency":"EUR","country":"GB"}';
    expect(messagesOf(refusing, assertions)).toEqual([
      `must have at least 1 shops to go to, but rules[0] refuses ${example}`,
      `must be tried with at least 1 shops, but rules[0] refuses ${example}`,
    ]);
  });
});

describe('assertions about the payment method', () => {
  const four = aFlow([aMember(1), aMember(2), aMember(3), aMember(6)]);
  const options = [{ provider: 'stripe' }];
  const paypal: Condition = { 'payment_method.type': { equals: 'paypal' } };
  const paid = { paymentMethod: { type: 'paypal' } };

  it('count only the shops of the accounts', () => {
    expect(violation(four, { when: {}, payment_method: { options }, at_least: 2 })).toEqual({
      amount: 100,
      currency: 'JPY',
      paymentMethod: { options },
    });
    const inDollars = { when: { currency: { equals: 'USD' } }, payment_method: { options } };
    expect(violation(four, { ...inDollars, at_least: 2 })).toBeUndefined();
    expect(violation(four, { ...inDollars, at_least: 3 })).toMatchObject({ paymentMethod: { options } });
    const inEurope = { payment_method: { options: [{ provider: 'stripe', account: 'eu' }] } };
    expect(violation(four, { ...inDollars, ...inEurope, at_least: 2 })).toBeDefined();
  });

  it('find the currency that only a provider refuses', () => {
    const flow = aFlow([aMember(1), aMember(3)]);
    expect(violation(flow, { when: {}, at_least: 2 })).toEqual({ amount: 100, currency: 'JPY' });
    expect(violation(flow, { when: { currency: { not: ['JPY', 'BHD'] } }, at_least: 2 })).toBeUndefined();
    expect(violation(aFlow([aMember(1), aMember(4)]), { when: {}, at_least: 2 })).toMatchObject({ amount: 100 });
    expect(violation(flow, { when: { currency: { equals: 'BHD' } }, never: 3 })).toBeUndefined();
  });

  it.each<[string, Assertion, RoutingRequest | undefined]>([
    [
      'find the type that only a provider does not take',
      { when: {}, at_least: 2 },
      { amount: 100, currency: 'USD', paymentMethod: { type: 'other' } },
    ],
    ['hold for a type that both take', { when: { 'payment_method.type': { equals: 'card' } }, at_least: 2 }, undefined],
    ['hold without a type', { when: { 'payment_method.type': { exists: false } }, at_least: 2 }, undefined],
    ['hold if they forbid what no provider takes', { when: paypal, never: 41 }, undefined],
    ['count tries', { when: paypal, at_least_tries: 2 }, { amount: 100, currency: 'USD', ...paid }],
    [
      'count accounts and types together',
      { when: paypal, payment_method: { options }, at_least: 2 },
      { amount: 100, currency: 'USD', paymentMethod: { ...paid.paymentMethod, options } },
    ],
  ])('%s', (_, assertion, expected) => {
    // both are at Stripe; 41 takes cards only
    const flow = aFlow([aMember(1), aMember(41)], { max_attempts: 2 });
    expect(violation(flow, assertion)).toEqual(expected);
  });

  it('appear in the message as in a simulation', () => {
    const assertions = [{ when: { 'card.funding': { equals: 'debit' } }, payment_method: { options }, at_least: 9 }];
    expect(messagesOf(four, assertions)).toEqual([
      expect.stringContaining('"payment_method":{"options":[{"provider":"stripe"}],"card":{"funding":"debit"}}'),
    ]);
  });
});
