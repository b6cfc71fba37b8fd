import type { PaymentStatus } from '../money/state/payment-state.js';
import type { ReportedStatus } from '../money/state/notification.js';

type EndedStatus = Exclude<PaymentStatus, 'pending' | 'processing'>;

/** Reports that the archive agrees with. */
const KNOWN: Readonly<Record<EndedStatus, readonly ReportedStatus[]>> = {
  completed: ['processing', 'authorized', 'completed'],
  refunded: ['processing', 'authorized', 'completed', 'refund_pending', 'refunded'],
  failed: ['processing', 'authorization_expired', 'failed', 'cancelled'],
  cancelled: ['processing', 'authorization_expired', 'failed', 'cancelled'],
};

/**
 * The outcome of a report about an archived payment: anything new, such as a refund or a dispute, is for a person, because no
 * row can show it. `isCurrent`: the attempt is the payment's last; of an attempt that it left, any money is new.
 */
export function archivedVerdict(
  payment: { status: PaymentStatus; isCurrent: boolean },
  reported: ReportedStatus,
): { outcome: 'ignored' | 'alarm'; reason: 'payment_archived' } {
  const status = (payment.isCurrent ? payment.status : 'failed') as EndedStatus;
  return { outcome: KNOWN[status].includes(reported) ? 'ignored' : 'alarm', reason: 'payment_archived' };
}
