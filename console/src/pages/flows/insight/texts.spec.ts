import { describe, expect, it } from '@jest/globals';
import { doubtOf, failuresOf, lacksOf, verdictOf, versionOf } from './texts';

describe('the texts of an estimate', () => {
  it.each([
    [{ estimate: 0, low: 0, high: 0 }, 'The draft makes the same decisions.'],
    [{ estimate: 0.02, low: 0.01, high: 0.03 }, 'More payments would have been approved.'],
    [{ estimate: -0.02, low: -0.03, high: -0.01 }, 'Fewer payments would have been approved.'],
    [{ estimate: 0.02, low: -0.01, high: 0.05 }, 'No clear difference: the interval includes 0.'],
    [null, undefined],
  ])('give a verdict for %j', (difference, verdict) => {
    expect(verdictOf({ difference })).toBe(verdict);
  });

  it.each(['not_enough_payments', 'not_enough_overlap'] as const)('explain the doubt %s', (doubt) => {
    expect(doubtOf({ doubt, payments: 3, overlap: 0.5 })).toMatch(/^Not enough data/);
  });

  it('name the overlap only when it is too small', () => {
    const doubt = 'not_enough_overlap';
    expect(doubtOf({ doubt, payments: 3, overlap: 0.5 })).toMatch('cover 50 % of the draft’s decisions');
    expect(doubtOf({ doubt, payments: 3, overlap: 1 })).toMatch('too few past payments');
  });
});

describe('lacksOf', () => {
  const share = (payments: number, of: number) => ({ payments, share: payments / of });
  const shops = [
    { shop_id: 1, shop_name: 'Berlin', before: share(100, 100), after: share(90, 100) },
    { shop_id: 2, shop_name: 'London', before: share(0, 100), after: share(10, 100) },
    { shop_id: 3, shop_name: 'Paris', before: share(0, 100), after: share(0, 100) },
  ];
  const lacks = (days: number): string[] =>
    lacksOf({
      shops,
      payments: 100,
      first_created_at: '2026-11-01T00:00:00.000Z',
      last_created_at: new Date(Date.UTC(2026, 10, 1) + days * 86_400_000).toISOString(),
    });

  it('says how many payments a shop without history needs, and how long they take', () => {
    const [london, ...others] = lacks(2);
    expect(others).toEqual([]);
    expect(london).toMatch(
      /^London has had no payment .* about 30 .* share of 10 % .* in 300 payments .* about 6 days/,
    );
  });

  it('names no time for less than a day of payments', () => {
    expect(lacks(0.5)[0]).not.toMatch('days');
  });
});

it('failuresOf explains the tests that a shop has failed', () => {
  expect(failuresOf({ tests: { disabled: 'passed', currency: 'failed', rule: 'failed' } })).toEqual([
    'it does not accept the currency',
    'it is not in the rule that applies',
  ]);
});

describe('versionOf', () => {
  const rollout = { id: 1, version: 5, stage: 1, percent: 10, key: 'customer' } as const;

  it.each([
    [999, 'Version 5, because bucket 999 is among the 1000 of 10000 in its rollout'],
    [1_000, 'The active version, because bucket 1000 is not among the 1000 of 10000 in the rollout of version 5'],
  ])('explains the version of bucket %d', (bucket, text) => {
    expect(versionOf({ ...rollout, bucket })).toBe(text);
  });
});
