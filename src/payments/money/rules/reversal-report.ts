import type { Draft } from '../state/draft.js';
import type { FailureFact, RefundFact } from '../state/fact.js';
import { isSame, type NotificationReason, type NotificationVerdict } from '../state/notification.js';
import { isOpen, mustReverse, reportedOperation } from '../state/operation.js';
import { captureOf } from '../state/state.js';
import { alarm, APPLIED, ignored, waiting } from '../state/verdict.js';

/** Confirms the reversal of a late charge, which may not have been reported yet. */
export function decideReversal(
  draft: Draft,
  { attempt, event }: RefundFact,
  reason: NotificationReason,
): NotificationVerdict {
  const { operations, payment } = draft.state;
  const refund = reportedOperation(operations, { attempt, kind: 'refund' }, event.operationId);
  if (refund === 'undetermined' || event.status === 'refund_pending') return waiting(reason);
  const ours = draft.of(attempt, 'refund');
  // a look-up confirms it without its id
  const confirmed = ours.find(({ state }) => state === 'confirmed');
  if (!isSame(event, refund === 'none' ? (confirmed ?? payment) : refund)) return alarm('amount_differs');
  if (refund === 'none') {
    if (ours.some(isOpen)) return alarm('other_refund');
    return confirmed ? ignored(reason) : waiting(reason);
  }
  if (refund.state === 'refused') return alarm('refund_failed');
  if (!isOpen(refund)) return ignored(reason);
  draft.record(refund, { state: 'confirmed', lastAnswer: 'refunded' });
  draft.add({ do: 'late_charge_reversed' });
  return APPLIED;
}

const CODES = { void: 'void_failed', refund: 'refund_failed', capture: 'capture_failed' } as const;

/**
 * Decides about the failure of a void, a capture or a reversal. The provider's id identifies an operation of ours; a report
 * about another never changes ours. A necessary reversal or void is requested again under another key, a merchant's request
 * is refused. A confirmed operation stays confirmed: a person must act.
 */
export function decideFailure(draft: Draft, { attempt, kind, event }: FailureFact): NotificationVerdict {
  const { payment, operations } = draft.state;
  const reason = CODES[kind];
  const { operationId } = event;
  const operation =
    kind === 'capture'
      ? reportedCapture(draft, attempt, operationId)
      : reportedOperation(operations, { attempt, kind }, operationId);
  if (operation === 'undetermined') return waiting(`payment_is_${payment.status}`);
  if (operation === 'none' || !isOpen(operation)) return alarm(reason);
  const code = event.declineCode ?? reason;
  if (mustReverse(operation, payment.status))
    draft.add({ do: 'repeat', operation: operation.id, lastAnswer: reason, reason, isUnavailable: false });
  else draft.record(operation, { state: 'refused', lastAnswer: reason, reason: code });
  return alarm(reason);
}

function reportedCapture({ state }: Draft, attempt: number, operationId: string | null) {
  const capture = captureOf(state.operations, attempt);
  if (!capture) return 'none';
  const isOther = operationId !== null && operationId !== capture.provider_operation_id;
  if (!isOther) return capture;
  return isOpen(capture) && capture.provider_operation_id === null ? 'undetermined' : 'none';
}
