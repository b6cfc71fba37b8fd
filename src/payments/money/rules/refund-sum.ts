import { subtractAmounts } from '../../../shared/money.js';
import { alarm, APPLIED, ignored, type NotificationVerdict, waiting } from '../state/notification.js';
import type { Draft } from '../state/draft.js';
import { type ChargeFact, SOURCES } from '../state/fact.js';
import { isOpen } from '../state/operation.js';
import { refundFound } from './refund-outcome.js';
import { wasCharged } from '../state/state.js';

/**
 * Compares the provider's sum of refunds with ours. More: a refund was made at the provider. Less: one of ours failed after
 * its success, and only a person can say which. The sum says nothing while one of ours has no outcome or a report of a refund
 * of the same charge waits, which may be one of several, or if ours was made since the provider was asked: it waits.
 */
export function applyRefundedSum(draft: Draft, fact: ChargeFact, refunded: string): NotificationVerdict {
  const { state } = draft;
  const { payment, refunds, otherRefunds, operations } = state;
  const { attempt, counted } = fact;
  const isReported = state.waiting.some(
    (each) => each.state === 'waits' && each.fact.about === 'refund' && each.fact.attempt === attempt,
  );
  if (!wasCharged(state, attempt)) return ignored('status_unchanged');
  const difference = Number(refunded) - Number(payment.amount_refunded);
  if (difference === 0) return ignored('status_unchanged');
  const isUnderWay =
    refunds.some(({ status }) => status === 'pending') ||
    operations.some((row) => row.kind === 'refund' && row.attempt === attempt && isOpen(row));
  const hasRefunds = refunds.length + otherRefunds.count > 0;
  const isStale = counted !== undefined ? Number(counted) !== Number(payment.amount_refunded) : hasRefunds;
  if (isUnderWay || isReported || isStale) return waiting(`payment_is_${payment.status}`);
  if (difference < 0) return alarm('refund_failed');
  const amount = subtractAmounts(refunded, payment.amount_refunded);
  const left = subtractAmounts(payment.amount_captured, payment.amount_refunded);
  if (Number(amount) > Number(left)) return alarm('other_refund');
  refundFound(draft, { amount, status: 'succeeded', attempt }, { cause: SOURCES[fact.source].refundCause });
  return APPLIED;
}
