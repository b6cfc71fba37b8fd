import { describe, expect, it } from '@jest/globals';
import type { ChargeAnswer } from '../../providers/payment-provider.js';
import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { attemptEnd, canFailOver, notifiedEnd, shopOutcome, STATUS_AFTER } from './attempt.js';

const ANSWERS: [ChargeAnswer | null, { first: string; repeated: string; failsOver: boolean; status: string | null }][] =
  [
    [{ outcome: 'approved' }, { first: 'approved', repeated: 'approved', failsOver: false, status: 'completed' }],
    [
      { outcome: 'processing' },
      { first: 'processing', repeated: 'processing', failsOver: false, status: 'processing' },
    ],
    [
      { outcome: 'declined', declineCode: 'expired_card' },
      { first: 'declined', repeated: 'declined', failsOver: false, status: 'failed' },
    ],
    [
      { outcome: 'soft_declined', declineCode: 'issuer_unavailable' },
      { first: 'soft_declined', repeated: 'soft_declined', failsOver: true, status: 'failed' },
    ],
    // an unavailable provider says nothing about the call before
    [
      { outcome: 'unavailable', reason: 'connection refused' },
      { first: 'unavailable', repeated: 'unknown', failsOver: true, status: 'failed' },
    ],
    [null, { first: 'unknown', repeated: 'unknown', failsOver: false, status: null }],
  ];

describe('attemptEnd', () => {
  it.each(ANSWERS)('maps the answer %j', (answer, { first, repeated, failsOver, status }) => {
    const end = attemptEnd(2, answer, false);
    const declineCode = answer && 'declineCode' in answer ? answer.declineCode : null;
    expect(end).toEqual({ number: 2, outcome: first, declineCode });
    expect(canFailOver(end)).toBe(failsOver);
    expect(STATUS_AFTER[end.outcome]).toBe(status);
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
  ] as const)('counts %s (%s) as %s', (outcome, declineCode, counts) => {
    expect(shopOutcome({ number: 1, outcome, declineCode })).toBe(counts);
  });
});

describe('notifiedEnd', () => {
  const about = (fields: Pick<ProviderEvent, 'status' | 'declineCode'>) => notifiedEnd(1, fields);

  it.each([
    [{ status: 'processing' }, { number: 1, outcome: 'processing', declineCode: null }],
    [{ status: 'completed' }, { number: 1, outcome: 'approved', declineCode: null }],
    [{ status: 'failed' }, { number: 1, outcome: 'declined', declineCode: null }],
    [
      { status: 'failed', declineCode: 'expired_card' },
      { number: 1, outcome: 'declined', declineCode: 'expired_card' },
    ],
    [{ status: 'cancelled' }, null],
    [{ status: 'refunded' }, null],
  ] as const)('maps %j to the end %j', (notification, end) => {
    expect(about(notification)).toEqual(end);
  });
});
