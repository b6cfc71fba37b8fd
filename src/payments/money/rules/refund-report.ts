import { subtractAmounts } from '../../../shared/money.js';
import type { Draft } from '../state/draft.js';
import type { RefundFact } from '../state/fact.js';
import {
  alarm,
  APPLIED,
  blockedBy,
  ignored,
  isSame,
  type NotificationVerdict,
  type ReportedEvent,
  waiting,
} from '../state/notification.js';
import { isOpen } from '../state/operation.js';
import { isRefundOfPayment } from '../state/refund.js';
import { refundFailed, refundFound, type RefundReport, refundSucceeded } from './refund-outcome.js';
import { decideFailure, decideReversal } from './late-charge.js';
import { type MoneyOperation, type MoneyRefund, type MoneyState, wasCharged } from '../state/state.js';

/**
 * Decides about a provider's report of a refund. The provider's id identifies it; an unknown id is a refund that was made at
 * the provider, unless one of ours has no id yet. Sums decide when a payment is refunded. For one refund a failure counts
 * more than a success, in any order. After the payment has ended otherwise or moved to another shop, the report is about
 * the reversal of a late charge.
 */
export function decideRefund(draft: Draft, fact: RefundFact): NotificationVerdict {
  const { state } = draft;
  const { attempt, event } = fact;
  const isCurrent = state.payment.attempt === attempt;
  const { status } = state.payment;
  const reason = blockedBy(status, isCurrent);
  if (event.status === 'refund_failed') {
    if (!wasCharged(state, attempt)) return decideFailure(draft, { ...fact, about: 'failure', kind: 'refund' });
    return failed(draft, fact);
  }
  if (isCurrent && (status === 'pending' || status === 'processing')) return waiting(reason);
  if (event.operationId !== null && state.failedRefunds.includes(event.operationId)) return ignored('refund_failed');
  if (!wasCharged(state, attempt)) return decideReversal(draft, fact, reason);
  const reported = reportedRefund(state.refunds, event);
  if (reported.is === 'undetermined') return waiting(reason);
  return reported.is === 'refund' ? succeeded(draft, fact, reported.refund) : otherRefund(draft, fact);
}

/** A refund of ours that fails while it is pending is no alarm: its client sees it. A person looks at every other failure. */
function failed(draft: Draft, { event }: RefundFact): NotificationVerdict {
  const { refunds, payment } = draft.state;
  const reported = reportedRefund(refunds, event);
  if (reported.is === 'undetermined') return waiting(`payment_is_${payment.status}`);
  if (reported.is === 'unknown') return alarm('refund_failed');
  const { refund } = reported;
  if (refund.status === 'failed') return ignored('refund_failed');
  const code = event.declineCode ?? 'refund_failed';
  const operation = operationOf(draft, refund);
  if (operation && operation.state !== 'refused')
    draft.record(operation, { state: 'refused', lastAnswer: 'refund_failed', reason: code });
  refundFailed(draft, refund, { code, ...reportOf(event) });
  // a refund at the provider can take the amount of a failed one, and be reported before that failure
  if (draft.state.waiting.some(({ state }) => state === 'parked')) draft.add({ do: 'unpark' });
  return refund.status === 'pending' && refund.origin === 'api' ? APPLIED : alarm('refund_failed');
}

function succeeded(draft: Draft, { event }: RefundFact, refund: MoneyRefund): NotificationVerdict {
  if (!isSame(event, refund)) return alarm('amount_differs');
  const { operationId } = event;
  if (operationId !== null && refund.provider_refund_id === null)
    draft.add({ do: 'identify_refund', refund: refund.id, providerRefundId: operationId });
  if (refund.status === 'failed') return afterFailure(event, refund);
  if (refund.status === 'succeeded' || event.status === 'refund_pending') return ignored('status_unchanged');
  const operation = operationOf(draft, refund);
  if (operation && isOpen(operation)) draft.record(operation, { state: 'confirmed', lastAnswer: 'refunded' });
  refundSucceeded(draft, refund, reportOf(event));
  return APPLIED;
}

/** A success that is reported after a failure came late, unless a person has settled the refund as not made. */
function afterFailure({ status }: ReportedEvent, { failure_code: code }: MoneyRefund): NotificationVerdict {
  const isMade = code === 'settled_by_operator' && status === 'refunded';
  return isMade ? alarm('other_refund') : ignored('refund_failed');
}

/** A refund that was made at the provider. While one of ours is pending that would exceed the rest, it waits: that one may fail. */
function otherRefund(draft: Draft, { attempt, event }: RefundFact): NotificationVerdict {
  const { payment, refunds } = draft.state;
  if (event.currency !== null && event.currency.toUpperCase() !== payment.currency) return alarm('amount_differs');
  const left = subtractAmounts(payment.amount_captured, payment.amount_refunded);
  const amount = event.amount ?? left;
  if (event.operationId === null && Number(left) === 0 && isRepeat(draft, event)) return ignored('status_unchanged');
  const unexplained = amountUnexplained(draft.state);
  const isExplained = Number(unexplained) >= Number(amount);
  const uncounted = isExplained ? '0' : subtractAmounts(amount, unexplained);
  if (Number(amount) <= 0 || Number(uncounted) > Number(left)) {
    const mayFail = refunds.some(({ status }) => status === 'pending');
    return mayFail ? waiting(`payment_is_${payment.status}`) : alarm('other_refund');
  }
  const status = event.status === 'refund_pending' ? 'pending' : 'succeeded';
  const refund = { amount, uncounted, status, attempt, providerRefundId: event.operationId } as const;
  refundFound(draft, refund, reportOf(event));
  return APPLIED;
}

/** A report without an id of a refund that may be known already. */
const isRepeat = ({ state: { payment, refunds } }: Draft, { amount }: ReportedEvent): boolean =>
  amount === null ||
  [payment.amount_captured, ...refunds.map((refund) => refund.amount)].some(
    (known) => Number(known) === Number(amount),
  );

const operationOf = ({ state }: Draft, { id }: MoneyRefund): MoneyOperation | undefined =>
  state.operations.find(({ refund_id: refundId }) => refundId === id);

const reportOf = ({ provider, data, receivedAt: processedAt, operationId }: ReportedEvent): RefundReport => ({
  cause: 'provider_notification',
  webhook: { provider, data, processedAt },
  providerRefundId: operationId,
});

/** Whether a refund of the payment was made before refund objects existed: only its operation is left. */
const isOldRefund = (operation: MoneyOperation): boolean =>
  isRefundOfPayment(operation) && operation.refund_id === null;

/**
 * The refunded amount that no refund explains: of a payment from before refund objects, or one that a look-up found
 * refunded. A provider's report of a refund explains it, and counts only once.
 */
function amountUnexplained({ payment, refunds, otherRefunds, operations }: MoneyState): string {
  const explained = [
    ...refunds.filter(({ status }) => status !== 'failed'),
    ...operations.filter((row) => isOldRefund(row) && row.state === 'confirmed'),
  ];
  return subtractAmounts(payment.amount_refunded, otherRefunds.sum, ...explained.map(({ amount }) => amount));
}

/**
 * `undetermined`: one of ours has no id of the provider yet and may be the one; its answer or recovery will show. `unknown`:
 * none of ours.
 */
type Reported = { is: 'refund'; refund: MoneyRefund } | { is: 'undetermined' } | { is: 'unknown' };

type Report = Pick<ReportedEvent, 'status' | 'amount' | 'operationId'>;

/**
 * The refund that a provider reports. The provider's id identifies it. A failure never matches a refund if only one of
 * the two has an id. A success may give its id to a refund of the same amount that succeeded without one.
 */
function reportedRefund(refunds: readonly MoneyRefund[], event: Report): Reported {
  const found = event.operationId === null ? withoutId(refunds, event) : withId(refunds, event);
  return typeof found === 'string' ? { is: found } : { is: 'refund', refund: found };
}

function withId(refunds: readonly MoneyRefund[], event: Report): MoneyRefund | 'undetermined' | 'unknown' {
  const refund = refunds.find((each) => each.provider_refund_id === event.operationId);
  if (refund) return refund;
  if (refunds.some((each) => each.status === 'pending' && each.provider_refund_id === null)) return 'undetermined';
  if (event.status === 'refund_failed') return 'unknown';
  // some answers and look-ups confirm a refund without its id
  const unnamed = refunds.filter((each) => each.status === 'succeeded' && each.provider_refund_id === null);
  return unnamed.find((each) => mayBe(event, each)) ?? 'unknown';
}

/** A report without an id means the only refund that is under way, with its amount. */
function withoutId(refunds: readonly MoneyRefund[], event: Report): MoneyRefund | 'unknown' {
  const isFailure = event.status === 'refund_failed';
  const pending = refunds.filter(
    (each) => each.status === 'pending' && mayBe(event, each) && !(isFailure && each.provider_refund_id !== null),
  );
  return pending.length === 1 ? pending[0]! : 'unknown';
}

const mayBe = ({ amount }: Report, known: Pick<MoneyRefund, 'amount'>): boolean =>
  amount === null || Number(amount) === Number(known.amount);
