import { describe, expect, it } from '@jest/globals';
import {
  decisionText,
  differenceText,
  dropText,
  endText,
  guardrailText,
  percentOf,
  progressText,
} from './rollout-texts';

type Comparison = Parameters<typeof progressText>[0];

const GUARDRAIL = { max_drop_points: 2.5, min_payments: 1_000, confidence: 0.95 };

it('percentOf keeps two decimals', () => {
  expect([12.25, 10].map(percentOf)).toEqual(['12.25 %', '10 %']);
});

describe('the texts of a guardrail', () => {
  const version = { payments: 690, approved: 500, declined: 90, refused: 10 };
  const comparison = (guardrail: object) =>
    ({ versions: [version, version], guardrail }) as unknown as Parameters<typeof progressText>[0];

  it('say how many rollouts it aborts by mistake', () => {
    expect(guardrailText(GUARDRAIL)).toMatch(/2\.5 points lower .* 1,000 payments .* at most 5 % of rollouts/);
  });

  it.each([
    [{ is_waiting_for_payments: true, payments_needed: 4_000 }, 'It waits until each version has 1,000'],
    [{ is_waiting_for_payments: false, payments_needed: null }, 'such a drop cannot be found'],
    [
      { is_waiting_for_payments: false, payments_needed: 4_000 },
      'A drop of 2.5 points is found after about 4,000 payments in 90 % of cases, a larger one sooner. 1,200 payments have an outcome.',
    ],
  ])('say how far %j is from a decision', (state, text) => {
    expect(progressText(comparison(state), GUARDRAIL)).toMatch(text);
  });
});

describe('decisionText', () => {
  const START = '2026-11-24T00:00:00.000Z';
  const now = Date.parse(START) + 24 * 3_600_000;
  const version = (outcomes: number) => ({ approved: outcomes, declined: 0, refused: 0 });

  it.each([
    [[0, 10], { is_waiting_for_payments: true, payments_needed: 4_000 }, 'is known after the first payments'],
    // the slower version has 100 a day, and needs 1,000
    [[900, 100], { is_waiting_for_payments: true, payments_needed: 2_000 }, 'in about 9 days'],
    [[2_000, 2_000], { is_waiting_for_payments: false, payments_needed: 6_000 }, 'in about 12 hours'],
    [[2_000, 2_000], { is_waiting_for_payments: false, payments_needed: 4_010 }, 'within an hour'],
    [[2_000, 2_000], { is_waiting_for_payments: false, payments_needed: 3_000 }, 'has the payments'],
    [[2_000, 2_000], { is_waiting_for_payments: false, payments_needed: null }, 'cannot decide'],
    [[2, 2], { is_waiting_for_payments: true, payments_needed: null }, 'in more than a year'],
  ])('%j outcomes, %j', (outcomes, guardrail, text) => {
    const comparison = { versions: outcomes.map(version), guardrail } as unknown as Comparison;
    expect(decisionText({ started_at: START, comparison }, GUARDRAIL, now)).toContain(text);
  });
});

describe('differenceText', () => {
  it.each([
    [{ estimate: 0.02, low: 0.01, high: 0.03 }, 'approves more payments: by at least 1 points'],
    [{ estimate: -0.02, low: -0.03, high: -0.01 }, 'approves fewer payments: by at least 1 points'],
    [{ estimate: 0, low: -0.01, high: 0.01 }, 'No clear difference'],
  ])('judges %j', (difference, text) => {
    expect(differenceText({ difference, doubt: null })).toContain(text);
  });

  it('gives the reason for a missing difference', () => {
    expect(differenceText({ difference: null, doubt: 'not_enough_payments' })).toMatch(/^Not enough data/);
  });
});

it.each([
  [
    { estimate: -0.4, low: -0.5, high: -0.3 },
    / version 4 again\. The approval rate of version 2 is 40 points lower\.$/,
  ],
  [null, / version 4 again\.$/],
])('dropText says by how much approvals dropped: %j', (difference, text) => {
  const rollout = { version: 2, base_version: 4, comparison: { difference } };
  expect(dropText(rollout as Parameters<typeof dropText>[0])).toMatch(text);
});

it('endText names the cause of an end', () => {
  expect(endText({ status: 'aborted', end_cause: 'guardrail' })).toBe('aborted by its guardrail');
  expect(endText({ status: 'promoted', end_cause: 'requested' })).toBe('promoted by a person');
});
