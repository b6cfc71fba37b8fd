import type { AttemptEnd } from '../state/attempt.js';
import type { Draft } from '../state/draft.js';
import { isOpen, mustReverse, reportedOperation } from '../state/operation.js';
import type { StatusChange } from '../state/status-change.js';
import type { FailureFact, RefundFact } from '../state/fact.js';
import {
  alarm,
  APPLIED,
  ignored,
  isSame,
  type NotificationReason,
  type NotificationVerdict,
  waiting,
} from '../state/notification.js';
import { captureOf } from '../state/state.js';

const CAUSE = 'charged_after_end';

/**
 * Reverses a charge of a payment that has ended or moved to another shop: a refund of a captured charge, a void of an
 * unfinished one or of an authorisation, which took nothing from the payer. The reversal is recorded with the fact, and tried until the
 * provider confirms it. The payment's status does not change. Repeated facts have no further effect. `capturedAmount`:
 * the amount to refund, if not all of the payment's.
 */
export function reverse(
  draft: Draft,
  { number: attempt, outcome }: Pick<AttemptEnd, 'number' | 'outcome'>,
  { authorized, capturedAmount }: Pick<StatusChange, 'authorized' | 'capturedAmount'> = {},
): void {
  const [charge] = draft.of(attempt, 'charge');
  if (outcome === 'processing') {
    // a late report: the provider has said since then that nothing was charged
    if (charge?.state !== 'refused') requestReversal(draft, attempt, 'void');
    return;
  }
  draft.close(attempt, 'charge', { state: 'confirmed', lastAnswer: 'approved' });
  if (authorized) return requestReversal(draft, attempt, 'void');
  draft.close(attempt, 'void', { state: 'refused', lastAnswer: 'captured', reason: 'captured' });
  requestReversal(draft, attempt, 'refund', capturedAmount);
  const { payment, attempts } = draft.state;
  if (payment.charged_after_end) return;
  const provider = attempts.find(({ number }) => number === attempt)?.provider ?? payment.payment_provider;
  draft.add({ do: 'late_charge', attempt, provider, amount: capturedAmount });
}

function requestReversal(draft: Draft, attempt: number, kind: 'void' | 'refund', amount?: string): void {
  draft.open({ attempt, kind, cause: CAUSE, amount, isCalledNow: false });
}

/** The provider holds nothing of an attempt: its charge and captures are over, and a void has nothing left to do. */
export function closeUncharged(draft: Draft, attempt: number, lastAnswer: string): void {
  const refused = { state: 'refused', lastAnswer, reason: lastAnswer } as const;
  draft.close(attempt, 'charge', refused);
  draft.close(attempt, 'capture', refused);
  const voided = draft.close(attempt, 'void', { state: 'confirmed', lastAnswer });
  if (voided?.cause === CAUSE) draft.add({ do: 'late_charge_reversed' });
}

/** A reversal that is under way is done: the provider has given the money back. */
export function closeReversed(draft: Draft, attempt: number, lastAnswer: string): void {
  const reversal = draft.of(attempt, 'refund').find((row) => row.cause === CAUSE && isOpen(row));
  if (!reversal) return;
  draft.record(reversal, { state: 'confirmed', lastAnswer });
  draft.add({ do: 'late_charge_reversed' });
}

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
