import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { resultOf } from '../result-of.js';
import { aMember, anyCondition, anyRequest } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import type { Condition } from './condition.js';
import { matches } from './condition.js';
import { generator } from '../statistics/random.js';
import { conditionErrors } from './condition-errors.js';
import type { FlowDefinition, FlowShop, Rule, RuleUse } from './definition.js';
import { definitionErrors } from './definition-errors.js';
import { changedDefinition } from './definition.js';
import { ruleErrors } from './rule-errors.js';

const use = (...shops: number[]): RuleUse => ({ shops, strategy: 'weighted' });
const decline = { code: 'blocked' };
const EUR: Condition = { currency: { equals: 'EUR' } };
const SHOPS = [aMember(1), aMember(2), aMember(3, { conditions: { currencies: ['USD'], min_amount: 10 } })];

const aDefinition = (rules: Rule[], shops: FlowShop[] = SHOPS): FlowDefinition => ({
  strategy: 'rules',
  shops,
  rules,
  default: use(1),
});
const errorsOf = (definition: FlowDefinition): string[] =>
  resultOf(ruleErrors(definition)).map(({ field, message }) => `${field} ${message}`);

describe('rules', () => {
  it.each<[string, Rule[]]>([
    [
      'apart',
      [
        { when: EUR, use: use(1) },
        { when: { not: EUR }, use: use(1) },
      ],
    ],
    [
      'the narrower rule first',
      [
        { when: { all: [EUR, { amount: { min: 5 } }] }, use: use(1) },
        { when: EUR, use: use(1) },
      ],
    ],
    [
      'an alternative if the first rule has no shop',
      [
        { when: EUR, use: use(1) },
        { when: EUR, use: use(1, 2) },
      ],
    ],
    [
      'a rule for all payments, whose shop takes only some',
      [
        { when: {}, use: use(3) },
        { when: EUR, use: use(1) },
      ],
    ],
    [
      'text and number',
      [
        { when: { 'metadata.a': { equals: '1' } }, use: use(1) },
        { when: { 'metadata.a': { equals: 1 } }, use: use(1) },
      ],
    ],
    [
      'bounds that touch',
      [
        { when: { amount: { max: 5 } }, use: use(1) },
        { when: { amount: { min: 5 } }, use: use(1) },
      ],
    ],
  ])('accept %s', (_, rules) => {
    expect(errorsOf(aDefinition(rules))).toEqual([]);
  });

  const CONTRADICTS = 'contradicts itself: no payment can meet it';
  it.each<[Condition]>([
    [{ all: [EUR, { currency: { equals: 'USD' } }] }],
    [{ currency: { equals: 'EUR', not: 'EUR' } }],
    [{ all: [{ amount: { min: 10 } }, { amount: { max: 9.99 } }] }],
    [{ amount: { max: 0 } }],
    [{ country: { exists: false, equals: 'DE' } }],
    [{ 'metadata.a': { exists: false }, 'metadata.a.b': { exists: true } }],
    [{ 'metadata.a': { equals: 'text' }, 'metadata.a.b': { exists: true } }],
    [{ not: { any: [EUR, { not: EUR }] } }],
  ])('refuse a contradiction: %j', (when) => {
    expect(errorsOf(aDefinition([{ when, use: use(1) }]))).toEqual([`rules[0].when ${CONTRADICTS}`]);
  });

  it.each<[string, Rule[], string]>([
    [
      'the same condition twice',
      [
        { when: EUR, use: use(1) },
        { when: EUR, use: use(1) },
      ],
      'rules[0] comes first',
    ],
    [
      'narrower',
      [
        { when: EUR, use: use(1, 2) },
        { when: { all: [EUR, { country: { equals: 'DE' } }] }, use: use(2) },
      ],
      'rules[0] comes first',
    ],
    [
      'after a rule for all payments',
      [
        { when: { country: { exists: true } }, use: use(2) },
        { when: {}, use: use(1) },
        { when: EUR, use: use(1) },
      ],
      'rules[1] comes first',
    ],
    [
      'covered by two rules together',
      [
        { when: EUR, use: use(1) },
        { when: { not: EUR }, use: use(1) },
        { when: { amount: { min: 5 } }, use: use(1) },
      ],
      'the rules before it come first',
    ],
  ])('refuse an unreachable rule: %s', (_, rules, because) => {
    expect(errorsOf(aDefinition(rules))).toEqual([
      `rules[${rules.length - 1}] is unreachable: ${because} for every payment that it could get`,
    ]);
  });

  it('refuse a rule whose shops take no matching payment', () => {
    for (const when of [EUR, { amount: { max: 9.99 } }]) {
      expect(errorsOf(aDefinition([{ when, use: use(3) }]))).toEqual([
        'rules[0] is unreachable: none of its shops takes a payment that meets its condition',
      ]);
    }
  });

  it('refuse shops that are not in the flow', () => {
    expect(errorsOf({ ...aDefinition([{ when: EUR, use: use(1, 9) }]), default: use(8) })).toEqual([
      'rules[0].use.shops[1] shop 9 is not a shop of this flow',
      'default.shops[0] shop 8 is not a shop of this flow',
    ]);
  });

  it('require a default and the strategy rules', () => {
    expect(errorsOf({ strategy: 'rules', shops: SHOPS })).toEqual([
      'rules must contain at least one rule with the strategy rules',
      'default is required with the strategy rules',
    ]);
    expect(errorsOf({ ...aDefinition([{ when: EUR, use: use(1) }]), strategy: 'weighted' })).toEqual([
      'rules is allowed only with the strategy rules',
      'default is allowed only with the strategy rules',
    ]);
  });

  it('and definitions take options of success_rate only with this strategy', () => {
    const options = { success_rate: { objective: 'margin' as const } };
    const rules = [{ when: EUR, use: { ...use(1), ...options } }];
    const definition = { ...aDefinition(rules), default: { ...use(1), ...options }, ...options };
    const message = 'is allowed only with the strategy success_rate';
    expect(errorsOf(definition)).toEqual([
      `rules[0].use.success_rate ${message}`,
      `default.success_rate ${message}`,
      `success_rate ${message}`,
    ]);
    expect(errorsOf({ strategy: 'success_rate', shops: SHOPS, ...options })).toEqual([]);
    const by = { ...use(1), strategy: 'success_rate' as const, ...options };
    expect(errorsOf({ ...aDefinition([{ when: EUR, use: by }]), default: by })).toEqual([]);
  });

  it('lose the options of success_rate when the strategy changes, and keep them with any other change', () => {
    const options = { success_rate: { objective: 'margin' as const } };
    const definition: FlowDefinition = { strategy: 'success_rate', shops: SHOPS, ...options };
    expect(changedDefinition(definition, { max_attempts: 2 })).toEqual({ ...definition, max_attempts: 2 });
    expect(changedDefinition(definition, { success_rate: {} })).toEqual({ ...definition, success_rate: {} });
    const other = changedDefinition(definition, { strategy: 'lowest_cost' });
    expect(other).toEqual({ strategy: 'lowest_cost', shops: SHOPS });
    expect(errorsOf(changedDefinition(other, options))).toHaveLength(1);
  });

  it('disappear when the strategy changes, and stay with any other change', () => {
    const definition = aDefinition([{ when: EUR, use: use(1) }]);
    expect(changedDefinition(definition, { strategy: 'weighted' })).toEqual({ strategy: 'weighted', shops: SHOPS });
    expect(changedDefinition(definition, { max_attempts: 2 })).toEqual({ ...definition, max_attempts: 2 });
  });

  it('produce errors together with the rest of a definition', () => {
    expect(resultOf(definitionErrors(aDefinition([{ when: EUR, use: use(9) }]), new Set([1, 2, 3])))).toHaveLength(1);
  });

  it('yield in many small steps', () => {
    const draw = generator(7);
    const literal = (): Condition => ({
      [`metadata.f${Math.floor(draw() * 40)}`]: draw() < 0.5 ? { equals: true } : { not: true },
    });
    const clauses = Array.from({ length: 190 }, (): Condition => ({ any: [literal(), literal(), literal()] }));
    const when: Condition = { all: [{ all: clauses.slice(0, 95) }, { all: clauses.slice(95) }] };
    const steps = ruleErrors(aDefinition([{ when, use: use(1) }]));
    let yields = 0;
    while (!steps.next().done) yields++;
    expect(yields).toBeGreaterThan(50);
  });

  it('count as reachable while a payment reaches them', () => {
    const rule: fc.Arbitrary<Rule> = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.record({
          when: anyCondition,
          use: fc.subarray([1, 2, 3], { minLength: 1 }).map((ids) => use(...ids)),
        }),
      },
      { weight: 1, arbitrary: anyCondition.map((when) => ({ when, decline })) },
    );
    fc.assert(
      fc.property(
        fc.array(rule, { minLength: 1, maxLength: 4 }),
        fc.array(anyRequest, { minLength: 30 }),
        (rules, requests) => {
          const definition = aDefinition(rules);
          const unreachable = new Set(
            resultOf(ruleErrors(definition)).map(({ field }) => Number(/\d+/.exec(field)![0])),
          );
          for (const index of unreachable) {
            const matching = requests.filter((request) => matches(rules[index]!.when, request));
            // a shop that the rule names, or `undefined` for a rule that declines
            const targets = rules[index]!.use?.shops ?? [undefined];
            for (const id of targets) {
              const { conditions = {} } = SHOPS.find((shop) => shop.shop_id === id) ?? {};
              const before = rules.slice(0, index).filter(({ use: names }) => !names || names.shops.includes(id!));
              const reaching = matching.filter(
                (request) =>
                  (conditions.currencies === undefined || (request.currency === 'USD' && request.amount >= 10)) &&
                  !before.some(({ when }) => matches(when, request)),
              );
              expect(reaching).toEqual([]);
            }
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('check a hundred rules with ten alternatives each', () => {
    const rules = Array.from({ length: 100 }, (_, index): Rule => ({
      when: {
        any: Array.from({ length: 10 }, (__, at): Condition => ({
          [`metadata.field${(index * 7 + at * 3) % 40}`]: { in: [index, 100 + at, 'x'] },
          amount: { min: index, max: 1_000 + at },
        })),
      },
      use: use(1 + (index % 3)),
    }));
    expect(errorsOf(aDefinition(rules))).toEqual([]);
  });

  it('check rules with tens of thousands of customers up to the maximum number of steps', () => {
    const customers = (from: number) => Array.from({ length: 1_000 }, (_, index) => from + index);
    const rules = Array.from({ length: 30 }, (_, index): Rule => ({
      when: { customer_id: { in: customers(1 + 1_000 * index) } },
      use: use(1),
    }));
    // the first two make the third unreachable; the thirtieth is beyond the maximum number of steps
    const [first, second] = [rules[0]!, rules[1]!];
    const both: Rule = { when: { customer_id: { in: [...customers(501)] } }, use: use(1) };
    expect(errorsOf(aDefinition([first, second, both]))).toEqual([
      'rules[2] is unreachable: the rules before it come first for every payment that it could get',
    ]);
    expect(errorsOf(aDefinition([...rules, both]))).toEqual([]);
  });
});

describe('rules that decline', () => {
  const DE: Condition = { country: { equals: 'DE' } };

  it.each<[string, Rule[], string[]]>([
    [
      'after a rule for the same payments, whose shops may all be disabled',
      [
        { when: EUR, use: use(1, 2) },
        { when: EUR, decline },
      ],
      [],
    ],
    [
      'before a rule for more payments',
      [
        { when: { all: [EUR, DE] }, decline },
        { when: EUR, use: use(1) },
      ],
      [],
    ],
    [
      'before a rule for the same payments',
      [
        { when: EUR, decline },
        { when: { all: [EUR, DE] }, use: use(1, 2) },
      ],
      ['rules[1] is unreachable: rules[0] comes first for every payment that it could get'],
    ],
    [
      'before another one for fewer payments',
      [
        { when: EUR, decline },
        { when: { all: [EUR, DE] }, decline: { code: 'other' } },
      ],
      ['rules[1] is unreachable: rules[0] comes first for every payment that it could decline'],
    ],
    [
      'for all payments, together',
      [
        { when: EUR, decline },
        { when: { not: EUR }, decline },
        { when: DE, use: use(1) },
      ],
      ['rules[2] is unreachable: the rules before it come first for every payment that it could get'],
    ],
    [
      'next to rules that name the shop, together',
      [
        { when: EUR, decline },
        { when: { not: EUR }, use: use(1) },
        { when: DE, use: use(1) },
      ],
      ['rules[2] is unreachable: the rules before it come first for every payment that it could get'],
    ],
    [
      'with a condition that contradicts itself',
      [{ when: { all: [EUR, { not: EUR }] }, decline }],
      ['rules[0].when contradicts itself: no payment can meet it'],
    ],
  ])('count as reachable or not: %s', (_, rules, errors) => {
    expect(errorsOf(aDefinition(rules))).toEqual(errors);
  });

  it('need either shops or a decline', () => {
    const [both, neither] = [{ when: EUR, use: use(1), decline }, { when: DE }] as unknown as Rule[];
    expect(errorsOf(aDefinition([both!, neither!]))).toEqual([
      'rules[0] must have exactly one of use, decline',
      'rules[1] must have exactly one of use, decline',
    ]);
  });

  it('without different names are refused', () => {
    const [named, other] = [
      { name: 'Euro', when: EUR, decline },
      { name: 'Euro', when: DE, decline },
    ];
    expect(errorsOf(aDefinition([named, other]))).toEqual(['rules[1].name is the name of rules[0]']);
    expect(
      errorsOf(
        aDefinition([
          { when: EUR, decline },
          { ...other, name: 'euro' },
          { when: { amount: { min: 5 } }, decline },
        ]),
      ),
    ).toEqual([]);
  });
});

describe('rules that refuse', () => {
  const DE: Condition = { country: { equals: 'DE' } };
  const refuse = 'refuse';

  it.each<[string, Rule[], string[]]>([
    [
      'after a rule for the same payments and shop, which may be unhealthy',
      [
        { when: EUR, use: use(1) },
        { when: EUR, use: use(1), otherwise: refuse },
      ],
      [],
    ],
    [
      'before a rule for more payments',
      [
        { when: { all: [EUR, DE] }, use: use(1), otherwise: refuse },
        { when: EUR, use: use(2) },
      ],
      [],
    ],
    [
      'before a rule with another shop for fewer payments',
      [
        { when: EUR, use: use(1), otherwise: refuse },
        { when: { all: [EUR, DE] }, use: use(2) },
      ],
      ['rules[1] is unreachable: rules[0] comes first for every payment that it could get'],
    ],
    [
      'before a decline of fewer payments',
      [
        { when: EUR, use: use(1), otherwise: refuse },
        { when: { all: [EUR, DE] }, decline },
      ],
      ['rules[1] is unreachable: rules[0] comes first for every payment that it could decline'],
    ],
    [
      'with no shop that takes its payments',
      [{ when: EUR, use: use(3), otherwise: refuse }],
      ['rules[0] is unreachable: none of its shops takes a payment that meets its condition'],
    ],
  ])('count as reachable or not: %s', (_, rules, errors) => {
    expect(errorsOf(aDefinition(rules))).toEqual(errors);
  });

  it('need shops', () => {
    const declines = { when: EUR, decline, otherwise: refuse } as unknown as Rule;
    expect(errorsOf(aDefinition([declines]))).toEqual(['rules[0].otherwise is allowed only with use']);
  });
});

describe('rules about the card', () => {
  const digits = Array.from('0123456789');
  const bin = (...prefixes: string[]): Condition => ({ 'card.bin': { starts_with: prefixes } });

  it.each<[string, Condition[], string[]]>([
    ['a longer prefix first', [bin('4111'), bin('4')], []],
    ['a shorter prefix first', [bin('4'), bin('4111')], ['rules[1] is unreachable: rules[0] comes first']],
    ['a BIN that is longer than its prefix', [bin('411111'), bin('41111122')], ['rules[1] is unreachable']],
    ['all digits one by one', [bin(...digits), { 'card.bin': { exists: true } }], ['rules[1] is unreachable']],
    ['all digits after a prefix', [bin(...digits.map((digit) => `4${digit}`)), bin('4')], ['rules[1] is unreachable']],
    ['nine of ten digits', [bin(...digits.slice(1)), { 'card.bin': { exists: true } }], []],
    [
      'every funding',
      [{ 'card.funding': { in: ['credit', 'debit', 'prepaid', 'charge'] } }, { 'card.funding': { equals: 'unknown' } }],
      [],
    ],
    [
      'a funding next to all others',
      [
        { 'card.funding': { not: 'unknown' } },
        { 'card.funding': { equals: 'unknown' } },
        { 'card.funding': { exists: true } },
      ],
      ['rules[2] is unreachable: the rules before it come first'],
    ],
  ])('rules are checked for reach: %s', (_, conditions, errors) => {
    const found = errorsOf(aDefinition(conditions.map((when) => ({ when, use: use(1) }))));
    expect(found).toEqual(errors.map((error) => expect.stringContaining(error)));
  });

  it('check thirty thousand prefixes up to the maximum number of steps', () => {
    const rules = Array.from({ length: 30 }, (_, index): Rule => ({
      when: bin(...Array.from({ length: 1_000 }, (__, at) => String(10_000_000 + 1_000 * index + at))),
      use: use(1),
    }));
    expect(errorsOf(aDefinition(rules))).toEqual([]);
  });
});

describe('conditionErrors', () => {
  it('accepts all tests of rules', () => {
    const condition: Condition = {
      currency: { in: ['EUR', 'CHF'] },
      country: { not: ['US', 'CA'], exists: true },
      amount: { min: 1, max: 500.5 },
      customer_id: { equals: 7 },
      'payment_method.type': { equals: 'card' },
      'card.scheme': { in: ['visa', 'cartes_bancaires'] },
      'card.bin': { starts_with: ['4', '51', '41111122'], exists: true },
      'card.funding': { not: ['prepaid'] },
      'card.issuer_country': { exists: false },
      'metadata.order.tier': { in: ['gold', 1, true, null] },
      any: [{ 'metadata.a.0': { exists: false } }, { not: { all: [EUR] } }],
    };
    expect(conditionErrors(condition, 'when')).toEqual([]);
    fc.assert(fc.property(anyCondition, (any) => expect(conditionErrors(any, 'when')).toEqual([])));
  });

  it.each<[unknown, string]>([
    [null, 'when must be an object'],
    [[], 'when must be an object'],
    [{ curency: { equals: 'EUR' } }, 'when.curency is not a known field'],
    [{ toString: { exists: true } }, 'when.toString is not a known field'],
    [{ metadata: { exists: true } }, 'when.metadata is not a known field'],
    [{ 'metadata.': { exists: true } }, 'when.metadata. is not a known field'],
    [{ 'metadata.__proto__.x': { exists: true } }, 'when.metadata.__proto__.x is not a known field'],
    [{ currency: 'EUR' }, 'when.currency must be an object with at least one of equals, in, not'],
    [{ currency: {} }, 'when.currency must be an object'],
    [{ currency: { equals: 'EURO' } }, 'when.currency.equals must be the ISO 4217 code'],
    [{ currency: { exists: true } }, 'when.currency.exists is not a test of this field'],
    [{ country: { in: ['DE', 'XX'] } }, 'when.country.in item 1 must be an ISO 3166-1'],
    [{ country: { in: [] } }, 'when.country.in must be an array of 1 to 1000 values'],
    [{ country: { in: ['DE', 'DE'] } }, 'when.country.in must not hold a value twice'],
    [{ amount: { min: -1 } }, 'when.amount.min must not be negative'],
    [{ amount: { min: 5, max: 4 } }, 'when.amount.max must not be less than min (5), got 4'],
    [{ customer_id: { equals: '7' } }, 'when.customer_id.equals must be a positive integer'],
    [{ 'metadata.a': { equals: {} } }, 'when.metadata.a.equals must be text, a number, a boolean or null'],
    [{ 'metadata.a': { exists: 1 } }, 'when.metadata.a.exists must be true or false'],
    [{ 'payment_method.type': { equals: '' } }, 'when.payment_method.type.equals must be text of 1 to 32 characters'],
    [{ 'payment_method.token': { equals: 'x' } }, 'when.payment_method.token is not a known field'],
    [{ 'card.last4': { equals: '1111' } }, 'when.card.last4 is not a known field'],
    [{ 'card.scheme': { in: ['Visa'] } }, 'when.card.scheme.in item 0 must be a card network in lower case'],
    [{ 'card.bin': { equals: '411111' } }, 'when.card.bin.equals is not a test of this field: use starts_with, exists'],
    [{ 'card.bin': { starts_with: '4111' } }, 'when.card.bin.starts_with must be an array of 1 to 1000 values'],
    [
      { 'card.bin': { starts_with: ['411111111'] } },
      'when.card.bin.starts_with item 0 must be the first 1 to 8 digits',
    ],
    [{ 'card.funding': { equals: 'gift' } }, 'when.card.funding.equals must be one of credit, debit, prepaid, charge'],
    [{ 'card.issuer_country': { equals: 'XX' } }, 'when.card.issuer_country.equals must be an ISO 3166-1'],
    [{ 'metadata.a': { starts_with: ['x'] } }, 'when.metadata.a.starts_with is not a test of this field'],
    [{ all: [] }, 'when.all must be an array of 1 to 100 conditions'],
    [{ any: [{ not: [] }] }, 'when.any[0].not must be an object'],
  ])('refuses %j', (condition, message) => {
    const errors = conditionErrors(condition, 'when').map(({ field, message: text }) => `${field} ${text}`);
    expect(errors).toEqual([expect.stringContaining(message)]);
  });

  it('refuses conditions that are nested too deep', () => {
    let condition: Condition = EUR;
    for (let depth = 0; depth < 8; depth++) condition = { not: condition };
    expect(conditionErrors(condition, 'when')).toEqual([
      { field: `when${'.not'.repeat(8)}`, message: 'must be nested at most 8 levels deep' },
    ]);
  });
});
