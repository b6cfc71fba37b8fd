import { toJsonAmount } from '../../../shared/money.js';
import { invalidField, Problem } from '../../../shared/problem.js';
import type { AttemptEnd } from '../state/attempt.js';
import { changeStatus, keepTransactionId } from './change.js';
import type { Draft } from '../state/draft.js';
import type { SettlementFact } from '../state/fact.js';
import { closeUncharged } from './late-charge.js';
import { APPLIED, type NotificationVerdict } from '../state/notification.js';
import { isOpen } from '../state/operation.js';
import { refundFailed, refundSucceeded } from './refund-outcome.js';
import { SETTLEMENTS, settledKind, type Settlement } from '../state/settlement.js';
import { isAuthorized, isOutcomePending, type MoneyOperation, type MoneyState, wasCharged } from '../state/state.js';
import type { StatusChange } from '../state/status-change.js';

const CAUSE = 'settled_by_operator';

/**
 * Closes an operation as a person found it at the provider. The payment follows along the transition table, a refund follows its
 * operation, and the other open operations of the attempt end with the charge. A charge that turns out to be captured after the
 * payment's end is reversed, as for every other report. Throws `operation_closed`, `illegal_status_change` and
 * `validation_failed`.
 */
export function decideSettlement(draft: Draft, fact: SettlementFact): NotificationVerdict {
  const operation = draft.operation(fact.operation)!;
  if (!isOpen(operation)) throw closed(operation);
  const settlement = SETTLEMENTS[settledKind(operation)][fact.outcome]!;
  requireLegal(draft.state, operation, settlement, fact);
  const { attempt, kind } = operation;
  const providerOperationId = kind === 'charge' ? undefined : fact.providerId;
  const reason = `settled as ${fact.outcome}: ${fact.reason}`;
  draft.record(operation, { state: settlement.state, lastAnswer: '', reason, providerOperationId, isSettled: true });
  if (kind === 'refund') return settleRefund(draft, operation, settlement, fact);
  const { to } = settlement;
  if (to === null) return APPLIED;
  if (to === 'completed') return settleCaptured(draft, operation, fact);
  closeOthers(draft, attempt, fact.outcome);
  if (isOutcomePending(draft.state.payment, attempt)) {
    changeStatus(draft, changeOf(draft, operation, to, fact));
    return APPLIED;
  }
  if (kind === 'charge') keepTransactionId(draft, attempt, fact.providerId);
  if (to === 'refunded' || operation.cause === 'charged_after_end') draft.add({ do: 'late_charge_reversed' });
  return APPLIED;
}

export const closed = ({ id, state }: Pick<MoneyOperation, 'id' | 'state'>): Problem =>
  new Problem('operation_closed', { detail: `operation ${id} is ${state}` });

/** A person gave the id of another payment. */
export const idTaken = (transactionId: string | undefined): Problem =>
  new Problem('transaction_id_taken', {
    detail: `another payment of the shop has the transaction id ${transactionId ?? ''}; look at the transaction of this payment`,
  });

function settleRefund(
  draft: Draft,
  operation: MoneyOperation,
  { state }: Settlement,
  { providerId: providerRefundId }: SettlementFact,
): NotificationVerdict {
  if (settledKind(operation) === 'late_refund') draft.add({ do: 'late_charge_reversed' });
  const refund = draft.state.refunds.find(({ id }) => id === operation.refund_id);
  if (refund && state === 'confirmed') refundSucceeded(draft, refund, { cause: CAUSE, providerRefundId });
  if (refund && state === 'refused') refundFailed(draft, refund, { code: CAUSE, providerRefundId });
  return APPLIED;
}

/** The charge is done, nothing is left to void, and an open capture was this one or another. */
function settleCaptured(draft: Draft, operation: MoneyOperation, fact: SettlementFact): NotificationVerdict {
  const { attempt } = operation;
  changeStatus(draft, changeOf(draft, operation, 'completed', fact));
  draft.close(attempt, 'charge', { state: 'confirmed', lastAnswer: 'captured' });
  draft.close(attempt, 'void', { state: 'refused', lastAnswer: 'captured', reason: 'captured' });
  draft.closeCapture(attempt, fact.amount);
  return APPLIED;
}

/** Nothing is left to charge, to capture or to void. */
function closeOthers(draft: Draft, attempt: number, outcome: SettlementFact['outcome']): void {
  const reason = `settled as ${outcome}`;
  if (outcome !== 'refunded') return closeUncharged(draft, attempt, outcome);
  for (const kind of ['charge', 'capture', 'void'] as const)
    draft.close(attempt, kind, { state: 'confirmed', lastAnswer: outcome, reason });
}

function changeOf(
  { state: { payment } }: Draft,
  { attempt, kind }: MoneyOperation,
  to: 'completed' | 'failed' | 'cancelled' | 'refunded',
  { amount: capturedAmount, providerId }: SettlementFact,
): StatusChange {
  const outcome = to === 'failed' ? 'declined' : to === 'cancelled' ? undefined : 'approved';
  // the attempt of an authorised payment was approved before
  const isKnown = isAuthorized(payment) && payment.attempt === attempt;
  const end: AttemptEnd | undefined =
    isKnown || outcome === undefined ? undefined : { number: attempt, outcome, declineCode: null };
  return {
    to,
    cause: CAUSE,
    ...(to === 'refunded' && { via: 'completed' }),
    ...((to === 'completed' || to === 'failed') && { via: 'processing' }),
    ...((to === 'completed' || to === 'refunded') && { capturedAmount }),
    ...(kind === 'charge' && providerId !== undefined && { providerTransactionId: providerId }),
    attempt,
    ...(end && { end }),
  };
}

/** The payment can follow, and the reversal of a late charge refunds the captured amount. */
function requireLegal(
  state: MoneyState,
  operation: MoneyOperation,
  { to }: Settlement,
  { outcome, amount, providerId }: SettlementFact,
): void {
  const { payment, attempts } = state;
  const { id, status } = payment;
  const isDone = wasCharged(state, operation.attempt);
  if (isDone && to !== null && to !== 'completed') {
    const detail = `payment ${id} is ${status}; operation ${operation.id} cannot be settled as ${outcome}`;
    throw new Problem('illegal_status_change', { detail });
  }
  const known = attempts.find(({ number }) => number === operation.attempt)?.provider_transaction_id ?? null;
  if (operation.kind === 'charge' && providerId !== undefined && known !== null && known !== providerId) {
    throw invalidField('provider_transaction_id', `must be ${known}, the transaction of the attempt`);
  }
  if (operation.kind === 'charge' && providerId !== undefined && state.takenIds.includes(providerId))
    throw idTaken(providerId);
  if (to !== 'completed' || isOutcomePending(payment, operation.attempt)) return;
  const expected = isDone ? payment.amount_captured : payment.amount;
  if (Number(amount) === Number(expected)) return;
  const otherwise = isDone
    ? 'was captured'
    : 'the service can refund: refund it at the provider, then settle as refunded';
  throw invalidField('amount', `must be ${toJsonAmount(expected)}, the amount that ${otherwise}`);
}
