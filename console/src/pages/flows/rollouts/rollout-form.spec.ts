import { expect, it } from '@jest/globals';
import { firstRollout, rolloutBody } from './rollout-form';

it('a new rollout is for few customers, with a guardrail', () => {
  expect(rolloutBody(firstRollout(''))).toEqual({
    percent: 10,
    key: 'customer',
    guardrail: { max_drop_points: 2, min_payments: 100, confidence: 0.95 },
  });
});

it('rolloutBody sends a reason, but no guardrail that is off', () => {
  expect(rolloutBody({ ...firstRollout(' Berlin costs less '), percent: 'x', hasGuardrail: false })).toEqual({
    percent: 'x',
    key: 'customer',
    reason: 'Berlin costs less',
  });
});
