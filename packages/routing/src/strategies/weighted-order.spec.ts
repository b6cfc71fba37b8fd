import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aMember, load } from '../../../../test/support/fuzz/flow-arbitraries.js';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { WeightedOrder } from './weighted-order.js';

const orderOf = (weights: readonly number[]): WeightedOrder =>
  new WeightedOrder(
    load({ strategy: 'weighted', shops: weights.map((weight, index) => aMember(index + 1, { weight })) }).shops,
  );
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
/** The index of the weight that is picked. */
const pickOf = (order: WeightedOrder, counter: number): number => order.at(counter).shop.shop.id - 1;

const smallWeights = fc.oneof(
  fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 12 }),
  fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 5 }),
  fc.integer({ min: 2, max: 30 }).map((count) => [count, ...Array<number>(count).fill(1)]),
  // each weight is the sum of the two before it: the deepest possible tree
  fc.integer({ min: 2, max: 11 }).map((count) => {
    const weights = [1, 1];
    while (weights.length < count) weights.push(weights.at(-1)! + weights.at(-2)!);
    return weights;
  }),
);
const anyWeights = fc.oneof(
  smallWeights,
  fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 30 }),
  fc.array(fc.integer({ min: 990_000, max: 1_000_000 }), { minLength: 300, maxLength: 300 }),
);
const anyStart = fc.nat({ max: Number.MAX_SAFE_INTEGER - 2 ** 32 });

describe('WeightedOrder', () => {
  it('gives each shop exactly its weight in any cycle', () => {
    fc.assert(
      fc.property(smallWeights, anyStart, (weights, start) => {
        const order = orderOf(weights);
        const picks = weights.map(() => 0);
        for (let step = 0; step < sum(weights); step++) picks[pickOf(order, start + step)]!++;
        expect(picks).toEqual(weights);
      }),
    );
  });

  it('stays within two picks of the exact share of a shop, from the first pick on', () => {
    fc.assert(
      fc.property(anyWeights, (weights) => {
        const order = orderOf(weights);
        const total = sum(weights);
        const picks = weights.map(() => 0);
        let worst = 0;
        for (let count = 1; count <= Math.min(total, 20_000 / weights.length); count++) {
          picks[pickOf(order, count - 1)]!++;
          for (const [index, weight] of weights.entries()) {
            // exact: both products are far below 2 ** 53
            worst = Math.max(worst, Math.abs(picks[index]! * total - count * weight));
          }
        }
        expect(worst).toBeLessThan(1.68 * total);
      }),
    );
  });

  it('counts the picks of each shop without a gap, for any counter and any weights', () => {
    fc.assert(
      fc.property(anyWeights, anyStart, (weights, start) => {
        const order = orderOf(weights);
        const next = new Map<number, number>();
        const gaps: number[] = [];
        for (let counter = start; counter < start + 100; counter++) {
          const { shop, sequence } = order.at(counter);
          const due = (counter % order.cycleLength) * (shop.weight / order.cycleLength);
          const expected = next.get(shop.shop.id) ?? sequence;
          if (sequence !== expected || Math.abs((sequence % shop.weight) - due) >= 2) gaps.push(counter);
          next.set(shop.shop.id, sequence + 1);
        }
        expect(gaps).toEqual([]);
      }),
      { numRuns: runs(20) },
    );
  });

  it('picks a shop with at most half of the weight at most twice in a row', () => {
    fc.assert(
      fc.property(smallWeights, (weights) => {
        const order = orderOf(weights);
        const total = sum(weights);
        const picks = Array.from({ length: 2 * total }, (_, counter) => pickOf(order, counter));
        const tooLong = weights.filter(
          (weight, index) =>
            weight < total && longestRun(picks, index) > Math.max(2, Math.ceil(weight / (total - weight))),
        );
        expect(tooLong).toEqual([]);
      }),
    );
  });

  it('finds the next pick of each shop', () => {
    fc.assert(
      fc.property(smallWeights, anyStart, (weights, start) => {
        const shops = load({
          strategy: 'weighted',
          shops: weights.map((weight, index) => aMember(index + 1, { weight })),
        }).shops;
        const order = new WeightedOrder(shops);
        for (const shop of shops) {
          let expected = start;
          while (order.at(expected).shop !== shop) expected++;
          expect(order.nextPick(shop, start)).toBe(expected);
        }
      }),
    );
  });

  it('finds the next pick of the lightest shop among shops of maximum weight', () => {
    const weights = [...Array<number>(299).fill(1_000_000), 1];
    const { shops } = load({
      strategy: 'weighted',
      shops: weights.map((weight, index) => aMember(index + 1, { weight })),
    });
    const order = new WeightedOrder(shops);
    const counter = order.nextPick(shops[299]!, 0)!;
    expect(order.at(counter)).toEqual({ shop: shops[299], sequence: 0 });
    expect(order.nextPick(shops[299]!, counter + 1)).toBe(counter + order.cycleLength);
    expect(order.nextPick(load({ strategy: 'weighted', shops: [aMember(1)] }).shops[0]!, 0)).toBeUndefined();
  });

  it('interleaves', () => {
    const names = (weights: number[]): string =>
      Array.from({ length: sum(weights) }, (_, counter) => 'abc'[pickOf(orderOf(weights), counter)]).join('');
    expect(names([5, 1, 1])).toBe('abaaaca');
    expect(names([1, 1])).toBe('ab');
    expect(names([3, 2])).toBe('ababa');
    expect(names([1])).toBe('a');
  });
});

function longestRun(picks: readonly number[], index: number): number {
  let longest = 0;
  let run = 0;
  for (const pick of picks) {
    run = pick === index ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}
