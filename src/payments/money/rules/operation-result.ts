import { decideCharge } from './charge.js';
import type { Draft } from '../state/draft.js';
import type { ChargeFact, OperationFact } from '../state/fact.js';
import { APPLIED, ignored, type NotificationVerdict } from '../state/notification.js';
import { causeOfCancel, isOpen, mustReverse } from '../state/operation.js';
import { isRefundOfPayment } from '../state/refund.js';
import { refundFailed, refundSucceeded } from './refund-outcome.js';
import { type MoneyOperation, wasCharged } from '../state/state.js';

/**
 * Decides about the result of a call for a void, a capture or a refund. A closed operation, or one that has another key by
 * now, does not change. A necessary reversal is requested again under another key after a refusal, and so is a refund that comes before the capture.
 */
export function decideOperation(draft: Draft, fact: OperationFact): NotificationVerdict {
  const operation = draft.operation(fact.operation);
  if (!operation || !isOpen(operation) || operation.idempotency_key !== fact.key) return ignored('status_unchanged');
  const { result } = fact;
  const shown = fact.charge && byCharge(draft, operation, fact, fact.charge);
  if (shown) return shown;
  switch (result.outcome) {
    case 'confirmed':
      return confirmed(draft, operation, fact.lastAnswer, result.operationId);
    case 'pending':
      return pending(draft, operation, result.operationId);
    case 'refused':
      return refused(draft, operation, fact, result);
  }
}

/**
 * The state of the charge decides about its operation. `undefined`: it does not, because nothing was captured or ended. A void of a
 * captured charge has nothing left to void: the payment is completed, or the charge is refunded.
 */
function byCharge(
  draft: Draft,
  operation: MoneyOperation,
  { lastAnswer }: OperationFact,
  charge: ChargeFact,
): NotificationVerdict | undefined {
  const { status } = charge;
  if (status === 'processing' || status === 'authorized') return undefined;
  if (operation.kind === 'capture') return status === 'not_found' ? undefined : decideCharge(draft, charge);
  const isKept = wasCharged(draft.state, operation.attempt) && operation.kind === 'void';
  const isReturned = Number(charge.refunded ?? 0) >= Number(charge.captured ?? charge.amount);
  if (status !== 'captured' || (isReturned && !isKept)) return confirmed(draft, operation, lastAnswer, undefined);
  if (operation.kind !== 'void') return undefined;
  draft.record(operation, { state: 'refused', lastAnswer: 'captured', reason: 'captured' });
  return decideCharge(draft, charge);
}

function confirmed(
  draft: Draft,
  operation: MoneyOperation,
  lastAnswer: string,
  providerOperationId: string | undefined,
): NotificationVerdict {
  draft.record(operation, { state: 'confirmed', lastAnswer, providerOperationId });
  const { kind, cause, attempt } = operation;
  if (kind === 'capture') return captured(draft, operation);
  const isReversal = cause === 'charged_after_end';
  if (kind === 'refund' && !isReversal) return refundConfirmed(draft, operation, providerOperationId);
  if (isReversal) {
    if (kind === 'void') draft.close(attempt, 'charge', { state: 'refused', lastAnswer: 'voided', reason: 'voided' });
    draft.add({ do: 'late_charge_reversed' });
    return APPLIED;
  }
  return decideCharge(draft, {
    ...{ about: 'charge', source: 'answer', attempt, status: 'cancelled', cause: causeOfCancel(cause) },
  });
}

/** A capture of a payment that has ended meanwhile is reversed like a late charge. */
const captured = (draft: Draft, { attempt, amount }: MoneyOperation): NotificationVerdict =>
  decideCharge(draft, {
    ...{ about: 'charge', source: 'answer', attempt, status: 'captured', captured: amount, cause: 'capture_requested' },
  });

function refundConfirmed(
  draft: Draft,
  { refund_id: id }: MoneyOperation,
  providerRefundId: string | undefined,
): NotificationVerdict {
  const refund = draft.state.refunds.find((row) => row.id === id);
  if (refund) refundSucceeded(draft, refund, { cause: 'refund_requested', providerRefundId });
  return APPLIED;
}

/** Keeps the provider's id: notifications about this id may have arrived before. */
function pending(draft: Draft, operation: MoneyOperation, providerOperationId: string): NotificationVerdict {
  if (operation.state === 'pending' && operation.provider_operation_id === providerOperationId)
    return ignored('status_unchanged');
  draft.record(operation, { state: 'pending', lastAnswer: 'pending', providerOperationId });
  if (operation.refund_id !== null && isRefundOfPayment(operation))
    draft.add({ do: 'identify_refund', refund: operation.refund_id, providerRefundId: providerOperationId });
  return APPLIED;
}

function refused(
  draft: Draft,
  operation: MoneyOperation,
  { lastAnswer }: OperationFact,
  result: OperationFact['result'] & { outcome: 'refused' },
): NotificationVerdict {
  const { reason, isUnavailable = false, isTooEarly = false, isFinal = false, operationId } = result;
  if (isUnavailable && operation.key_calls > 1) return ignored('status_unchanged');
  // a refund waits for the capture; a payment that waits for its payer is the merchant's to cancel later
  const isWaiting = isTooEarly && operation.kind === 'refund';
  if (!isFinal && (isWaiting || mustReverse(operation, draft.state.payment.status))) {
    draft.add({ do: 'repeat', operation: operation.id, lastAnswer, reason, isUnavailable });
    return APPLIED;
  }
  draft.record(operation, { state: 'refused', lastAnswer, reason, isUnavailable, providerOperationId: operationId });
  const refund = draft.state.refunds.find(({ id }) => id === operation.refund_id);
  if (refund) refundFailed(draft, refund, { code: codeOf(result), providerRefundId: operationId });
  return APPLIED;
}

const CODE = /^[a-z0-9_]{1,100}$/;

/** A sentence is no code: its texts may change. */
const codeOf = ({ code, reason }: { code?: string | undefined; reason: string }): string =>
  code ?? (CODE.test(reason) ? reason : 'refund_refused');
