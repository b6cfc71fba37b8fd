import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, anyDraw, load, summariesOf } from '../../../../test/support/fuzz/flow-arbitraries.js';
import type { ShopStats } from '../facts/shop.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { FlowDefinition } from '../definition/definition.js';
import type { FeeEntry } from '../facts/fees.js';
import { decide } from '../decision/decision.js';
import { pickProbabilities } from '../decision/pick-probabilities.js';
import { type RoutableFlow, routableFlow } from '../decision/routable-flow.js';
import { candidatesFor, type StatsByShop } from '../decision/candidates.js';
import { sampleBeta } from './success-rate.js';
import { generator } from '../statistics/random.js';

const someStats = (approved: number, declined: number, failed = 0): ShopStats => ({
  approved,
  declined,
  failed,
  health: 'healthy',
});
const decideWith = (stats: ShopStats[], draw: number, fields: Partial<RoutingRequest> = {}) => {
  const shops = stats.map((_, index) => aMember(index + 1));
  const statsByShop = new Map(stats.map((each, index) => [index + 1, each]));
  const state = { counter: 0, statsByShop, random: () => draw };
  return decide(load({ strategy: 'success_rate', shops }), { amount: 1, currency: 'USD', ...fields }, state);
};
/** With random numbers at equal distances, so that the shares of exploration are exact. */
function sharesOf(stats: ShopStats[], count = 1_000, fields: Partial<RoutingRequest> = {}): number[] {
  const picks = stats.map(() => 0);
  for (let each = 0; each < count; each++) {
    picks[decideWith(stats, (each + 0.5) / count, fields).shop!.shop.id - 1]! += 1 / count;
  }
  return picks;
}

describe('success_rate', () => {
  it('makes the same decision from the same random number and outcomes', () => {
    const outcomes = fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 200 }), fc.nat({ max: 20 }));
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 1, maxLength: 8 }), anyDraw, (counts, draw) => {
        const stats = counts.map((each) => someStats(...each));
        expect(decideWith(stats, draw).trace).toEqual(decideWith(stats, draw).trace);
      }),
    );
  });

  it('prefers the shop that approves more, and still explores the other', () => {
    const [better, worse] = sharesOf([someStats(900, 100), someStats(500, 500)]);
    expect(better).toBeGreaterThan(0.95);
    expect(worse).toBeGreaterThan(0.01); // a minimum share of 2 %
  });

  it('counts failures of the shop like declines', () => {
    const [better, worse] = sharesOf([someStats(900, 100), someStats(900, 0, 900)]);
    expect(better! / worse!).toBeGreaterThan(20);
  });

  describe('with an account that lacked the payment methods of all its payments', () => {
    const lacking = { ...someStats(0, 0), unusable: 200 };

    it('sends it hardly any payment with a token whose account is not named', () => {
      const [better, worse] = sharesOf([someStats(150, 50), lacking], 1_000, { hasBareToken: true });
      expect(better).toBeGreaterThan(0.95);
      expect(worse).toBeGreaterThan(0.01);
    });

    it('judges it only by its approvals and declines for other payments', () => {
      expect(sharesOf([someStats(0, 0), lacking])).toEqual(sharesOf([someStats(0, 0), someStats(0, 0)]));
    });

    it('records the counts that it used, and so a backtest finds the same pick', () => {
      const { trace } = decideWith([lacking, someStats(3, 1)], 0.5, { hasBareToken: true });
      expect(trace.reasoning).toMatchObject({
        sampled: expect.arrayContaining([[1, 0, 200, 0, expect.any(Number)]]) as unknown,
      });
      const recorded = decideWith([someStats(0, 200), someStats(3, 1)], 0.5);
      expect(recorded.trace).toEqual(trace);
    });
  });

  it('shares evenly among shops without outcomes', () => {
    for (const share of sharesOf([someStats(0, 0), someStats(0, 0), someStats(0, 0)], 4_000)) {
      expect(Math.abs(share - 1 / 3)).toBeLessThan(0.02);
    }
  });

  it('spends at most a fifth of the payments on exploration', () => {
    const stats = Array.from({ length: 100 }, () => someStats(0, 100));
    const [best] = sharesOf([someStats(100, 0), ...stats], 200);
    expect(best).toBeGreaterThan(0.75);
  });

  it('records the samples, best first, and whether it explored', () => {
    const { trace, shop } = decideWith([someStats(90, 10), someStats(10, 90)], 0.7);
    expect(shop!.shop.id).toBe(1);
    expect(trace.reasoning).toEqual({
      by: 'success_rate',
      draw: 0.7,
      floor: 0.02,
      explored: false,
      sampled: [
        [1, 90, 10, 0, expect.any(Number)],
        [2, 10, 90, 0, expect.any(Number)],
      ],
    });
    expect(decideWith([someStats(90, 10), someStats(10, 90)], 0.03)).toMatchObject({
      shop: { shop: { id: 2 } },
      trace: { reasoning: { explored: true }, fallbacks: [1] },
    });
  });
});

describe('success_rate with the objective margin', () => {
  const definition: FlowDefinition = {
    strategy: 'success_rate',
    success_rate: { objective: 'margin' },
    shops: [aMember(1), aMember(2)],
  };
  /** A flow over two shops with these fees, both with the same outcomes. */
  const flowWith = (one: FeeEntry[], other: FeeEntry[]) => {
    const shops = [...summariesOf(definition)].map(
      ([id, shop]) => [id, { ...shop, fees: id === 1 ? one : other }] as const,
    );
    return routableFlow(definition, new Map(shops), 1);
  };
  const percent = (value: number): FeeEntry[] => [{ percent: value, fixed: 0 }];
  const statsByShop = new Map([1, 2].map((id) => [id, someStats(900, 100)]));
  const aRequest = { amount: 100, currency: 'USD' };
  const decideAt = (flow: RoutableFlow, draw: number, stats: StatsByShop = statsByShop) =>
    decide(flow, aRequest, { counter: 0, statsByShop: stats, random: () => draw });

  it('prefers the cheaper one of two shops that approve as much, as often as the probabilities say', () => {
    const flow = flowWith(percent(1), percent(3));
    const draw = generator(5);
    const decisions = Array.from({ length: 4_000 }, () => decideAt(flow, draw()));
    const share = decisions.filter(({ shop }) => shop!.shop.id === 1).length / decisions.length;
    const { probabilities } = pickProbabilities(candidatesFor(flow, aRequest, statsByShop));
    expect(share).toBeGreaterThan(0.85);
    expect(Math.abs(share - probabilities[0]!)).toBeLessThan(0.02);
    for (const { trace } of decisions.slice(0, 20)) {
      const { picked, probability } = trace;
      expect(probability).toBeCloseTo(probabilities[picked! - 1]!, 5);
    }
  });

  it('prefers a dearer shop that approves much more', () => {
    const stats = new Map([
      [1, someStats(800, 200)],
      [2, someStats(950, 50)],
    ]);
    const flow = flowWith(percent(0.5), percent(3));
    expect(decideAt(flow, 0.7, stats).trace.picked).toBe(2);
    expect(decideAt(flowWith(percent(0.5), percent(60)), 0.7, stats).trace.picked).toBe(1);
  });

  it('counts an unknown fee as 0, and records the fees with the highest margin first', () => {
    const { reasoning } = decideAt(flowWith([], percent(40)), 0.7).trace;
    expect(reasoning).toMatchObject({
      sampled: [
        [1, 900, 100, 0, expect.any(Number), null],
        [2, 900, 100, 0, expect.any(Number), 40],
      ],
    });
  });

  it('picks the same shop without fees as by approvals, and records no fees there', () => {
    const byApprovals = load({ strategy: 'success_rate', shops: definition.shops });
    const withoutFees = flowWith([], []);
    for (const draw of [0.01, 0.03, 0.3, 0.5, 0.9]) {
      const { picked, probability, reasoning } = decideAt(byApprovals, draw).trace;
      expect(decideAt(withoutFees, draw).trace).toMatchObject({ picked, probability });
      expect(reasoning).toMatchObject({ sampled: [{ length: 5 }, { length: 5 }] });
    }
  });

  it('picks the first shop if the fees are as high as the amount', () => {
    const { trace } = decideAt(flowWith(percent(100), percent(100)), 0.7);
    expect(trace).toMatchObject({ picked: 1, probability: 0.98, fallbacks: [2] });
  });
});

describe('sampleBeta', () => {
  it.each([
    [1, 1],
    [2, 5],
    [101, 21],
    [3, 400],
  ])('returns samples with the mean and the variance of Beta(%d, %d)', (a, b) => {
    const uniform = generator(42);
    const samples = Array.from({ length: 20_000 }, () => sampleBeta(a, b, uniform));
    const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length;
    const variance = samples.reduce((sum, sample) => sum + (sample - mean) ** 2, 0) / samples.length;
    const expected = (a * b) / ((a + b) ** 2 * (a + b + 1));
    expect(Math.abs(mean - a / (a + b))).toBeLessThan(5 * Math.sqrt(expected / samples.length));
    expect(variance / expected).toBeGreaterThan(0.95);
    expect(variance / expected).toBeLessThan(1.05);
  });
});
