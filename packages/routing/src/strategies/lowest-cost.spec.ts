import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  aMember,
  anyCounter,
  anyDraw,
  anyRequest,
  load,
  statsOf,
  summariesOf,
} from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { type FeeEntry, feeFactsOf, feeOf } from '../facts/fees.js';
import type { ShopHealth, ShopStats } from '../facts/shop.js';
import type { RoutingRequest } from '../definition/condition.js';
import type { FlowShop } from '../definition/definition.js';
import { isEligible } from '../definition/eligibility.js';
import { decide } from '../decision/decision.js';
import { routableFlow } from '../decision/routable-flow.js';

const aRequest: RoutingRequest = { amount: 100, currency: 'EUR' };
const percent = (value: number, only: Partial<FeeEntry> = {}): FeeEntry => ({ percent: value, fixed: 0, ...only });
const stats = (health: ShopHealth): ShopStats => ({ approved: 0, declined: 0, failed: 0, health });

/** A flow over shops with these fees, by id. */
function flowOf(fees: Record<number, FeeEntry[]>, changes: Record<number, Partial<FlowShop>> = {}) {
  const ids = Object.keys(fees).map(Number);
  const definition = { strategy: 'lowest_cost' as const, shops: ids.map((id) => aMember(id, changes[id])) };
  const summaries = summariesOf(definition);
  const priced = new Map(
    [...summaries].map(([id, shop]) => [id, { ...shop, refusedCurrencies: new Set<string>(), fees: fees[id]! }]),
  );
  return routableFlow(definition, priced, 1);
}
const decided = (
  flow: ReturnType<typeof flowOf>,
  request = aRequest,
  statsByShop = new Map<number, ShopStats>(),
  draw = 0.5,
) => decide(flow, request, { counter: 0, statsByShop, random: () => draw });

describe('lowest_cost', () => {
  it('picks the shop with the lowest fee, and falls back in the order of fees', () => {
    const { trace } = decided(flowOf({ 1: [percent(2)], 2: [], 3: [percent(1)], 4: [percent(3)] }));
    expect(trace).toMatchObject({ picked: 3, fallbacks: [1, 4, 2], probability: 1 });
    expect(trace.reasoning).toEqual({
      by: 'lowest_cost',
      costs: [
        [3, 1],
        [1, 2],
        [4, 3],
        [2, null],
      ],
    });
  });

  it('compares the fees of the card, the currency and the amount', () => {
    const flow = flowOf({
      1: [percent(1, { fixed: 0.5, currency: 'EUR' }), percent(0.2, { scheme: 'maestro' })],
      2: [percent(1.5), percent(3, { scheme: 'maestro' })],
    });
    const pickFor = (changes: Partial<RoutingRequest>) => decided(flow, { ...aRequest, ...changes }).trace.picked;
    expect([pickFor({ amount: 100.01 }), pickFor({ amount: 99.99 })]).toEqual([1, 2]);
    expect(pickFor({ currency: 'USD' })).toBe(2);
    expect(pickFor({ currency: 'USD', paymentMethod: { card: { scheme: 'maestro' } } })).toBe(1);
  });

  it('picks by priority, then id, among equal fees and among unknown ones', () => {
    const equal = { 1: [percent(3.2)], 2: [percent(2.9, { fixed: 0.3, currency: 'EUR' })], 3: [percent(3.2)] };
    expect(decided(flowOf(equal)).trace).toMatchObject({ picked: 1, fallbacks: [2, 3] });
    expect(decided(flowOf(equal, { 3: { priority: 0 } })).trace).toMatchObject({ picked: 3, fallbacks: [1, 2] });
    expect(decided(flowOf({ 1: [], 2: [], 3: [] }, { 2: { priority: 0 } })).trace.picked).toBe(2);
  });

  it('leaves a recovering shop one in ten of its picks, and records the random number', () => {
    const flow = flowOf({ 1: [percent(2)], 2: [percent(1)], 3: [percent(2)] });
    const statsByShop = new Map([[2, stats('probing')]]);
    const traces = Array.from(
      { length: 1_000 },
      (_, index) => decided(flow, aRequest, statsByShop, index / 1_000).trace,
    );
    const kept = traces.filter(({ picked }) => picked === 2);
    expect(kept.length / traces.length).toBeGreaterThan(0.08);
    expect(kept.length / traces.length).toBeLessThan(0.12);
    expect(kept[0]).toMatchObject({ probability: 0.1, probed: { shop_id: 2, let_through: true } });
    const passedOver = traces.find(({ picked }) => picked !== 2)!;
    expect(passedOver).toMatchObject({ picked: 1, probability: 0.9, fallbacks: [3], failed: { 2: ['unhealthy'] } });
    expect(passedOver.reasoning).toEqual({
      by: 'lowest_cost',
      costs: [
        [2, 1],
        [1, 2],
        [3, 2],
      ],
      draw: expect.any(Number),
    });
  });

  it('needs no random number while a dearer shop is recovering', () => {
    const random = () => {
      throw new Error('no random number was expected');
    };
    const flow = flowOf({ 1: [percent(2)], 2: [percent(1)] });
    const state = { counter: 0, statsByShop: new Map([[1, stats('probing')]]), random };
    expect(decide(flow, aRequest, state).trace.reasoning).not.toHaveProperty('draw');
  });

  it('never picks a dearer shop than another one that is eligible and healthy', () => {
    const members = fc.uniqueArray(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 12 });
    const situations = members.chain((ids) => {
      const definition = {
        strategy: 'lowest_cost' as const,
        shops: ids.map((id) => aMember(id, { priority: id % 3 })),
      };
      return fc.tuple(fc.constant(definition), statsOf(definition), anyRequest, anyCounter, anyDraw);
    });
    let compared = 0;
    fc.assert(
      fc.property(situations, ([definition, statsByShop, request, counter, draw]) => {
        const flow = load(definition);
        const { shop, trace } = decide(flow, request, { counter, statsByShop, random: () => draw });
        if (!shop || trace.least_bad === true || trace.probed?.let_through === true) return;
        const { amount, currency, paymentMethod } = request;
        const priceOf = ({ shop: { fees } }: typeof shop) =>
          feeOf(fees, feeFactsOf({ amount, currency, paymentMethod })) ?? Infinity;
        for (const other of flow.shops) {
          const health = statsByShop.get(other.shop.id)?.health ?? 'healthy';
          if (health !== 'healthy' || !isEligible(other, request)) continue;
          if (other !== shop) compared++;
          expect(priceOf(shop)).toBeLessThanOrEqual(priceOf(other));
        }
      }),
      { numRuns: runs(200) },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
