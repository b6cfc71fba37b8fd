import { expect, it } from '@jest/globals';
import { LIST_FILTERS, listPayments } from './payment-lists.queries.js';

/** PostgreSQL cuts the name of a prepared statement here. */
const LONGEST_NAME = 63;

it('listPayments gives each set of filters a name of its own that PostgreSQL does not cut', () => {
  const sets = Array.from({ length: 2 ** LIST_FILTERS.length }, (_, set) =>
    LIST_FILTERS.filter((__, index) => (set >> index) % 2 === 1),
  );
  const names = sets.map((given) => listPayments(given).name);
  expect(new Set(names).size).toBe(sets.length);
  expect(Math.max(...names.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST_NAME);
});
