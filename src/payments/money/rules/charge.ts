import type { AttemptEnd, AttemptOutcome } from '../state/attempt.js';
import { changeStatus, keepTransactionId } from './change.js';
import type { Draft } from '../state/draft.js';
import { type ChargeFact, SOURCES } from '../state/fact.js';
import { closeReversed, closeUncharged } from './late-charge.js';
import { alarm, APPLIED, blockedBy, ignored, type NotificationVerdict, waiting } from '../state/notification.js';
import { causeOfCancel, isOpen } from '../state/operation.js';
import type { ChangeCause, PaymentStatus } from '../state/payment-state.js';
import { applyRefundedSum } from './refund-sum.js';
import { captureOf, isAuthorized, isCallUnderWay, isOutcomePending, wasCharged } from '../state/state.js';
import type { StatusChange, StatusChangeResult } from '../state/status-change.js';

/**
 * Decides about a fact of a charge. The fact is applied if the transition table allows it, waits if it may become legal, is
 * ignored if it contradicts the payment, and raises an alarm if only a person can help.
 * - `captured` and `authorized` are applied at once: the provider charged the payer, or holds the amount.
 * - The others wait while the attempt's call may still be answered.
 * - `cancelled` waits for an open capture, which may have been made before the rest was cancelled.
 * - `cancelled` after `completed` is an alarm, unless it may be about the uncaptured rest.
 */
export function decideCharge(draft: Draft, fact: ChargeFact): NotificationVerdict {
  switch (fact.status) {
    case 'processing':
      return unfinished(draft, fact, 'processing');
    case 'declined':
      return unfinished(draft, fact, 'failed');
    case 'cancelled':
      return unfinished(draft, fact, 'cancelled');
    case 'authorized':
      return authorized(draft, fact);
    case 'captured':
      return captured(draft, fact);
    case 'not_found':
      return notFound(draft, fact);
    case 'unknown':
      draft.add({ do: 'end_attempt', end: fact.end!, transactionId: undefined });
      return APPLIED;
    case 'lost':
      return voidLost(draft, fact);
    case 'identified':
      return identified(draft, fact);
  }
}

/** Voids a charge whose outcome nothing can show. */
function voidLost(draft: Draft, { attempt }: ChargeFact): NotificationVerdict {
  const cause = isOutcomePending(draft.state.payment, attempt) ? 'expired' : 'charged_after_end';
  draft.open({ attempt, kind: 'void', cause, isCalledNow: false });
  return APPLIED;
}

/** Closes the charge of a payment that a notification without a transaction id has completed or authorised. */
function identified(draft: Draft, { attempt, transactionId }: ChargeFact): NotificationVerdict {
  draft.close(attempt, 'charge', { state: 'confirmed', lastAnswer: 'approved' });
  keepTransactionId(draft, attempt, transactionId);
  return APPLIED;
}

/** An authorisation of a payment that was captured says nothing new. */
function authorized(draft: Draft, fact: ChargeFact): NotificationVerdict {
  if (wasCharged(draft.state, fact.attempt)) return ignored('status_unchanged');
  if (!hasSameAmount(draft, fact, fact.amount)) return alarm('amount_differs');
  const end = endOf(draft, fact, 'approved');
  return changed(draft, fact, { to: 'processing', authorized: { captureBefore: fact.captureBefore }, ...end });
}

function captured(draft: Draft, fact: ChargeFact): NotificationVerdict {
  const { payment, operations } = draft.state;
  const { attempt } = fact;
  if (isGivenBack(draft, fact)) return givenBack(draft, fact);
  const isManual = payment.capture === 'manual';
  const amount = isManual ? (fact.captured ?? captureOf(operations, attempt)?.amount) : undefined;
  const isPart = amount !== undefined && Number(amount) <= Number(payment.amount);
  const isOther = wasCharged(draft.state, attempt) && differs(fact.captured, payment.amount_captured);
  if (!hasSameAmount(draft, fact, isPart ? fact.amount : (fact.captured ?? fact.amount)) || isOther)
    return alarm('amount_differs');
  const end = endOf(draft, fact, 'approved');
  const verdict = changed(draft, fact, { to: 'completed', ...(isPart && { capturedAmount: amount }), ...end });
  if (amount !== undefined) draft.closeCapture(attempt, fact.captured);
  if (fact.refunded === undefined) return verdict;
  const sum = applyRefundedSum(draft, fact, fact.refunded);
  return sum.outcome === 'ignored' ? verdict : sum;
}

function unfinished(draft: Draft, fact: ChargeFact, to: 'processing' | 'failed' | 'cancelled'): NotificationVerdict {
  const { payment } = draft.state;
  const { attempt } = fact;
  const { isPresent } = SOURCES[fact.source];
  const isCurrent = payment.attempt === attempt;
  // a payer's failed try that is reported late ends no authorisation
  if (to === 'failed' && isAuthorized(payment) && !isPresent) return ignored('payment_is_processing');
  if (to === 'cancelled' && isCurrent && payment.status === 'completed') {
    // the charge was reported as made; now the provider has cancelled it, or its rest
    return isPresent || !hasRest(draft) ? alarm('capture_failed') : ignored('status_unchanged');
  }
  const capture = captureOf(draft.state.operations, attempt);
  if (to === 'cancelled' && isCurrent && !isPresent && isAuthorized(payment) && capture && isOpen(capture))
    return waiting('payment_is_processing');
  if (fact.source !== 'answer' && isCallUnderWay(draft.state, attempt, draft.moment))
    return waiting('payment_is_pending');
  const verdict = changed(draft, fact, { to, ...endOf(draft, fact, OUTCOMES[to]) });
  const isOver = !isCurrent || payment.status === 'failed' || payment.status === 'cancelled';
  if (to !== 'processing' && (isOver || verdict.outcome === 'applied')) {
    closeUncharged(draft, attempt, answerOf(fact, to));
  }
  return verdict;
}

const OUTCOMES = { processing: 'processing', failed: 'declined', cancelled: undefined } as const;

/** How a report is stored with the operations that it closes: as the source calls it. */
function answerOf({ source, isLapsed }: ChargeFact, to: 'failed' | 'cancelled'): string {
  if (isLapsed) return 'authorization_expired';
  if (!SOURCES[source].isPresent) return to;
  return to === 'failed' ? 'declined' : 'voided';
}

/**
 * Voids an ended attempt that the provider does not know. Its call may still be on its way, and a charge after the void is
 * refused.
 */
function notFound(draft: Draft, { attempt }: ChargeFact): NotificationVerdict {
  if (isOutcomePending(draft.state.payment, attempt)) return ignored('status_unchanged');
  if (wasCharged(draft.state, attempt)) return ignored('status_unchanged');
  draft.open({ attempt, kind: 'void', cause: 'charged_after_end', isCalledNow: false });
  return APPLIED;
}

/** A part of the authorised amount, which is the payment's, was never captured. Its authorisation may not have been reported. */
const hasRest = ({ state: { payment } }: Draft): boolean =>
  payment.capture === 'manual' && Number(payment.amount_captured) < Number(payment.amount);

/** The attempt of an authorised payment was approved before. */
function endOf(draft: Draft, fact: ChargeFact, outcome: AttemptOutcome | undefined): { end?: AttemptEnd } {
  const { payment } = draft.state;
  if (fact.end) return { end: fact.end };
  if (outcome === undefined || (isAuthorized(payment) && payment.attempt === fact.attempt)) return {};
  const declineCode = outcome === 'declined' ? (fact.declineCode ?? null) : null;
  return { end: { number: fact.attempt, outcome, declineCode, ...(fact.card && { card: fact.card }) } };
}

type Change = Pick<StatusChange, 'to' | 'authorized' | 'capturedAmount' | 'end'>;

function changed(draft: Draft, fact: ChargeFact, change: Change): NotificationVerdict {
  const { payment } = draft.state;
  const { attempt, transactionId, metadata, nextAction, completedAction, webhook } = fact;
  const { isPresent } = SOURCES[fact.source];
  const isEnding = change.to === 'completed' || change.to === 'failed';
  const isUnavailable = change.end?.outcome === 'unavailable';
  const isKnown = payment.attempt === attempt && payment.provider_transaction_id !== null;
  const code = isPresent ? (change.end?.declineCode ?? null) : null;
  const outcome = changeStatus(draft, {
    cause: fact.cause ?? causeOf(draft, fact, change),
    attempt,
    ...change,
    ...(isPresent && isEnding && !isUnavailable && { via: 'processing' }),
    ...(isPresent && { providerMetadata: { ...metadata, ...(code !== null && { decline_code: code }) } }),
    ...(transactionId !== undefined && (isPresent || !isKnown) && { providerTransactionId: transactionId }),
    ...(nextAction && { nextAction }),
    ...(completedAction && { completedAction }),
    ...(webhook && { originalWebhook: webhook }),
  });
  return verdictOf(outcome, payment.status, payment.attempt === attempt);
}

/** A cancellation that we look up is ours if one of our voids may have done it, even one without an answer. */
function causeOf(draft: Draft, fact: ChargeFact, { to, end }: Change): ChangeCause {
  if (fact.isLapsed) return 'authorization_expired';
  if (end?.outcome === 'unavailable') return 'provider_unavailable';
  const voided = draft.of(fact.attempt, 'void').find(({ state }) => state !== 'refused');
  if (to === 'cancelled' && fact.source === 'look_up' && voided) return causeOfCancel(voided.cause);
  return SOURCES[fact.source].cause;
}

/**
 * Whether the provider reports our amount, or the one that a person settled. If not, the report completes nothing and no
 * further call is made.
 */
function hasSameAmount(draft: Draft, { attempt, currency }: ChargeFact, amount: string | undefined): boolean {
  const { payment, operations } = draft.state;
  const isSettled = payment.attempt === attempt && Number(payment.amount_captured) > 0;
  const amounts = [payment.amount, ...(isSettled ? [payment.amount_captured] : [])].map(Number);
  const isSame =
    (amount === undefined || amounts.includes(Number(amount))) &&
    (currency === undefined || currency.toUpperCase() === payment.currency);
  if (isSame) return true;
  const reason = `amount_mismatch: the provider reports ${amount ?? ''} ${currency ?? ''}`;
  const isStopped = (row: (typeof operations)[number]) => !row.is_tried && row.reason === reason;
  const open = operations.filter((row) => row.attempt === attempt && isOpen(row));
  if (open.some((row) => !isStopped(row))) {
    draft.add({ do: 'stop', attempt, reason });
    draft.add({ do: 'amount_mismatch', attempt });
  }
  return false;
}

/** The payment does not keep the charge, and the provider holds nothing of it any longer. */
function isGivenBack({ state }: Draft, { attempt, refunded, captured: taken, amount }: ChargeFact): boolean {
  if (refunded === undefined || isOutcomePending(state.payment, attempt) || wasCharged(state, attempt)) return false;
  return Number(refunded) >= Number(taken ?? amount ?? state.payment.amount);
}

function givenBack(draft: Draft, { attempt, transactionId }: ChargeFact): NotificationVerdict {
  keepTransactionId(draft, attempt, transactionId);
  closeUncharged(draft, attempt, 'refunded');
  closeReversed(draft, attempt, 'refunded');
  return APPLIED;
}

/** `status`: before the change. */
function verdictOf(
  outcome: StatusChangeResult['outcome'],
  status: PaymentStatus,
  isCurrent: boolean,
): NotificationVerdict {
  if (outcome === 'changed') return APPLIED;
  return ignored(outcome === 'unchanged' ? 'status_unchanged' : blockedBy(status, isCurrent));
}

const differs = (one: string | undefined, other: string): boolean => one !== undefined && Number(one) !== Number(other);
