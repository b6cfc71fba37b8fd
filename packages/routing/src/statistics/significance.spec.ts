import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '../../../../src/shared/seeded-random.js';
import { chanceOfDifference, differences, type Successes } from './significance.js';

const of = (successes: number, trials: number): Successes => ({ successes, trials });

describe('chanceOfDifference', () => {
  // by hand: tails of the hypergeometric distribution, such as 1 of 20 ways for 3 of 3 against 0 of 3
  it.each([
    ['no payments', of(0, 0), of(0, 0), 1],
    ['one payment each', of(0, 1), of(1, 1), 1],
    ['three of three against none', of(3, 3), of(0, 3), 2 / 20],
    ['none against three of three', of(0, 3), of(3, 3), 2 / 20],
    ['a declined payment after three approved ones', of(0, 1), of(3, 3), 2 / 4],
    ['one of four after ten of ten', of(1, 4), of(10, 10), 2 * (4 / 364)],
    ['the same rate', of(90, 100), of(180, 200), 1],
  ])('%s', (_, now, before, expected) => {
    expect(chanceOfDifference(now, before)).toBeCloseTo(expected, 9);
    expect(chanceOfDifference(before, now)).toBeCloseTo(expected, 9);
  });

  it('agrees with the normal distribution for millions', () => {
    // 0.9 against 0.901 with a million each: z = 2.3643, or 0.01806 on both sides
    const chance = chanceOfDifference(of(900_000, 1_000_000), of(901_000, 1_000_000));
    expect(chance).toBeGreaterThan(0.0178);
    expect(chance).toBeLessThan(0.0184);
  });

  it.each([
    [1, 3],
    [1, 20],
    [2, 10],
    [5, 10],
    [20, 20],
  ])('chanceOfDifference is at most 5 %% in at most 5 %% of equal rates: %i and %i payments', (now, before) => {
    for (const rate of [0.5, 0.8, 0.9, 0.97]) {
      let alarms = 0;
      for (let x = 0; x <= now; x++)
        for (let y = 0; y <= before; y++)
          if (chanceOfDifference(of(x, now), of(y, before)) <= 0.05)
            alarms += binomial(x, now, rate) * binomial(y, before, rate);
      expect(alarms).toBeLessThanOrEqual(0.05);
    }
  });
});

function binomial(successes: number, trials: number, rate: number): number {
  let choices = 1;
  for (let index = 1; index <= successes; index++) choices *= (trials - successes + index) / index;
  return choices * rate ** successes * (1 - rate) ** (trials - successes);
}

describe('differences', () => {
  it.each([
    ['none', [], []],
    ['one below the rate', [0.04], [true]],
    ['one above it', [0.06], [false]],
    ['each has its own limit', [0.04, 0.9, 0.01], [false, false, true]],
    ['one that is above its own limit, with a later one below', [0.02, 0.03, 0.05], [true, true, true]],
    ['equal ones', [0.5, 0.02, 0.02], [false, true, true]],
  ])('%s', (_, chances, expected) => {
    expect(differences(chances, 0.05)).toEqual(expected);
  });

  /** A page with 143 cells, most with a few payments. */
  const page = (seed: number, changeOf: (cell: number) => number): boolean[] => {
    const random = new SeededRandom('page', seed);
    const count = (trials: number, rate: number) =>
      of(Array.from({ length: trials }, () => random.between(0, 1) < rate).filter(Boolean).length, trials);
    const chances = Array.from({ length: 143 }, (_, cell) => {
      const [now, before] = [random.pick([1, 2, 3, 5, 20, 300]), random.pick([3, 10, 30, 300])];
      const rate = random.between(0.7, 0.97);
      return chanceOfDifference(count(now, rate - changeOf(cell)), count(before, rate));
    });
    return differences(chances, 0.05);
  };

  it('marks a change in at most 5 % of pages without one', () => {
    const pages = Array.from({ length: 200 }, (_, seed) => page(seed, () => 0));
    expect(pages.filter((cells) => cells.includes(true)).length / pages.length).toBeLessThanOrEqual(0.05);
  });

  it('marks large falls of cells with enough payments, and few others', () => {
    const pages = Array.from({ length: 50 }, (_, seed) => page(seed, (cell) => (cell < 20 ? 0.5 : 0)));
    const marked = pages.flatMap((cells) => cells.map((isReal, cell) => ({ isReal, fell: cell < 20 })));
    const [real, all] = [marked.filter(({ isReal, fell }) => isReal && fell), marked.filter(({ isReal }) => isReal)];
    expect(real.length).toBeGreaterThan(50 * 3);
    expect(real.length / all.length).toBeGreaterThan(0.95);
  });
});
