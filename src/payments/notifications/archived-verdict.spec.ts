import { describe, expect, it } from '@jest/globals';
import type { PaymentStatus } from '../money/state/payment-state.js';
import type { ReportedStatus } from '../money/state/notification.js';
import { archivedVerdict } from './archived-verdict.js';

describe('archivedVerdict', () => {
  const reports: [PaymentStatus, isCurrent: boolean, ReportedStatus, 'ignored' | 'alarm'][] = [
    ['completed', true, 'completed', 'ignored'],
    ['completed', true, 'authorized', 'ignored'],
    ['completed', true, 'refunded', 'alarm'],
    ['completed', true, 'refund_pending', 'alarm'],
    ['completed', true, 'refund_failed', 'alarm'],
    ['completed', true, 'disputed', 'alarm'],
    ['completed', true, 'capture_failed', 'alarm'],
    ['completed', true, 'cancelled', 'alarm'],
    ['refunded', true, 'refunded', 'ignored'],
    ['refunded', true, 'refund_failed', 'alarm'],
    ['refunded', true, 'disputed', 'alarm'],
    ['failed', true, 'failed', 'ignored'],
    ['failed', true, 'completed', 'alarm'],
    ['cancelled', true, 'cancelled', 'ignored'],
    ['cancelled', true, 'authorization_expired', 'ignored'],
    ['cancelled', true, 'authorized', 'alarm'],
    ['cancelled', true, 'void_failed', 'alarm'],
    ['completed', false, 'completed', 'alarm'],
    ['completed', false, 'failed', 'ignored'],
  ];

  it.each(reports)(
    'of a %s payment (last attempt: %s) a report of %s is %s',
    (status, isCurrent, reported, outcome) => {
      expect(archivedVerdict({ status, isCurrent }, reported)).toEqual({ outcome, reason: 'payment_archived' });
    },
  );
});
