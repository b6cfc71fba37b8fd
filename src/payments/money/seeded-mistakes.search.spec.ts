import { describe, expect, it } from '@jest/globals';
import { withMistake } from '../../../test/support/money/decider.js';
import { explore } from '../../../test/support/money/explore.js';
import { MISTAKES } from '../../../test/support/money/mistakes.js';

/** Enough for each mistake, however deep. */
const LIMITS = { maxStates: 20_000, maxViolations: 1 };

describe('an exploration', () => {
  it.each(MISTAKES)('finds a decision that $instead ($rule, $steps steps)', ({ finds, steps, from, ...mistake }) => {
    const [violation] = explore(LIMITS, withMistake(mistake), from && [from]).violations;
    expect(violation?.invariant).toMatch(finds);
    expect(violation?.path).toHaveLength(steps);
  });
});
