import { describe, expect, it } from '@jest/globals';
import { FACTOR, runs } from '../../../test/support/fuzz/runs.js';
import { explore, type Explored } from '../../../test/support/money/explore.js';
import { ORDER_EXCEPTIONS } from '../../../test/support/money/orders.js';
import { SOURCE_EXCEPTIONS } from '../../../test/support/money/sources.js';
import { nameOf, STARTS } from '../../../test/support/money/starts.js';

/** Exceptions that half of the states do not meet. */
const MAX_UNMET = FACTOR === 1 ? 2 : 0;
const LIMITS = { maxStates: runs(2_000, 1 / 2), maxViolations: 5 };

/** The invariants are in test/support/money: `invariants.ts`, `rest.ts`, `sources.ts`, `orders.ts`. */
describe('decisions about money', () => {
  const explored = new Map<string, Explored>();
  /** Explores from a start once: the tests may run in any order. */
  const from = (start: (typeof STARTS)[number]): Explored => {
    const found = explored.get(nameOf(start)) ?? explore(LIMITS, undefined, [start]);
    explored.set(nameOf(start), found);
    return found;
  };

  it.each(STARTS.map((start) => ({ start, name: nameOf(start) })))('break no invariant: $name', ({ start }) => {
    expect(from(start).violations).toEqual([]);
  });

  it('depend on source and order in the documented cases only, and in each of them', () => {
    const all = STARTS.map(from);
    const met = new Set(all.flatMap(({ exceptions }) => [...exceptions.keys()]));
    const documented = [...SOURCE_EXCEPTIONS, ...ORDER_EXCEPTIONS].map(({ why }) => why);
    expect(documented.filter((why) => !met.has(why)).slice(MAX_UNMET)).toEqual([]);
    const sum = (what: 'states' | 'steps' | 'ms') => all.reduce((total, found) => total + found[what], 0);
    const depth = Math.min(...all.map((found) => found.depth));
    const seconds = (sum('ms') / 1_000).toFixed(1);
    process.stdout.write(
      `${sum('states')} states, ${sum('steps')} transitions, all paths of ${depth} steps: ${seconds} s\n`,
    );
  });
});
