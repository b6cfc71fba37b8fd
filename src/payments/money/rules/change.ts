import { isDeepStrictEqual } from 'node:util';
import { PAYMENT_METHOD_UNUSABLE } from '@payment-orchestrator/provider-kit';
import type { PaymentRow } from '../state/payment.js';
import { type AttemptEnd, isAccepted } from '../state/attempt.js';
import type { Draft } from '../state/draft.js';
import { reverse } from './late-charge.js';
import { authorizedAfter, statesAfter, type StatusChange, type StatusChangeResult } from '../state/status-change.js';

/**
 * Changes the status if the transition table allows it. Otherwise the facts that only this report has are kept, and a late
 * charge is reversed.
 */
export function changeStatus(draft: Draft, requested: StatusChange): StatusChangeResult['outcome'] {
  const change = withOwnTransactionId(draft, withReason(draft, requested));
  const before = draft.state.payment;
  const states = statesAfter(before, change, draft.moment.now);
  if (typeof states !== 'string') {
    draft.add({ do: 'status', states, change });
    link(draft, before);
    return 'changed';
  }
  const { end, providerTransactionId: transactionId } = change;
  if (end && states !== 'superseded') draft.add({ do: 'end_attempt', end, transactionId });
  keepAnswer(draft, change, states === 'superseded');
  if (end && isLate(before, end, states)) reverse(draft, end, change);
  const after = authorizedAfter(draft.state.payment, change, draft.moment.now);
  if (!after) return states;
  draft.add({ do: 'keep_authorization', after });
  return 'changed';
}

/** Keeps the provider's id of a charge, whose outcome is known: later reports may have only this id. */
export function keepTransactionId(draft: Draft, attempt: number, transactionId: string | undefined): void {
  const { status: to } = draft.state.payment;
  if (transactionId === undefined) return;
  changeStatus(draft, { to, cause: 'provider_lookup', attempt, providerTransactionId: transactionId });
}

/** The provider accepted a charge that the payment no longer waits for. */
const isLate = (payment: PaymentRow, end: AttemptEnd, outcome: 'unchanged' | 'refused' | 'superseded'): boolean =>
  isAccepted(end) && (outcome === 'superseded' || payment.status === 'failed' || payment.status === 'cancelled');

/** Notifications that arrived before the transaction id that they are about have found their payment. */
function link(draft: Draft, before: PaymentRow): void {
  const { provider_transaction_id: transactionId, attempt } = draft.state.payment;
  if (transactionId === null || transactionId === before.provider_transaction_id) return;
  const isEarly = draft.state.waiting.some((each) => each.state === 'early' && each.transactionId === transactionId);
  if (isEarly) draft.add({ do: 'link', attempt, transactionId });
}

/** Keeps the facts that only the answer has, when a notification was faster. */
function keepAnswer(draft: Draft, change: StatusChange, isSuperseded: boolean): void {
  const before = draft.state.payment;
  const { attempt, cause, to, end, nextAction, completedAction, providerMetadata = {} } = change;
  const { providerTransactionId: transactionId } = change;
  const known = draft.state.attempts.find(({ number }) => number === attempt)?.provider_transaction_id ?? null;
  const isNewId =
    transactionId !== undefined && (isSuperseded ? known === null : before.provider_transaction_id === null);
  const isMetadata = !isSuperseded && cause === 'provider_answer' && Object.keys(providerMetadata).length > 0;
  // a repeat may be slower than the answer to the step after it
  const isCompleted = completedAction !== undefined && isDeepStrictEqual(before.next_action, completedAction);
  const isFirst = nextAction !== undefined && before.next_action === null && completedAction === undefined;
  const isNextAction = !isSuperseded && to === before.status && (isCompleted || isFirst);
  if (attempt === undefined || !(isNewId || isMetadata || isNextAction || end?.card)) return;
  const after = {
    ...before,
    ...(isMetadata && { provider_metadata: { ...before.provider_metadata, ...providerMetadata } }),
    ...(isNextAction && { next_action: nextAction ?? null }),
    ...(!isSuperseded && { provider_transaction_id: before.provider_transaction_id ?? transactionId ?? null }),
  };
  draft.add({ do: 'keep_answer', attempt, transactionId, after, card: end?.card });
  link(draft, before);
}

/** Writes the change without the id when a provider gives one id to two payments: the charge was made anyway. */
function withOwnTransactionId({ state }: Draft, change: StatusChange): StatusChange {
  const { providerTransactionId: id, ...rest } = change;
  if (id === undefined || id === state.payment.provider_transaction_id || !state.takenIds.includes(id)) return change;
  return { ...rest, providerMetadata: { ...rest.providerMetadata, repeated_transaction_id: id } };
}

/**
 * An unknown token at the last shop says nothing about the payer, so the decline code of an earlier shop stays the payment's
 * reason.
 */
function withReason({ state }: Draft, change: StatusChange): StatusChange {
  const { end, providerMetadata } = change;
  if (end === undefined || !isUnknownToken(end.declineCode) || !providerMetadata) return change;
  const earlier = state.attempts.findLast(({ number, decline_code: code }) => number < end.number && isReason(code));
  return earlier ? { ...change, providerMetadata: { decline_code: earlier.decline_code } } : change;
}

/** Whether the reason of an earlier attempt is the payment's reason. */
export const needsEarlierReason = ({ end, providerMetadata }: StatusChange): boolean =>
  end !== undefined && end.number > 1 && isUnknownToken(end.declineCode) && providerMetadata !== undefined;

const isUnknownToken = (code: string | null): boolean => code === PAYMENT_METHOD_UNUSABLE.declineCode;
const isReason = (code: string | null): boolean => code !== null && !isUnknownToken(code);
