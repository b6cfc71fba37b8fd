import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { LateCharges } from './late-charges.service.js';
import type { NotificationVerdict, ReportedEvent } from './notification.js';
import { isOpen, type OperationRow, reportedOperation } from './operation.js';
import { OperationRecords } from './operation-records.service.js';
import type { PaymentRow } from './payment.queries.js';
import { IS_REFUND_FAILED } from './waiting.queries.js';

const KIND_OF_FAILURE = { void_failed: 'void', refund_failed: 'refund', capture_failed: null } as const;

/** What one event is about; `payment`: locked. */
export interface EventContext {
  transaction: Transaction;
  payment: PaymentRow;
  attempt: number;
  event: ReportedEvent;
}

/** What is in the way of the event, by what the payment is. */
type BlockingReason = `payment_is_${PaymentRow['status']}` | 'attempt_superseded';
type Decision = NotificationVerdict | 'refunds_payment';

/**
 * What a provider's word of a refund, or of a failed void or refund, does. A refund of ours is known by the provider's id;
 * what is said of another one never changes ours. Of one refund a failure counts more than a success, in whatever order they
 * come: a success that comes first cannot be taken back, and the failure is an alarm then.
 */
@Injectable()
export class RefundEvents {
  constructor(
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
  ) {}

  /** Of a refund that succeeded. */
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

  /** What must be reversed is asked for again under another key; what a merchant asked for is refused. */
  async failed(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    const status = event.status as keyof typeof KIND_OF_FAILURE;
    const kind = KIND_OF_FAILURE[status];
    if (kind === null) return { outcome: 'alarm', reason: status };
    const operations = await this.operations.list(payment.id, transaction);
    const isUndetermined = reportedOperation(operations, { attempt, kind }, event.operationId) === 'undetermined';
    if (isUndetermined) return { outcome: 'waiting', reason };
    const failure = { reason: status, providerOperationId: event.operationId };
    await this.operations.fail(transaction, payment, { attempt, kind }, failure);
    return { outcome: 'alarm', reason: status };
  }

  /** All of the payment is given back, by a refund that was made at the provider or is of a charge that is yet to be told. */
  private otherRefund(context: EventContext, operations: readonly OperationRow[], reason: BlockingReason): Decision {
    const ours = operations.filter(({ attempt, kind }) => attempt === context.attempt && kind === 'refund');
    if (ours.some(isOpen)) return { outcome: 'alarm', reason: 'other_refund' };
    if (wasCharged(context)) return 'refunds_payment';
    const isDone = ours.some(({ state }) => state === 'confirmed');
    return { outcome: isDone ? 'ignored' : 'waiting', reason };
  }

  /** Whether the failure of this very refund was told before its success. */
  private async hasFailed({ transaction, payment, event }: EventContext): Promise<boolean> {
    if (event.operationId === null) return false;
    return (await transaction.query(IS_REFUND_FAILED, [payment.id, event.operationId])).length > 0;
  }
}

/** The attempt has taken the payment; otherwise it is over, or has gone elsewhere. */
const wasCharged = ({ payment, attempt }: EventContext): boolean =>
  payment.attempt === attempt && (payment.status === 'completed' || payment.status === 'refunded');
