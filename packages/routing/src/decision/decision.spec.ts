import { describe, expect, it } from '@jest/globals';
import { aMember, load, stateAt as state } from '../../../../test/support/fuzz/flow-arbitraries.js';
import type { ShopStats } from '../facts/shop.js';
import { predicateOf, type RoutingRequest } from '../definition/condition.js';
import { decide } from './decision.js';
import type { FlowDefinition, FlowShop } from '../definition/definition.js';
import { type RoutableFlow, routableFlow } from './routable-flow.js';

const aRequest: RoutingRequest = { amount: 100, currency: 'USD' };

const flowOf = (strategy: FlowDefinition['strategy'], ...shops: FlowShop[]): RoutableFlow => load({ strategy, shops });
const picks = (flow: RoutableFlow, count: number, request = aRequest) =>
  Array.from({ length: count }, (_, counter) => decide(flow, request, state(counter)).shop?.shop.id);
const ids = (shops: readonly { shop: { id: number } }[]): number[] => shops.map(({ shop }) => shop.id);

const someStats = (changes: Partial<ShopStats>): ShopStats => ({
  approved: 0,
  declined: 0,
  failed: 0,
  health: 'healthy',
  ...changes,
});

describe('round_robin', () => {
  it('uses the shops by priority, then shop id', () => {
    const shops = [aMember(7), aMember(3, { priority: 2 }), aMember(5), aMember(9, { priority: 0 })];
    expect(picks(flowOf('round_robin', ...shops), 5)).toEqual([9, 5, 7, 3, 9]);
  });

  it('skips shops that do not take the request', () => {
    const shops = [aMember(1), aMember(2, { enabled: false }), aMember(3, { conditions: { currencies: ['EUR'] } })];
    const flow = flowOf('round_robin', ...shops);
    expect(picks(flow, 3)).toEqual([1, 1, 1]);
    expect(picks(flow, 4, { ...aRequest, currency: 'EUR' })).toEqual([1, 3, 1, 3]);
  });

  it('skips a shop that is disabled as a whole', () => {
    expect(picks(load({ strategy: 'round_robin', shops: [aMember(1), aMember(2)] }, [1]), 2)).toEqual([2, 2]);
  });

  it('picks no shop if none takes the request', () => {
    expect(picks(flowOf('round_robin', aMember(1, { enabled: false })), 1)).toEqual([undefined]);
  });

  it('spreads the picks of a failing shop over all others', () => {
    const flow = flowOf('round_robin', aMember(1), aMember(2), aMember(3), aMember(4));
    const replacements = [0, 4, 8].map((counter) => decide(flow, aRequest, state(counter)).fallbacks);
    expect(replacements.map(ids)).toEqual([
      [2, 3, 4],
      [3, 4, 2],
      [4, 2, 3],
    ]);
  });
});

describe('weighted', () => {
  it('replaces a failing shop by the others, by their weights', () => {
    const flow = flowOf('weighted', aMember(1, { weight: 4 }), aMember(2, { weight: 2 }), aMember(3, { weight: 1 }));
    const counts = new Map<number, number>();
    for (let counter = 0; counter < 7 * 3; counter++) {
      const { shop, fallbacks } = decide(flow, aRequest, state(counter));
      expect(fallbacks).toHaveLength(2);
      if (shop!.shop.id === 1) counts.set(fallbacks[0]!.shop.id, (counts.get(fallbacks[0]!.shop.id) ?? 0) + 1);
    }
    expect(counts).toEqual(
      new Map([
        [2, 8],
        [3, 4],
      ]),
    );
  });

  it('returns at most nine fallbacks', () => {
    const shops = Array.from({ length: 20 }, (_, index) => aMember(index + 1));
    for (const strategy of ['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'] as const) {
      expect(decide(flowOf(strategy, ...shops), aRequest, state(0)).fallbacks).toHaveLength(9);
    }
  });
});

describe('priority', () => {
  const flow = flowOf(
    'priority',
    aMember(1, { priority: 2 }),
    aMember(2, { priority: 1 }),
    aMember(3, { priority: 1 }),
    aMember(4, { priority: 0, conditions: { currencies: ['EUR'] } }),
  );

  it('alternates between the shops with the lowest number', () => {
    expect(picks(flow, 4)).toEqual([2, 3, 2, 3]);
    expect(picks(flow, 2, { ...aRequest, currency: 'EUR' })).toEqual([4, 4]);
  });

  it('falls back to shops with the same number first', () => {
    expect(ids(decide(flow, aRequest, state(1)).fallbacks)).toEqual([2, 1]);
  });
});

describe('rules', () => {
  const flow = load({
    strategy: 'rules',
    shops: [aMember(1), aMember(2, { conditions: { currencies: ['EUR'] } }), aMember(3)],
    rules: [
      { when: { amount: { min: 50 } }, use: { shops: [2], strategy: 'round_robin' } },
      { when: { 'metadata.vip': { equals: true } }, use: { shops: [1], strategy: 'priority' } },
    ],
    default: { shops: [3], strategy: 'weighted' },
  });

  it('use the first rule that matches and has a shop', () => {
    const metadata = { vip: true };
    expect(picks(flow, 1, { ...aRequest, currency: 'EUR', metadata })).toEqual([2]);
    expect(picks(flow, 1, { ...aRequest, metadata })).toEqual([1]);
    expect(picks(flow, 1)).toEqual([3]);
  });

  it('record the deciding rule, and the shops that it does not name', () => {
    expect(decide(flow, { ...aRequest, metadata: { vip: true } }, state(0)).trace).toMatchObject({
      rule: 1,
      failed: { 2: ['currency', 'rule'], 3: ['rule'] },
      reasoning: { by: 'priority' },
    });
    expect(decide(flow, aRequest, state(0)).trace.rule).toBe('default');
  });

  it('skip a rule without a healthy shop', () => {
    const statsByShop = new Map([[1, someStats({ health: 'unhealthy' })]]);
    const { shop } = decide(flow, { ...aRequest, metadata: { vip: true } }, state(0, 0, statsByShop));
    expect(shop!.shop.id).toBe(3);
  });
});

describe('rules that decline', () => {
  const declined = { code: 'blocked', message: 'Not here.' };
  const flow = load({
    strategy: 'rules',
    shops: [aMember(1), aMember(2, { conditions: { currencies: ['EUR'] } })],
    rules: [
      { when: { 'metadata.vip': { equals: true } }, use: { shops: [2], strategy: 'round_robin' } },
      { when: { country: { equals: 'FR' } }, decline: declined },
      { when: { country: { exists: true } }, use: { shops: [1], strategy: 'round_robin' } },
    ],
    default: { shops: [1], strategy: 'round_robin' },
  });
  const french: RoutingRequest = { ...aRequest, country: 'FR' };

  it('end the search: no shop is picked, and the trace names the rule', () => {
    const decision = decide(flow, french, state(7));
    expect(decision).toMatchObject({ shop: undefined, declined, fallbacks: [], usesCounter: false });
    expect(decision.trace).toEqual({
      flow_version: 1,
      strategy: 'rules',
      rule: 1,
      shops: [1, 2],
      failed: { 1: ['rule'], 2: ['currency', 'rule'] },
      picked: null,
      declined,
      fallbacks: [],
    });
    expect(decide(flow, aRequest, state(7))).toMatchObject({ declined: undefined, usesCounter: true });
  });

  it('leave payments to the rules before them that have a healthy shop', () => {
    const vip = { ...french, currency: 'EUR', metadata: { vip: true } };
    expect(decide(flow, vip, state(0)).shop!.shop.id).toBe(2);
    const statsByShop = new Map([[2, someStats({ health: 'unhealthy' })]]);
    expect(decide(flow, vip, state(0, 0, statsByShop)).declined).toEqual(declined);
    // without the rule, the unhealthy shop would get it
    expect(decide(flow, { ...vip, country: 'DE' }, state(0, 0, statsByShop)).shop!.shop.id).toBe(1);
  });
});

describe('rules that refuse', () => {
  const flow = (otherwise?: 'refuse', firstShop: Partial<FlowShop> = {}) =>
    load({
      strategy: 'rules',
      shops: [aMember(1, firstShop), aMember(2), aMember(3)],
      rules: [
        { when: { amount: { min: 500 } }, use: { shops: [2], strategy: 'priority' } },
        {
          when: { country: { equals: 'GB' } },
          use: { shops: [1], strategy: 'priority' },
          ...(otherwise && { otherwise }),
        },
        { when: { country: { exists: true } }, decline: { code: 'blocked' } },
      ],
      default: { shops: [3], strategy: 'priority' },
    });
  const british: RoutingRequest = { ...aRequest, country: 'GB' };
  const unhealthy = (...ids: number[]) =>
    new Map(ids.map((id) => [id, someStats({ failed: 9, health: 'unhealthy' as const })]));
  const decided = (of: RoutableFlow, request: RoutingRequest, statsByShop?: Map<number, ShopStats>) => {
    const { trace, usesCounter } = decide(of, request, state(0, 0, statsByShop));
    expect(usesCounter).toBe(trace.picked !== null);
    const {
      rule,
      picked,
      refused,
      passed_over: passedOver,
      declined,
      least_bad: fallbackToUnhealthy,
      fallbacks,
    } = trace;
    return { rule, picked, refused, passedOver, declined: declined?.code, fallbackToUnhealthy, fallbacks };
  };

  it.each([
    ['its shop takes it', flow('refuse'), british, {}, { rule: 1, picked: 1 }],
    ['its shop is disabled', flow('refuse', { enabled: false }), british, {}, { rule: 1, picked: null, refused: true }],
    [
      'and another rule comes first',
      flow('refuse', { enabled: false }),
      { ...british, amount: 900 },
      {},
      { rule: 0, picked: 2 },
    ],
    ['its shop is unhealthy', flow('refuse'), british, unhealthy(1), { rule: 1, picked: 1, fallbackToUnhealthy: true }],
    [
      'an unhealthy shop of a rule before it comes before a refusal',
      flow('refuse', { enabled: false }),
      { ...british, amount: 900 },
      unhealthy(2),
      { rule: 0, picked: 2, fallbackToUnhealthy: true },
    ],
    ['it does not match', flow('refuse', { enabled: false }), aRequest, {}, { rule: 'default', picked: 3 }],
    [
      'a rule that lets the next one have it is passed over',
      flow(undefined, { enabled: false }),
      british,
      {},
      { rule: 2, picked: null, passedOver: [1], declined: 'blocked' },
    ],
  ] as const)('end the search: %s', (_, of, request, stats, wanted) => {
    const given = stats instanceof Map ? stats : undefined;
    expect(decided(of, request, given)).toMatchObject(wanted);
    expect(decided(of, request, given).refused).toBe('refused' in wanted ? true : undefined);
  });

  it('use no shop of another rule as a fallback', () => {
    expect(decided(flow('refuse'), british).fallbacks).toEqual([]);
  });

  it('name the rules that were passed over', () => {
    const { trace } = decide(
      flow(undefined, { enabled: false }),
      { ...british, amount: 900 },
      state(0, 0, unhealthy(2)),
    );
    expect(trace).toMatchObject({ rule: 2, passed_over: [0, 1] });
  });
});

describe('manual capture in a decision', () => {
  const definition = { strategy: 'round_robin', shops: [aMember(1), aMember(2)] } as const;
  const summaries = new Map(
    [1, 2].map((id) => [
      id,
      {
        id,
        name: `Shop ${id}`,
        provider: 'sandbox',
        account: 'default',
        enabled: true,
        ...(id === 2 && { capturesManually: true }),
      },
    ]),
  );
  const decisionOf = (capture: RoutingRequest['capture'], flowMode: FlowDefinition['capture']) => {
    const made = { ...definition, shops: [...definition.shops], ...(flowMode && { capture: flowMode }) };
    return decide(routableFlow(made, summaries), { ...aRequest, ...(capture && { capture }) }, state(0)).trace;
  };

  it.each([
    ['manual', undefined],
    [undefined, 'manual'],
    ['manual', 'automatic'],
  ] as const)('leaves out shops that cannot capture later: %s of the request, %s of the flow', (capture, flowMode) => {
    const expected = { picked: 2, capture: 'manual', failed: { 1: ['capability_missing'] }, fallbacks: [] };
    expect(decisionOf(capture, flowMode)).toMatchObject(expected);
  });

  it.each([
    [undefined, undefined],
    ['automatic', 'manual'],
  ] as const)('records nothing without it: %s of the request, %s of the flow', (capture, flowMode) => {
    const trace = decisionOf(capture, flowMode);
    expect(trace).toMatchObject({ picked: 1, failed: {}, fallbacks: [2] });
    expect(trace).not.toHaveProperty('capture');
  });
});

describe('shop health in a decision', () => {
  it('picks the shop with the lowest failure rate if all are unhealthy', () => {
    const statsByShop = new Map([
      [1, someStats({ approved: 1, failed: 9, health: 'unhealthy' })],
      [2, someStats({ approved: 5, failed: 5, health: 'unhealthy' })],
    ]);
    const { shop, trace } = decide(flowOf('round_robin', aMember(1), aMember(2)), aRequest, state(0, 0, statsByShop));
    expect(shop!.shop.id).toBe(2);
    expect(trace).toMatchObject({ least_bad: true, failed: { 1: ['unhealthy'], 2: ['unhealthy'] } });
  });

  it.each(['round_robin', 'weighted', 'priority', 'sticky'] as const)(
    'leaves a recovering shop one in ten of its picks with %s',
    (strategy) => {
      const flow = flowOf(strategy, aMember(1), aMember(2));
      const statsByShop = new Map([[2, someStats({ health: 'probing' })]]);
      const counters = Array.from({ length: 5_000 }, (_, counter) => counter);
      const withCustomer = (customerId: number) => (strategy === 'sticky' ? { ...aRequest, customerId } : aRequest);
      const picked = counters.map((at) => decide(flow, withCustomer(at + 1), state(at, 0, statsByShop)).shop!.shop.id);
      const share = picked.filter((id) => id === 2).length / picked.length;
      expect(share).toBeGreaterThan(0.04);
      expect(share).toBeLessThan(0.06);
    },
  );

  it('records the recovering shop that was picked first', () => {
    const flow = flowOf('round_robin', aMember(1), aMember(2));
    const statsByShop = new Map([[2, someStats({ health: 'probing' })]]);
    const traces = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19].map(
      (counter) => decide(flow, aRequest, state(counter, 0, statsByShop)).trace,
    );
    for (const { probed, picked, failed } of traces) {
      expect(probed!.shop_id).toBe(2);
      expect(picked).toBe(probed!.let_through ? 2 : 1);
      expect(failed).toEqual(probed!.let_through ? {} : { 2: ['unhealthy'] });
    }
  });

  it('records all recovering shops as passed over together', () => {
    const flow = flowOf('round_robin', aMember(1), aMember(2), aMember(3));
    const statsByShop = new Map([2, 3].map((id) => [id, someStats({ health: 'probing' })]));
    const passedOver = Array.from(
      { length: 60 },
      (_, counter) => decide(flow, aRequest, state(counter, 0, statsByShop)).trace,
    ).filter(({ probed }) => probed?.let_through === false);
    expect(passedOver.length).toBeGreaterThan(20);
    for (const { failed } of passedOver) expect(failed).toEqual({ 2: ['unhealthy'], 3: ['unhealthy'] });
  });

  it('leaves a recovering shop all payments that no other shop takes', () => {
    const statsByShop = new Map([[1, someStats({ health: 'probing' })]]);
    const flow = flowOf('round_robin', aMember(1));
    for (let counter = 0; counter < 30; counter++) {
      expect(decide(flow, aRequest, state(counter, 0, statsByShop)).shop!.shop.id).toBe(1);
    }
  });
});

it('ignores inherited properties of metadata', () => {
  const paths = ['__proto__', 'constructor', 'toString', 'order.constructor.name', 'list.length', 'list.map'];
  const metadata = { order: {}, list: ['one'] };
  for (const path of paths) {
    expect(predicateOf({ [`metadata.${path}`]: { exists: true } })({ ...aRequest, metadata })).toBe(false);
  }
  expect(predicateOf({ 'metadata.list.0': { equals: 'one' } })({ ...aRequest, metadata })).toBe(true);
});

it('refuses to route to a shop that was not loaded', () => {
  expect(() => routableFlow({ strategy: 'round_robin', shops: [aMember(4)] }, new Map())).toThrow(/shop 4/);
});
