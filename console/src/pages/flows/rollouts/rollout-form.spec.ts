import { expect, it } from '@jest/globals';
import { group, newTest } from '../model/condition-form';
import { firstRollout, rolloutBody } from './rollout-form';

it('a new rollout is for few customers, with a guardrail', () => {
  expect(rolloutBody(firstRollout(''))).toEqual({
    percent: 10,
    key: 'customer',
    guardrail: { max_drop_points: 2, min_payments: 100, confidence: 0.95 },
  });
});

it('rolloutBody sends a condition and a reason, but no guardrail that is off', () => {
  const when = group('every', [{ ...newTest('country'), value: 'DE' }]);
  expect(rolloutBody({ ...firstRollout(' Berlin costs less '), percent: 'x', when, hasGuardrail: false })).toEqual({
    percent: 'x',
    key: 'customer',
    when: { country: { equals: 'DE' } },
    reason: 'Berlin costs less',
  });
});
