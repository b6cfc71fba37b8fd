import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import type { ChargeFact, Fact } from './fact.js';
import type { ReportedEvent } from './notification.js';

/** The fact that a provider's notification brings. An automatic charge is captured with its authorisation. */
export function factOf(event: ReportedEvent, attempt: number, capture: CaptureMode): Fact {
  const base = { source: 'notification', attempt } as const;
  switch (event.status) {
    case 'authorized':
      return capture === 'manual'
        ? { ...chargeOf(event, attempt, 'authorized'), amount: event.amount ?? undefined }
        : { ...chargeOf(event, attempt, 'captured'), captured: event.amount ?? undefined };
    case 'completed':
      return { ...chargeOf(event, attempt, 'captured'), captured: event.amount ?? undefined };
    case 'processing':
      return chargeOf(event, attempt, 'processing');
    case 'failed':
      return chargeOf(event, attempt, 'declined');
    case 'cancelled':
      return chargeOf(event, attempt, 'cancelled');
    case 'authorization_expired':
      return { ...chargeOf(event, attempt, 'cancelled'), isLapsed: true };
    case 'refunded':
    case 'refund_pending':
    case 'refund_failed':
      return { about: 'refund', ...base, event };
    case 'void_failed':
      return { about: 'failure', ...base, kind: 'void', event };
    case 'capture_failed':
      return { about: 'failure', ...base, kind: 'capture', event };
    case 'disputed':
      return { about: 'dispute', ...base, provider: event.provider, report: event.dispute };
  }
}

const chargeOf = (event: ReportedEvent, attempt: number, status: ChargeFact['status']): ChargeFact => ({
  about: 'charge',
  source: 'notification',
  attempt,
  status,
  currency: event.currency ?? undefined,
  captureBefore: event.captureBefore,
  transactionId: event.transactionId ?? undefined,
  declineCode: event.declineCode ?? undefined,
  webhook: { provider: event.provider, data: event.data, processedAt: event.receivedAt },
  event,
});
