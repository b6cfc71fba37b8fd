import type { ChargeAnswer, OperationAnswer, ProviderState } from '@payment-orchestrator/provider-kit';
import type { CaptureMode } from '@payment-orchestrator/routing/facts/capture-mode';
import type { KnownEnd } from './attempt.js';
import type { ChargeFact, Fact, OperationFact } from './fact.js';
import type { OperationRow } from './operation.js';
import type { ReportedEvent } from './notification.js';

const STATUS_OF_END = {
  approved: 'captured',
  processing: 'processing',
  declined: 'declined',
  soft_declined: 'declined',
  unavailable: 'declined',
} as const;

/** The fact of a charge's answer after which no further shop is tried. `end` is not `unknown`. */
export function factOfAnswer(end: KnownEnd, answer: ChargeAnswer): ChargeFact {
  const isAuthorized = answer.outcome === 'authorized';
  return {
    about: 'charge',
    source: 'answer',
    attempt: end.number,
    status: isAuthorized ? 'authorized' : STATUS_OF_END[end.outcome],
    end,
    metadata: answer.metadata,
    ...(isAuthorized && { captureBefore: answer.captureBefore }),
    ...(answer.transactionId !== undefined && { transactionId: answer.transactionId }),
    ...('nextAction' in answer && { nextAction: answer.nextAction }),
  };
}

const STATUS_OF_STATE = {
  open: 'processing',
  authorized: 'authorized',
  captured: 'captured',
  refunded: 'captured',
  voided: 'cancelled',
  declined: 'declined',
} as const;

/**
 * The fact of a provider's state of an attempt. An automatic charge that is only authorised still waits for its outcome; a
 * refunded charge was captured, and all of it was given back. `counted`: the refunded amount that the payment counted before the
 * provider was asked. `capturesLater`: the provider captures an automatic charge by itself after it has approved it, so it is charged.
 */
export function factOfState(
  found: ProviderState,
  attempt: number,
  capture: CaptureMode,
  counted?: string,
  capturesLater = false,
): ChargeFact {
  const isCaptured = capturesLater && capture === 'automatic' && found.status === 'authorized';
  const state = isCaptured ? { ...found, status: 'captured' as const } : found;
  const base = { about: 'charge', source: 'look_up', attempt } as const;
  if (state.status === 'not_found') return { ...base, status: 'not_found' };
  const isOpen = state.status === 'authorized' && capture === 'automatic';
  const status = isOpen ? 'processing' : STATUS_OF_STATE[state.status];
  const captured = status === 'captured' ? (state.capturedAmount ?? state.amount) : undefined;
  const refunded = state.status === 'refunded' ? captured : state.refundedAmount;
  return {
    ...base,
    status,
    amount: state.amount,
    currency: state.currency,
    captured,
    ...(status === 'captured' && { refunded, counted }),
    captureBefore: state.captureBefore,
    transactionId: state.transactionId,
    declineCode: state.declineCode,
    metadata: state.metadata,
    nextAction: state.nextAction,
  };
}

/**
 * The fact of an answer to a void, a capture or a refund. `lastAnswer`: the code that is stored. `isTooEarly`: of a refusal because
 * the charge is not that far yet.
 */
export const factOfOperation = (
  { id, idempotency_key: key }: Pick<OperationRow, 'id' | 'idempotency_key'>,
  answer: OperationAnswer,
  lastAnswer: string = answer.outcome,
  isTooEarly = false,
): OperationFact => ({
  ...{ about: 'operation', operation: id, key, lastAnswer },
  result: answer.outcome === 'refused' && isTooEarly ? { ...answer, isTooEarly } : answer,
});

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
