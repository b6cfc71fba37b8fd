import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, anySituation, scenarioIn, summariesOf } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { resultOf } from '../result-of.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { type Change, decideScenario, prepare, type PreparedScenario, type Scenario } from './scenario.js';
import { explain } from './explanation.js';
import type { FlowDefinition, FlowShop, Rule, RuleUse } from '../definition/definition.js';
import { type Overrides, withOverrides } from './overrides.js';
import { candidatesFor } from '../decision/candidates.js';
import type { Condition } from '../definition/condition.js';
import type { PaymentMethodFacts } from '../facts/payment-method.js';
import { ReadSegments } from '../decision/segments.js';
import { SegmentRates } from '../strategies/segment-rates.js';
import { SmallestChanges } from './smallest-change.js';

/** The body of a simulation request. */
interface Body {
  amount: number;
  currency: string;
  country?: string;
  customer_id?: number;
  metadata?: Record<string, unknown>;
  payment_method?: PaymentMethodFacts;
  at_counter: number;
  overrides: Overrides;
  definition: FlowDefinition;
}

const bodyOf = ({ request, counter, definition }: Scenario): Body => ({
  amount: request.amount,
  currency: request.currency,
  country: request.country,
  customer_id: request.customerId,
  metadata: request.metadata,
  payment_method: request.paymentMethod,
  at_counter: counter,
  overrides: {},
  definition,
});

/** The body with the change's field set by its path, as a caller would do it. */
function withChange(body: Body, { field, to }: Change): Body {
  const keys = field.split(/[.[\]]+/).filter((key) => key !== '');
  const copy = structuredClone(body) as unknown as Record<string, unknown>;
  let target = copy;
  for (const key of keys.slice(0, -1)) target = (target[key] ??= {}) as Record<string, unknown>;
  if (to === undefined) delete target[keys.at(-1)!];
  else target[keys.at(-1)!] = to;
  return copy as unknown as Body;
}

const scenarioOf = (body: Body, original: Scenario): PreparedScenario =>
  prepare(
    withOverrides<Scenario>(
      {
        ...original,
        definition: body.definition,
        counter: body.at_counter,
        request: {
          amount: body.amount,
          currency: body.currency,
          country: body.country,
          customerId: body.customer_id,
          metadata: body.metadata,
          paymentMethod: body.payment_method,
        },
      },
      body.overrides,
    ),
  );

const smallestChange = (scenario: PreparedScenario, shopId: number): Change | null =>
  resultOf(new SmallestChanges(scenario).find(shopId));

const scenarios = anySituation.map(scenarioIn);

/** Its only rule refuses every payment that shop 1 does not take, and that is every payment. */
const refusing = (otherwise: RuleUse): FlowDefinition => ({
  strategy: 'rules',
  shops: [aMember(1, { enabled: false }), aMember(2)],
  rules: [{ when: {}, use: { shops: [1], strategy: 'priority' }, otherwise: 'refuse' }],
  default: otherwise,
});

describe('the smallest change', () => {
  it('changes the pick, for any flow', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const picked = decideScenario(scenario).shop?.shop.id;
        for (const { shop } of scenario.flow.shops) {
          if (shop.id === picked) continue;
          const change = smallestChange(scenario, shop.id);
          if (!change) continue;
          kinds.add(change.field.replaceAll(/\d+/g, 'n'));
          const flipped = decideScenario(scenarioOf(withChange(bodyOf(scenario), change), scenario)).shop?.shop.id;
          expect([change, flipped]).toEqual([change, shop.id]);
        }
      }),
      { numRuns: runs(200) },
    );
    // the frequent kinds of change occur; the others have their own tests below
    expect([...kinds]).toEqual(expect.arrayContaining(['amount', 'at_counter', 'overrides.shops.n.enabled']));
  });

  it('exists for every shop that may take the request, except under success_rate', () => {
    fc.assert(
      fc.property(scenarios, (scenario) => {
        const { chosen, usesCounter } = candidatesFor(scenario.flow, scenario.request, scenario.statsByShop);
        if (!chosen || !usesCounter || !['round_robin', 'weighted'].includes(chosen.route.strategy)) return;
        if ([...scenario.statsByShop.values()].some(({ health }) => health === 'probing')) return;
        const picked = decideScenario(scenario).shop;
        for (const shop of chosen.pool.shops) {
          if (shop !== picked) expect(smallestChange(scenario, shop.shop.id)?.field).toBe('at_counter');
        }
      }),
      { numRuns: runs(100) },
    );
  });

  const aScenario = (definition: FlowDefinition, changes: Partial<Scenario> = {}): PreparedScenario =>
    prepare({
      definition,
      version: 1,
      shops: summariesOf(definition),
      statsByShop: new Map(),
      request: { amount: 100, currency: 'USD' },
      counter: 0,
      draw: 0.5,
      ...changes,
    });

  it('waits for the next pick of a shop that may take the request', () => {
    const scenario = aScenario({ strategy: 'weighted', shops: [aMember(1, { weight: 3 }), aMember(2)] });
    expect(smallestChange(scenario, 2)).toEqual({ field: 'at_counter', from: 0, to: 2 });
  });

  it('raises the weight for a customer only as much as necessary', () => {
    const request = { amount: 100, currency: 'USD', customerId: 7 };
    const scenario = aScenario({ strategy: 'sticky', shops: [aMember(1), aMember(2)] }, { request });
    const loser = decideScenario(scenario).shop!.shop.id === 1 ? 2 : 1;
    const change = smallestChange(scenario, loser)!;
    expect(change).toMatchObject({ field: `overrides.shops.${loser}.weight`, from: 1 });
    const less = withOverrides(scenario, { shops: { [loser]: { weight: Number(change.to) - 1 } } });
    expect(decideScenario(prepare(less)).shop!.shop.id).not.toBe(loser);
  });

  const tiers = (from: number, to: number): FlowShop[] =>
    Array.from({ length: to - from }, (_, index) => aMember(from + index, { priority: from + index }));

  it.each<[string, FlowDefinition, Change]>([
    [
      'enables the shop',
      { strategy: 'priority', shops: [aMember(1), aMember(2, { priority: 0, enabled: false })] },
      { field: 'overrides.shops.2.enabled', from: false, to: true },
    ],
    [
      'uses the nearest amount that the shop takes',
      { strategy: 'priority', shops: [aMember(1), aMember(2, { priority: 0, conditions: { min_amount: 100.5 } })] },
      { field: 'amount', from: 100, to: 100.5 },
    ],
    [
      'uses a currency that the shop takes',
      { strategy: 'priority', shops: [aMember(1), aMember(2, { priority: 0, conditions: { currencies: ['EUR'] } })] },
      { field: 'currency', from: 'USD', to: 'EUR' },
    ],
    [
      "raises the shop's priority",
      { strategy: 'priority', shops: [aMember(1), aMember(2, { priority: 2 })] },
      { field: 'definition.shops[1].priority', from: 2, to: 0 },
    ],
    [
      'raises the priority only as much as necessary',
      {
        strategy: 'priority',
        shops: [aMember(1, { priority: 5 }), aMember(2, { priority: 99 }), ...tiers(10, 20)],
      },
      { field: 'definition.shops[1].priority', from: 99, to: 4 },
    ],
    [
      'uses a country that the rule does not exclude',
      {
        strategy: 'rules',
        shops: [aMember(1), aMember(2)],
        rules: [{ when: { country: { exists: true, not: ['US', 'DE'] } }, use: { shops: [2], strategy: 'weighted' } }],
        default: { shops: [1], strategy: 'weighted' },
      },
      { field: 'country', from: undefined, to: 'FR' },
    ],
    [
      'uses any value where a rule only requires one',
      {
        strategy: 'rules',
        shops: [aMember(1), aMember(2)],
        rules: [{ when: { 'metadata.voucher': { exists: true } }, use: { shops: [2], strategy: 'weighted' } }],
        default: { shops: [1], strategy: 'weighted' },
      },
      { field: 'metadata.voucher', from: undefined, to: 'something else' },
    ],
    [
      'tries the rule that names the shop before the others',
      {
        strategy: 'rules',
        shops: [aMember(1), aMember(2)],
        rules: [
          {
            when: { customer_id: { in: Array.from({ length: 200 }, (_, index) => index + 1) } },
            use: { shops: [1], strategy: 'weighted' },
          },
          { when: { customer_id: { equals: 300 } }, use: { shops: [2], strategy: 'weighted' } },
        ],
        default: { shops: [1], strategy: 'weighted' },
      },
      { field: 'customer_id', from: undefined, to: 300 },
    ],
    [
      'meets the rule that names the shop',
      {
        strategy: 'rules',
        shops: [aMember(1), aMember(2)],
        rules: [{ when: { 'metadata.order.tier': { in: ['gold'] } }, use: { shops: [2], strategy: 'weighted' } }],
        default: { shops: [1], strategy: 'weighted' },
      },
      { field: 'metadata.order.tier', from: undefined, to: 'gold' },
    ],
    [
      'adds the shop to a rule',
      {
        strategy: 'rules',
        shops: [aMember(1, { priority: 2 }), aMember(2)],
        rules: [{ when: { currency: { equals: 'EUR' } }, use: { shops: [1], strategy: 'priority' } }],
        default: { shops: [1], strategy: 'priority' },
      },
      { field: 'definition.default.shops', from: [1], to: [1, 2] },
    ],
    [
      'adds the shop to a rule that refuses',
      refusing({ shops: [1], strategy: 'priority' }),
      { field: 'definition.rules[0].use.shops', from: [1], to: [1, 2] },
    ],
    [
      'lets the next rule have what a rule refuses',
      refusing({ shops: [2], strategy: 'priority' }),
      { field: 'definition.rules[0].otherwise', from: 'refuse', to: 'next' },
    ],
  ])('%s', (_, definition, change) => {
    expect(smallestChange(aScenario(definition), 2)).toEqual(change);
  });

  it('names the account of a shop that has no payment method', () => {
    const options = [{ provider: 'sandbox', account: 'eu' }];
    const request = { amount: 100, currency: 'USD', paymentMethod: { options } };
    const flow: FlowDefinition = { strategy: 'priority', shops: [aMember(1, { priority: 2 }), aMember(2)] };
    const added = { provider: 'sandbox', account: 'default' };
    expect(smallestChange(aScenario(flow, { request }), 2)).toEqual({
      field: 'payment_method.options',
      from: options,
      to: [...options, added],
    });
    const ten = Array.from({ length: 10 }, (_, index) => ({ provider: 'other', account: `a${index}` }));
    const full = { ...request, paymentMethod: { options: ten } };
    expect(smallestChange(aScenario(flow, { request: full }), 2)).toBeNull();
  });

  it('uses a currency that the provider accepts', () => {
    const request = { amount: 100, currency: 'JPY' };
    const flow: FlowDefinition = { strategy: 'priority', shops: [aMember(1), aMember(3, { priority: 0 })] };
    expect(smallestChange(aScenario(flow, { request }), 3)).toEqual({ field: 'currency', from: 'JPY', to: 'USD' });
  });

  it('uses a type of payment method that the provider takes', () => {
    const request = { amount: 100, currency: 'USD', paymentMethod: { type: 'paypal' } };
    const flow: FlowDefinition = { strategy: 'priority', shops: [aMember(1), aMember(41, { priority: 0 })] };
    const change = { field: 'payment_method.type', from: 'paypal', to: 'card' };
    expect(smallestChange(aScenario(flow, { request }), 41)).toEqual(change);
  });

  it('uses a fact about the card that the rule wants', () => {
    const scenario = aScenario({
      strategy: 'rules',
      shops: [aMember(1), aMember(2)],
      rules: [{ when: { 'card.bin': { starts_with: ['51', '4111'] } }, use: { shops: [2], strategy: 'weighted' } }],
      default: { shops: [1], strategy: 'weighted' },
    });
    const change = { field: 'payment_method.card.bin', from: undefined, to: '514444' };
    expect(smallestChange(scenario, 2)).toEqual(change);
  });

  it('uses a kind of card with outcomes that the shop approves', () => {
    const cells = [1, 2, 3].flatMap((shopId) => [
      { shopId, values: [], approved: 1_000, others: 1_000 },
      { shopId, values: ['visa'], approved: 900, others: 100 },
      { shopId, values: ['maestro'], approved: shopId === 2 ? 90 : 10, others: shopId === 2 ? 10 : 90 },
    ]);
    const by = ['card.scheme'] as const;
    const flow: FlowDefinition = {
      strategy: 'success_rate',
      success_rate: { by: [...by] },
      shops: [aMember(1), aMember(2), aMember(3)],
    };
    const stats = { declined: 0, failed: 0, health: 'healthy' } as const;
    const statsByShop = new Map([
      [1, { ...stats, approved: 900 }],
      [2, { ...stats, approved: 100, declined: 800 }],
      [3, { ...stats, approved: 900 }],
    ]);
    const segments = new ReadSegments([[by, new SegmentRates(cells, 1)]]);
    const scenario = aScenario(flow, { statsByShop, segments, draw: 0.5 });
    const change = { field: 'payment_method.card.scheme', from: undefined, to: 'maestro' };
    expect(smallestChange(scenario, 2)).toEqual(change);
  });

  it('equals null if two changes are necessary', () => {
    const conditions = { currencies: ['EUR'], min_amount: 500 };
    const scenario = aScenario({ strategy: 'priority', shops: [aMember(1), aMember(2, { conditions })] });
    expect(smallestChange(scenario, 2)).toBeNull();
    expect(smallestChange(scenario, 99)).toBeNull();
  });

  it('appears in the explanation of every shop that is not picked', () => {
    const { shops } = resultOf(explain(aScenario({ strategy: 'round_robin', shops: [aMember(1), aMember(2)] })));
    const tests = expect.objectContaining({ disabled: 'passed', unhealthy: 'passed' });
    expect(shops).toEqual([
      { shop_id: 1, picked: true, tests },
      { shop_id: 2, picked: false, tests, smallest_change: { field: 'at_counter', from: 0, to: 1 } },
    ]);
  });

  it('leaves lists and values next to a field unchanged', () => {
    const definition: FlowDefinition = {
      strategy: 'rules',
      shops: [aMember(1), aMember(2)],
      rules: [{ when: { 'metadata.tags.0': { equals: 'vip' } }, use: { shops: [2], strategy: 'weighted' } }],
      default: { shops: [1], strategy: 'weighted' },
    };
    const changeWith = (tags: unknown) =>
      smallestChange(aScenario(definition, { request: { amount: 100, currency: 'USD', metadata: { tags } } }), 2);
    expect(changeWith(['new', 'big'])).toEqual({ field: 'metadata.tags.0', from: 'new', to: 'vip' });
    for (const tags of [[], 'none', null]) expect(changeWith(tags)?.field).not.toBe('metadata.tags.0');
  });

  it('uses only counters that a simulation accepts', () => {
    const counter = 2 ** 53 - 2_000;
    const definition: FlowDefinition = { strategy: 'round_robin', shops: [aMember(1), aMember(2)] };
    const other = decideScenario(aScenario(definition, { counter })).shop!.shop.id === 1 ? 2 : 1;
    expect(smallestChange(aScenario(definition, { counter }), other)?.field).toBe(
      `overrides.shops.${3 - other}.enabled`,
    );
  });

  const three = Array.from({ length: 300 }, (_, index) => aMember(index + 1, { weight: index + 1, priority: index }));
  const long = (country: string): Condition => ({
    any: Array.from({ length: 40 }, (_, index) => ({ 'metadata.a': { equals: index }, amount: { min: index } })),
    country: { equals: country },
  });
  const rules = ['DE', 'FR', 'AT', 'CH', 'IT', 'ES', 'NL', 'BE', 'SE', 'NO'].flatMap((country, index) =>
    [0, 1, 2, 3].map((part): Rule => ({
      when: { ...long(country), customer_id: { not: part + 1 } },
      use: { shops: [index * 4 + part + 1], strategy: 'weighted' },
    })),
  );

  it('appears for three hundred shops and long rules while other work runs', () => {
    const definition: FlowDefinition = {
      strategy: 'rules',
      shops: three,
      rules,
      default: { shops: [1], strategy: 'weighted' },
    };
    const request = { amount: 100, currency: 'USD', customerId: 7 };
    let turns = 0;
    const steps = explain(aScenario(definition, { request }));
    let step = steps.next();
    for (; !step.done; turns++) step = steps.next();
    expect(step.value.shops).toHaveLength(300);
    expect(turns).toBeGreaterThan(100);
  });
});
