import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { captureOf } from '../capture.js';
import { LateCharges } from '../late-charges.service.js';
import type { NotificationVerdict, ReportedEvent } from '../notification.js';
import { isOpen, type OperationRow, reportedOperation } from '../operation.js';
import { OperationRecords } from '../operation-records.service.js';
import type { PaymentRow } from '../payment.queries.js';

const KIND_OF_FAILURE = { void_failed: 'void', refund_failed: 'refund', capture_failed: null } as const;

/** One event and the attempt that it is about; `payment`: locked. */
export interface EventContext {
  transaction: Transaction;
  payment: PaymentRow;
  attempt: number;
  event: ReportedEvent;
}

/** The attempt was charged for the payment; otherwise the payment has not been charged, or has moved to another shop. */
export const wasCharged = ({ payment, attempt }: EventContext): boolean =>
  payment.attempt === attempt && (payment.status === 'completed' || payment.status === 'refunded');

/** Why the event cannot be applied now. */
export type BlockingReason = `payment_is_${PaymentRow['status']}` | 'attempt_superseded';

/**
 * Applies a provider's report of the reversal of a late charge, and of a failed void or capture. The provider's id
 * identifies an operation of ours; reports about others never change ours.
 */
@Injectable()
export class ReversalEvents {
  constructor(
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
  ) {}

  /** Confirms the reversal of a late charge, which may not have been reported yet. */
  async succeeded(context: EventContext, reason: BlockingReason): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    const operations = await this.operations.list(payment.id, transaction);
    const refund = reportedOperation(operations, { attempt, kind: 'refund' }, event.operationId);
    if (refund === 'undetermined' || event.status === 'refund_pending') return { outcome: 'waiting', reason };
    if (!isSame(event, refund === 'none' ? payment : refund)) return { outcome: 'alarm', reason: 'amount_differs' };
    if (refund === 'none') return otherReversal(context, operations, reason);
    if (refund.state === 'refused') return { outcome: 'alarm', reason: 'refund_failed' };
    if (!isOpen(refund)) return { outcome: 'ignored', reason };
    await this.operations.record(transaction, refund, { state: 'confirmed', lastAnswer: 'refunded' });
    await this.lateCharges.reversed(transaction, payment);
    return { outcome: 'applied', reason: null };
  }

  /** Requests a necessary reversal or void again under another key; refuses a merchant's request. */
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
}

function otherReversal(
  { attempt: of }: EventContext,
  operations: readonly OperationRow[],
  reason: BlockingReason,
): NotificationVerdict {
  const ours = operations.filter(({ attempt, kind }) => attempt === of && kind === 'refund');
  if (ours.some(isOpen)) return { outcome: 'alarm', reason: 'other_refund' };
  const isDone = ours.some(({ state }) => state === 'confirmed');
  return { outcome: isDone ? 'ignored' : 'waiting', reason };
}

/** Whether the report has the amount and currency of what it is about, as far as it has any. */
export const isSame = ({ amount, currency }: ReportedEvent, known: { amount: string; currency: string }): boolean =>
  (amount === null || Number(amount) === Number(known.amount)) &&
  (currency === null || currency.toUpperCase() === known.currency);
