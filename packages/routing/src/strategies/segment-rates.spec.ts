import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '../../../../test/support/fuzz/runs.js';
import { generator } from '../statistics/random.js';
import { type SegmentCell, SegmentRates } from './segment-rates.js';

const NOTHING = { approved: 0, others: 0 };
const meanOf = ([a, b]: readonly [number, number]): number => a / (a + b);
const sizeOf = ([a, b]: readonly [number, number]): number => a + b;

/** The cells of shops in segments of one or two fields, with their sums, from `[shop, values, outcomes, rate]`. */
function cellsOf(...finest: [shopId: number, values: string[], outcomes: number, rate: number][]): SegmentCell[] {
  const cells = new Map<string, SegmentCell>();
  for (const [shopId, values, outcomes, rate] of finest) {
    for (let length = 0; length <= values.length; length++) {
      const key = [shopId, ...values.slice(0, length)].join();
      const cell = cells.get(key) ?? { shopId, values: values.slice(0, length), approved: 0, others: 0 };
      cell.approved += outcomes * rate;
      cell.others += outcomes * (1 - rate);
      cells.set(key, cell);
    }
  }
  return [...cells.values()];
}

/** Each shop has its own effect in each of many segments, as large as `spread`, in logits. */
function manySegments(spread: number): SegmentCell[] {
  const random = generator(3);
  const normal = (): number => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  return cellsOf(
    ...[1, 2, 3].flatMap((shopId) =>
      Array.from({ length: 40 }, (_, index): [number, string[], number, number] => {
        const rate = 1 / (1 + Math.exp(-1.5 - spread * normal() - index / 40));
        const approved = Array.from({ length: 100 }, () => random()).filter((luck) => luck < rate).length;
        return [shopId, [`segment ${index}`], 100, approved / 100];
      }),
    ),
  );
}

describe('SegmentRates', () => {
  it.each([-1, -2, -10, -11])('returns a distribution if the outcomes of a cell are %d for a moment', (outcomes) => {
    for (const values of [[], ['visa'], ['visa', 'DE']]) {
      const cells = [1, 2].flatMap((shopId) =>
        [[], ['visa'], ['visa', 'DE']].map((each) => {
          const isWrong = shopId === 1 && each.length === values.length;
          return { shopId, values: each, approved: 3, others: isWrong ? outcomes : 0 };
        }),
      );
      for (const flipped of [cells, cells.map((cell) => ({ ...cell, approved: cell.others, others: cell.approved }))]) {
        const { shape } = new SegmentRates(flipped, 2).rateOf(1, ['visa', 'DE'], NOTHING);
        expect(Math.min(...shape)).toBeGreaterThanOrEqual(1);
      }
    }
  });

  it('returns the distribution of the whole shop without cells', () => {
    const rates = new SegmentRates([], 1);
    expect(rates.rateOf(1, ['visa'], { approved: 90, others: 10 })).toEqual({
      level: 0,
      approved: 90,
      others: 10,
      shape: [91, 11],
    });
  });

  it('separates shops that are equal as a whole', () => {
    const rates = new SegmentRates(
      cellsOf([1, ['visa'], 500, 0.95], [1, ['amex'], 500, 0.7], [2, ['visa'], 500, 0.75], [2, ['amex'], 500, 0.9]),
      1,
    );
    const meanIn = (scheme: string, shopId: number): number => meanOf(rates.rateOf(shopId, [scheme], NOTHING).shape);
    expect([meanIn('visa', 1), meanIn('visa', 2)]).toEqual([expect.closeTo(0.94, 1), expect.closeTo(0.76, 1)]);
    expect(meanIn('amex', 2) - meanIn('amex', 1)).toBeGreaterThan(0.15);
    expect(rates.rateOf(1, ['visa'], NOTHING)).toMatchObject({ level: 1, approved: 475, others: 25 });
  });

  it('backs off to the first field, and then to the whole shop, while a cell is thin', () => {
    const rates = new SegmentRates(
      cellsOf(
        [1, ['visa', 'DE'], 900, 0.9],
        [1, ['visa', 'FR'], 3, 0],
        [1, ['amex', 'FR'], 2, 1],
        [2, ['visa', 'FR'], 900, 0.85],
        [2, ['amex', 'FR'], 900, 0.6],
      ),
      2,
    );
    const [known, thin, thinner] = [
      ['visa', 'DE'],
      ['visa', 'FR'],
      ['amex', 'FR'],
    ].map((values) => rates.rateOf(1, values, NOTHING));
    expect([known!.level, thin!.level, thinner!.level]).toEqual([2, 1, 0]);
    expect(meanOf(thin!.shape)).toBeGreaterThan(0.75);
    // as good as elsewhere, compared with the other shop in this segment
    expect(meanOf(thinner!.shape)).toBeLessThan(meanOf(thin!.shape));
    expect(rates.rateOf(1, ['visa'], NOTHING).level).toBe(1);
    expect(rates.rateOf(1, ['visa', 'never seen'], NOTHING)).toEqual(rates.rateOf(1, ['visa'], NOTHING));
  });

  it('ranks shops equally that differ only in their payments', () => {
    // both approve 95 % in Germany and 80 % in the United States
    const rates = new SegmentRates(
      cellsOf(
        [1, ['DE'], 1_900, 0.95],
        [1, ['US'], 100, 0.8],
        [2, ['DE'], 100, 0.95],
        [2, ['US'], 1_900, 0.8],
        [3, ['FR'], 50, 0.9],
      ),
      1,
    );
    const [first, second] = [1, 2].map((shopId) =>
      rates.rateOf(shopId, ['FR'], { approved: shopId === 1 ? 95 : 80, others: shopId === 1 ? 5 : 20 }),
    );
    expect(Math.abs(meanOf(first!.shape) - meanOf(second!.shape))).toBeLessThan(0.02);
  });

  it('follows the data in how much the coarser rate counts', () => {
    const [none, some] = [manySegments(0), manySegments(1)].map((cells) =>
      sizeOf(new SegmentRates(cells, 1).rateOf(1, ['segment 0'], { approved: 800, others: 200 }).shape),
    );
    expect(none!).toBeGreaterThan(1_000);
    expect(some!).toBeLessThan(150);
  });

  it('adds recent outcomes of the whole shop, which the cells may not have yet', () => {
    const rates = new SegmentRates(cellsOf([1, ['visa'], 100, 0.9], [2, ['visa'], 100, 0.9]), 1);
    const after = rates.rateOf(1, ['visa'], { approved: 0, others: 200 });
    expect(meanOf(after.shape)).toBeLessThan(meanOf(rates.rateOf(1, ['visa'], NOTHING).shape) - 0.1);
  });

  it('lists the values with outcomes, most outcomes first, without the unknown one', () => {
    const cells = cellsOf(
      [1, ['visa', 'DE'], 10, 1],
      [2, ['visa', 'FR'], 20, 1],
      [1, ['', 'FR'], 90, 1],
      [2, ['amex'], 40, 1],
    );
    expect(new SegmentRates(cells, 2).values()).toEqual([
      ['amex', 'visa'],
      ['FR', 'DE'],
    ]);
    expect(new SegmentRates([], 2).values()).toEqual([[], []]);
  });

  it('returns a distribution that can be sampled for any cells', () => {
    const count = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e6, noNaN: true }));
    const value = fc.constantFrom('', 'a', 'b', 'c');
    const cell = fc.record({
      shopId: fc.integer({ min: 1, max: 4 }),
      values: fc.array(value, { maxLength: 2 }),
      approved: count,
      others: count,
    });
    fc.assert(
      fc.property(fc.array(cell), fc.array(value, { maxLength: 2 }), fc.nat(), fc.nat(), (cells, values, a, b) => {
        const { shape, level } = new SegmentRates(cells, 2).rateOf(1, values, { approved: a, others: b });
        for (const each of shape) expect([each, Number.isFinite(each) && each >= 1]).toEqual([each, true]);
        expect(level).toBeLessThanOrEqual(values.length);
      }),
      { numRuns: runs(200) },
    );
  });
});
