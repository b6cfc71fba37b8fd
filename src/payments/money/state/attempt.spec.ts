import { describe, expect, it } from '@jest/globals';
import type { ChargeAnswer } from '@payment-orchestrator/provider-kit';
import { attemptEnd, canFailOver, shopOutcome } from './attempt.js';

const ANSWERS: [ChargeAnswer | null, { first: string; repeated: string; failsOver: boolean }][] = [
  [{ outcome: 'approved' }, { first: 'approved', repeated: 'approved', failsOver: false }],
  [{ outcome: 'processing' }, { first: 'processing', repeated: 'processing', failsOver: false }],
  [
    { outcome: 'declined', declineCode: 'expired_card' },
    { first: 'declined', repeated: 'declined', failsOver: false },
  ],
  [
    { outcome: 'soft_declined', declineCode: 'issuer_unavailable' },
    { first: 'soft_declined', repeated: 'soft_declined', failsOver: true },
  ],
  // an unavailable provider says nothing about the call before
  [
    { outcome: 'unavailable', reason: 'connection refused' },
    { first: 'unavailable', repeated: 'unknown', failsOver: true },
  ],
  // nor does a permission that was missing before the call
  [
    { outcome: 'soft_declined', declineCode: 'permission_missing' },
    { first: 'soft_declined', repeated: 'unknown', failsOver: true },
  ],
  [null, { first: 'unknown', repeated: 'unknown', failsOver: false }],
];

describe('attemptEnd', () => {
  it.each(ANSWERS)('maps the answer %j', (answer, { first, repeated, failsOver }) => {
    const end = attemptEnd(2, answer, false);
    const declineCode = answer && 'declineCode' in answer ? answer.declineCode : null;
    expect(end).toEqual({ number: 2, outcome: first, declineCode });
    expect(canFailOver(end)).toBe(failsOver);
    expect(attemptEnd(2, answer, true).outcome).toBe(repeated);
    expect(canFailOver(attemptEnd(2, answer, true))).toBe(repeated === 'soft_declined');
  });
});

describe('shopOutcome', () => {
  it.each([
    ['approved', null, 'approved'],
    ['processing', null, null],
    ['unavailable', null, 'failed'],
    ['unknown', null, 'failed'],
    ['declined', 'incorrect_number', null],
    ['declined', 'insufficient_funds', null],
    ['declined', 'do_not_honor', 'declined'],
    ['declined', 'processing_error', 'failed'],
    ['declined', null, 'declined'],
    ['soft_declined', 'issuer_unavailable', 'declined'],
    ['soft_declined', 'rate_limited', 'failed'],
    ['soft_declined', 'authentication_required', null],
    ['soft_declined', 'payment_method_unusable', 'unusable'],
    ['declined', 'payment_method_unusable', 'unusable'],
    ['soft_declined', 'permission_missing', 'unusable'],
    ['soft_declined', 'configuration_error', 'failed'],
    ['soft_declined', 'request_refused', 'declined'],
    ['soft_declined', 'invalid_amount', 'declined'],
  ] as const)('counts %s (%s) as %s', (outcome, declineCode, counts) => {
    expect(shopOutcome({ number: 1, outcome, declineCode })).toBe(counts);
  });
});
