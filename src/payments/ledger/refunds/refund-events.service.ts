import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { subtractAmounts } from '../../../shared/money.js';
import type { NotificationVerdict, ReportedEvent } from '../notification.js';
import { isOpen, type OperationRow } from '../operation.js';
import { OperationRecords } from '../operation-records.service.js';
import type { PaymentRow } from '../payment.queries.js';
import { amountUnexplained, type RefundRow } from './refund.js';
import { RefundOutcomes, type RefundReport } from './refund-outcomes.service.js';
import { RefundRecords } from './refund-records.service.js';
import { type KnownRefunds, reportedRefund } from './reported-refund.js';
import {
  type BlockingReason,
  type EventContext,
  isSame,
  ReversalEvents,
  wasCharged,
} from './reversal-events.service.js';
import { IS_REFUND_FAILED, markWaiting, RETRY_OTHER_REFUNDS } from '../waiting.queries.js';

const NOTHING_NEW: NotificationVerdict = { outcome: 'ignored', reason: 'status_unchanged' };

/**
 * Applies a provider's report of a refund, or of a failed void or refund. The provider's id identifies a refund; an
 * unknown id is a refund that was made at the provider, unless one of ours has no id yet. Sums decide when a payment is
 * refunded. For one refund a failure counts more than a success, in any order. After the payment has ended otherwise or
 * moved to another shop, the report is about the reversal of a late charge.
 */
@Injectable()
export class RefundEvents {
  constructor(
    private readonly operations: OperationRecords,
    private readonly reversals: ReversalEvents,
    private readonly refunds: RefundRecords,
    private readonly outcomes: RefundOutcomes,
  ) {}

  /** Applies a successful refund, or one that the provider has accepted. */
  async succeeded(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    if (await hasFailed(context)) return { outcome: 'ignored', reason: 'refund_failed' };
    if (!wasCharged(context)) return this.reversals.succeeded(context, reason);
    const { event } = context;
    const known = await this.known(context);
    const reported = reportedRefund(known, event);
    switch (reported.is) {
      case 'undetermined':
        return { outcome: 'waiting', reason };
      case 'unknown':
        return this.otherRefund(context, known, reason);
      case 'old':
        return this.oldSucceeded(context, reported.operation);
      case 'refund':
        return this.knownSucceeded(context, known, reported.refund);
    }
  }

  /** Fails a refund, a void or a capture. A person looks at every failure: the payer did not get the money. */
  async failed(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    const isOfRefund = context.event.status === 'refund_failed' && wasCharged(context);
    return isOfRefund ? this.refundFailed(context, reason) : this.reversals.failed(context, reason);
  }

  private async refundFailed(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    const { transaction, payment, event } = context;
    const code = 'refund_failed';
    const known = await this.known(context);
    const reported = reportedRefund(known, event);
    if (reported.is === 'undetermined') return { outcome: 'waiting', reason };
    if (reported.is === 'unknown') return { outcome: 'alarm', reason: code };
    const operation = reported.is === 'old' ? reported.operation : operationOf(known, reported.refund);
    const isKnown =
      reported.is === 'old' ? reported.operation.state === 'refused' : reported.refund.status === 'failed';
    if (isKnown) return { outcome: 'ignored', reason: code };
    if (operation) await this.operations.refuseRefund(transaction, operation, code);
    const failure = { code, ...reportOf(event) };
    if (reported.is === 'refund') {
      const after = await this.outcomes.failed(transaction, payment, reported.refund, failure);
      return { outcome: 'alarm', reason: code, payment: await retryOthers(transaction, after) };
    }
    // an open refund of an older process was not counted yet
    if (isOpen(reported.operation)) return { outcome: 'alarm', reason: code };
    const after = await this.outcomes.oldFailed(transaction, payment, reported.operation, failure);
    return { outcome: 'alarm', reason: code, payment: await retryOthers(transaction, after) };
  }

  private async knownSucceeded(
    context: EventContext,
    known: KnownRefunds,
    refund: RefundRow,
  ): Promise<NotificationVerdict> {
    const { transaction, payment, event } = context;
    if (!isSame(event, refund)) return { outcome: 'alarm', reason: 'amount_differs' };
    if (event.operationId !== null) await this.refunds.identify(transaction, refund, event.operationId);
    if (refund.status === 'failed') return afterFailure(event, refund);
    if (refund.status === 'succeeded' || event.status === 'refund_pending') return NOTHING_NEW;
    const operation = operationOf(known, refund);
    if (operation) await this.operations.record(transaction, operation, { state: 'confirmed', lastAnswer: 'refunded' });
    const after = await this.outcomes.succeeded(transaction, payment, refund, reportOf(event));
    return { outcome: 'applied', reason: null, payment: after };
  }

  private async oldSucceeded(context: EventContext, operation: OperationRow): Promise<NotificationVerdict> {
    const { transaction, payment, event } = context;
    if (!isSame(event, operation)) return { outcome: 'alarm', reason: 'amount_differs' };
    if (operation.state === 'refused') return { outcome: 'alarm', reason: 'refund_failed' };
    if (operation.state === 'confirmed' || event.status === 'refund_pending') return NOTHING_NEW;
    await this.operations.record(transaction, operation, { state: 'confirmed', lastAnswer: 'refunded' });
    const after = await this.outcomes.confirmed(transaction, payment, operation, reportOf(event));
    return { outcome: 'applied', reason: null, payment: after };
  }

  /** A refund that was made at the provider. While one of ours is pending that would exceed the rest, it waits: that one may fail. */
  private async otherRefund(
    context: EventContext,
    { refunds, operations }: KnownRefunds,
    reason: BlockingReason,
  ): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    if (event.currency !== null && event.currency.toUpperCase() !== payment.currency) {
      return { outcome: 'alarm', reason: 'amount_differs' };
    }
    const left = subtractAmounts(payment.amount_captured, payment.amount_refunded);
    const amount = event.amount ?? left;
    if (event.operationId === null && Number(left) === 0 && isRepeat(event, payment, refunds)) return NOTHING_NEW;
    const unexplained = amountUnexplained(payment, refunds, operations);
    const isExplained = Number(unexplained) >= Number(amount);
    const uncounted = isExplained ? '0' : subtractAmounts(amount, unexplained);
    if (Number(amount) <= 0 || Number(uncounted) > Number(left)) {
      const mayFail = refunds.some(({ status }) => status === 'pending');
      return mayFail ? { outcome: 'waiting', reason } : { outcome: 'alarm', reason: 'other_refund' };
    }
    const status = event.status === 'refund_pending' ? 'pending' : 'succeeded';
    const refund = { amount, uncounted, status, attempt, providerRefundId: event.operationId } as const;
    const after = await this.outcomes.found(transaction, payment, refund, reportOf(event));
    return { outcome: 'applied', reason: null, payment: after };
  }

  private async known({ transaction, payment, attempt }: EventContext): Promise<KnownRefunds> {
    const refunds = await this.refunds.list(payment.id, transaction);
    const operations = await this.operations.list(payment.id, transaction);
    return { refunds, operations: operations.filter((row) => row.attempt === attempt && row.kind === 'refund') };
  }
}

/** A report without an id of a refund that may be known already. */
const isRepeat = ({ amount }: ReportedEvent, payment: PaymentRow, refunds: readonly RefundRow[]): boolean =>
  amount === null ||
  [payment.amount_captured, ...refunds.map((refund) => refund.amount)].some(
    (known) => Number(known) === Number(amount),
  );

/** A success that is reported after a failure came late, unless a person has settled the refund as not made. */
function afterFailure({ status }: ReportedEvent, { failure_code: code }: RefundRow): NotificationVerdict {
  const isMade = code === 'settled_by_operator' && status === 'refunded';
  return isMade ? { outcome: 'alarm', reason: 'other_refund' } : { outcome: 'ignored', reason: 'refund_failed' };
}

const operationOf = ({ operations }: KnownRefunds, { id }: RefundRow): OperationRow | undefined =>
  operations.find(({ refund_id: refundId }) => refundId === id);

const reportOf = ({ provider, data, receivedAt: processedAt, operationId }: ReportedEvent): RefundReport => ({
  cause: 'provider_notification',
  originalWebhook: { provider, data, processedAt },
  providerRefundId: operationId,
});

/**
 * A refund at the provider can take the amount of a failed one, and be reported before that failure. Its report raised an
 * alarm, and is applied with the notifications that wait for the payment.
 */
async function retryOthers(transaction: Transaction, payment: PaymentRow): Promise<PaymentRow> {
  const retried = await transaction.query(RETRY_OTHER_REFUNDS, [payment.id]);
  return retried.length > 0 ? markWaiting(transaction, payment, true) : payment;
}

/** Whether the failure of this refund was reported before its success. */
async function hasFailed({ transaction, payment, event }: EventContext): Promise<boolean> {
  if (event.operationId === null) return false;
  return (await transaction.query(IS_REFUND_FAILED, [payment.id, event.operationId])).length > 0;
}
