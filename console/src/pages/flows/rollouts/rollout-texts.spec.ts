import { describe, expect, it } from '@jest/globals';
import { endText, guardrailText, percentOf } from './rollout-texts';

const GUARDRAIL = { max_drop_points: 2.5, min_payments: 1_000, confidence: 0.95 };

it('percentOf keeps two decimals', () => {
  expect([12.25, 10].map(percentOf)).toEqual(['12.25 %', '10 %']);
});

describe('the texts of a guardrail', () => {
  it('say how many rollouts it aborts by mistake', () => {
    expect(guardrailText(GUARDRAIL)).toMatch(/2\.5 points lower .* 1,000 payments .* at most 5 % of rollouts/);
  });
});

it('endText names the cause of an end', () => {
  expect(endText({ status: 'aborted', end_cause: 'guardrail' })).toBe('aborted by its guardrail');
  expect(endText({ status: 'promoted', end_cause: 'requested' })).toBe('promoted by a person');
});
