import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, anyDefinition, anyRequest, load, statsOf } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { generator } from '../statistics/random.js';
import type { ShopHealth, ShopStats } from '../facts/shop.js';
import type { RoutingRequest } from '../definition/condition.js';
import { decide, decideAmong } from './decision.js';
import { pickProbabilities } from './pick-probabilities.js';
import type { RoutableFlow } from './routable-flow.js';
import { candidatesFor, type StatsByShop } from './candidates.js';
import type { Segments } from './segments.js';

const aRequest: RoutingRequest = { amount: 100, currency: 'USD' };
const someStats = (approved: number, declined: number, health: ShopHealth = 'healthy'): ShopStats => ({
  approved,
  declined,
  failed: 0,
  health,
});

function probabilitiesByShop(flow: RoutableFlow, request = aRequest, statsByShop: StatsByShop = new Map()) {
  const { shops, probabilities } = pickProbabilities(candidatesFor(flow, request, statsByShop));
  return new Map(shops.map(({ shop }, index) => [shop.id, probabilities[index]!]));
}

/** The share of each shop in many decisions, each with its own counter, random number and customer. */
function shares(flow: RoutableFlow, statsByShop: StatsByShop, count: number, withCustomers: boolean) {
  const random = generator(7);
  const picks = new Map<number, number>();
  for (let counter = 0; counter < count; counter++) {
    const request = withCustomers ? { ...aRequest, customerId: counter + 1 } : aRequest;
    const id = decide(flow, request, { counter, statsByShop, random }).shop!.shop.id;
    picks.set(id, (picks.get(id) ?? 0) + 1 / count);
  }
  return picks;
}

describe('pick probabilities', () => {
  const shops = [
    aMember(1, { weight: 3 }),
    aMember(2, { weight: 1 }),
    aMember(3, { weight: 2, priority: 2 }),
    aMember(4, { enabled: false }),
  ];
  const rates = [1, 2, 3].map((id) => [id, someStats(10 + 4 * id, 5)] as const);

  it.each(['round_robin', 'weighted', 'priority', 'sticky', 'success_rate', 'lowest_cost'] as const)(
    'equal the observed shares of %s',
    (strategy) => {
      const flow = load({ strategy, shops });
      const expected = probabilitiesByShop(flow, aRequest, new Map(rates));
      for (const [id, share] of shares(flow, new Map(rates), 6_000, strategy === 'sticky')) {
        expect(Math.abs(share - expected.get(id)!)).toBeLessThan(0.02);
      }
    },
  );

  it('equal the observed shares of success_rate by segments, of which a recovering shop has a tenth', () => {
    const flow = load({ strategy: 'success_rate', success_rate: { by: ['country'] }, shops });
    const statsByShop = new Map([...rates, [1, someStats(14, 5, 'probing')] as const]);
    const segments: Segments = {
      rateOf: (_, values, id) => ({ level: values.length, approved: id, others: 5, shape: [20.5 - id, 5.5] }),
      valuesOf: () => [],
    };
    const candidates = candidatesFor(flow, { ...aRequest, country: 'DE' }, statsByShop, segments);
    const expected = pickProbabilities(candidates);
    const random = generator(7);
    const picks = new Map<number, number>();
    for (let decision = 0; decision < 6_000; decision++) {
      const { id } = decideAmong(candidates, { counter: 0, random }).shop!.shop;
      picks.set(id, (picks.get(id) ?? 0) + 1 / 6_000);
    }
    expected.shops.forEach(({ shop }, index) => {
      expect(Math.abs(picks.get(shop.id)! - expected.probabilities[index]!)).toBeLessThan(0.03);
    });
  });

  it.each(['round_robin', 'weighted', 'sticky', 'success_rate', 'lowest_cost'] as const)(
    'leave a recovering shop a tenth under %s, and the others the remaining share',
    (strategy) => {
      const flow = load({ strategy, shops });
      const statsByShop = new Map([...rates, [1, someStats(14, 5, 'probing')] as const]);
      const expected = probabilitiesByShop(flow, aRequest, statsByShop);
      for (const [id, share] of shares(flow, statsByShop, 6_000, strategy === 'sticky')) {
        expect(Math.abs(share - expected.get(id)!)).toBeLessThan(0.03);
      }
    },
  );

  it.each(['round_robin', 'weighted', 'priority'] as const)(
    'equal the observed shares when every second shop is recovering under %s',
    (strategy) => {
      const flow = load({ strategy, shops: [1, 2, 3, 4].map((id) => aMember(id)) });
      const statsByShop = new Map([2, 4].map((id) => [id, someStats(0, 0, 'probing')] as const));
      const picked = shares(flow, statsByShop, 6_000, false);
      for (const [id, share] of probabilitiesByShop(flow, aRequest, statsByShop)) {
        expect([id, Math.abs(share - picked.get(id)!) < 0.03]).toEqual([id, true]);
      }
    },
  );

  it('appear in the stored decision, in six digits', () => {
    const state = { counter: 0, statsByShop: new Map(), random: () => 0 };
    const flow = load({ strategy: 'round_robin', shops: [aMember(1), aMember(2), aMember(3)] });
    expect(decide(flow, aRequest, state).trace).toMatchObject({ picked: 1, probability: 0.333333 });
  });

  it('stay empty if no shop takes the request', () => {
    const flow = load({ strategy: 'weighted', shops: [aMember(1, { enabled: false })] });
    expect(probabilitiesByShop(flow)).toEqual(new Map());
    expect(decide(flow, aRequest, { counter: 0, statsByShop: new Map(), random: () => 0 }).trace).not.toHaveProperty(
      'probability',
    );
  });

  it('cover the eligible shops, add up to 1, and include 0 for shops that are never picked', () => {
    const situations = anyDefinition.chain((definition) =>
      fc.record({
        definition: fc.constant(definition),
        statsByShop: statsOf(definition),
        request: anyRequest,
        counter: fc.nat(10_000),
        draw: fc.double({ min: 0, max: 0.999, noNaN: true }),
      }),
    );
    fc.assert(
      fc.property(situations, ({ definition, statsByShop, request, counter, draw }) => {
        const flow = load(definition);
        const { shop, trace } = decide(flow, request, { counter, statsByShop, random: () => draw });
        const expected = probabilitiesByShop(flow, request, statsByShop);
        expect(expected.size > 0).toBe(shop !== undefined);
        if (!shop) return;
        expect([...expected.values()].reduce((one, other) => one + other)).toBeCloseTo(1, 9);
        expect(expected.get(shop.shop.id)).toBeGreaterThan(0);
        expect(trace.probability).toBeCloseTo(expected.get(shop.shop.id)!, 5);
      }),
      { numRuns: runs(150) },
    );
  });
});
