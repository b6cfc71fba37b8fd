import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { captureOf } from './capture.js';
import { LateCharges } from './late-charges.service.js';
import type { NotificationVerdict, ReportedEvent } from './notification.js';
import { isOpen, type OperationRow, reportedOperation } from './operation.js';
import { OperationRecords } from './operation-records.service.js';
import type { PaymentRow } from './payment.queries.js';
import { IS_REFUND_FAILED } from './waiting.queries.js';

const KIND_OF_FAILURE = { void_failed: 'void', refund_failed: 'refund', capture_failed: null } as const;

/** One event and the attempt that it is about; `payment`: locked. */
export interface EventContext {
  transaction: Transaction;
  payment: PaymentRow;
  attempt: number;
  event: ReportedEvent;
}

/** Why the event cannot be applied now. */
type BlockingReason = `payment_is_${PaymentRow['status']}` | 'attempt_superseded';
type Decision = NotificationVerdict | 'refunds_payment';

/**
 * Applies a provider's report of a refund, or of a failed void or refund. The provider's id identifies our own refunds;
 * reports about other refunds never change ours. For one refund a failure counts more than a success, in any order. A
 * success that came first cannot be undone, so the failure is an alarm then.
 */
@Injectable()
export class RefundEvents {
  constructor(
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
  ) {}

  /** Applies a successful refund. */
  async succeeded(context: EventContext, reason: BlockingReason): Promise<Decision> {
    const { transaction, payment, attempt, event } = context;
    if (await this.hasFailed(context)) return { outcome: 'ignored', reason: 'refund_failed' };
    const operations = await this.operations.list(payment.id, transaction);
    const refund = reportedOperation(operations, { attempt, kind: 'refund' }, event.operationId);
    if (refund === 'undetermined') return { outcome: 'waiting', reason };
    if (refund === 'none') return this.otherRefund(context, operations, reason);
    if (refund.state === 'refused') return { outcome: 'alarm', reason: 'refund_failed' };
    const isNews = isOpen(refund);
    if (isNews) await this.operations.record(transaction, refund, { state: 'confirmed', lastAnswer: 'refunded' });
    if (wasCharged(context)) return 'refunds_payment';
    if (!isNews) return { outcome: 'ignored', reason };
    await this.lateCharges.reversed(transaction, payment);
    return { outcome: 'applied', reason: null };
  }

  /** Requests a necessary reversal again under another key; refuses a merchant's request. */
  async failed(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    const status = event.status as keyof typeof KIND_OF_FAILURE;
    const kind = KIND_OF_FAILURE[status];
    if (kind === null) return this.captureFailed(context);
    const operations = await this.operations.list(payment.id, transaction);
    const isUndetermined = reportedOperation(operations, { attempt, kind }, event.operationId) === 'undetermined';
    if (isUndetermined) return { outcome: 'waiting', reason };
    const failure = { reason: status, providerOperationId: event.operationId };
    await this.operations.fail(transaction, payment, { attempt, kind }, failure);
    return { outcome: 'alarm', reason: status };
  }

  /** Our pending capture failed, so the merchant can capture again; a person looks at any failure of a capture. */
  private async captureFailed({ transaction, payment, attempt, event }: EventContext): Promise<NotificationVerdict> {
    const reason = 'capture_failed';
    const capture = captureOf(await this.operations.list(payment.id, transaction), attempt);
    const isOther = event.operationId !== null && event.operationId !== (capture?.provider_operation_id ?? null);
    if (capture && isOpen(capture) && capture.provider_operation_id === null && isOther) {
      return { outcome: 'waiting', reason: `payment_is_${payment.status}` };
    }
    if (capture && isOpen(capture) && !isOther) {
      await this.operations.record(transaction, capture, { state: 'refused', lastAnswer: reason, reason });
    }
    return { outcome: 'alarm', reason };
  }

  /** Applies a full refund that was made at the provider, or whose charge has not been reported yet. */
  private otherRefund(context: EventContext, operations: readonly OperationRow[], reason: BlockingReason): Decision {
    const ours = operations.filter(({ attempt, kind }) => attempt === context.attempt && kind === 'refund');
    if (ours.some(isOpen)) return { outcome: 'alarm', reason: 'other_refund' };
    if (wasCharged(context)) return 'refunds_payment';
    const isDone = ours.some(({ state }) => state === 'confirmed');
    return { outcome: isDone ? 'ignored' : 'waiting', reason };
  }

  /** Whether the failure of this refund was reported before its success. */
  private async hasFailed({ transaction, payment, event }: EventContext): Promise<boolean> {
    if (event.operationId === null) return false;
    return (await transaction.query(IS_REFUND_FAILED, [payment.id, event.operationId])).length > 0;
  }
}

/** The attempt was charged for the payment; otherwise the payment has ended or moved to another shop. */
const wasCharged = ({ payment, attempt }: EventContext): boolean =>
  payment.attempt === attempt && (payment.status === 'completed' || payment.status === 'refunded');
