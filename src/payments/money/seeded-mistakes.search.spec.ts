import { describe, expect, it } from '@jest/globals';
import { FACTOR } from '../../../test/support/fuzz/runs.js';
import { withMistake } from '../../../test/support/money/decider.js';
import { explore } from '../../../test/support/money/explore.js';
import { MISTAKES } from '../../../test/support/money/mistakes.js';

/** Enough for each mistake, however deep. */
const LIMITS = { maxStates: 20_000, maxViolations: 1 };

/** `npm test` leaves out those that are deep: they take half of the time. */
const PLANTED = MISTAKES.filter(({ steps }) => FACTOR > 1 || steps < 5);

describe('an exploration', () => {
  it.each(PLANTED)('finds a decision that $instead ($rule, $steps steps)', ({ finds, steps, from, ...mistake }) => {
    const [violation] = explore(LIMITS, withMistake(mistake), from && [from]).violations;
    expect(violation?.invariant).toMatch(finds);
    expect(violation?.path).toHaveLength(steps);
  });
});
