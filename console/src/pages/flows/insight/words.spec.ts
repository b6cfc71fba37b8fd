import { describe, expect, it } from '@jest/globals';
import { doubtOf, failuresOf, verdictOf } from './words';

describe('what an estimate says', () => {
  it.each([
    [{ estimate: 0, low: 0, high: 0 }, 'The draft decides as the past did.'],
    [{ estimate: 0.02, low: 0.01, high: 0.03 }, 'More payments would have been approved.'],
    [{ estimate: -0.02, low: -0.03, high: -0.01 }, 'Fewer payments would have been approved.'],
    [{ estimate: 0.02, low: -0.01, high: 0.05 }, 'No clear difference: the interval includes 0.'],
    [null, undefined],
  ])('of %j', (difference, verdict) => {
    expect(verdictOf({ difference })).toBe(verdict);
  });

  it.each(['not_enough_payments', 'not_enough_overlap'] as const)('says of %s what would help', (doubt) => {
    expect(doubtOf({ doubt, payments: 3, overlap: 0.5 })).toMatch(/^The past cannot tell/);
  });
});

it('the tests that a shop has failed are told in words', () => {
  expect(failuresOf({ tests: { disabled: 'passed', currency: 'failed', rule: 'failed' } })).toEqual([
    'it does not take the currency',
    'the rule that decides does not name it',
  ]);
});
