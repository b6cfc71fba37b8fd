import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../platform/database/database.js';
import { subtractAmounts } from '../../../shared/money.js';
import type { OriginalWebhook } from '../../../webhooks/outbox/webhook-body.js';
import { LockedChanges } from '../locked-changes.service.js';
import type { OperationRow } from '../operation.js';
import type { PaymentRow } from '../payment.queries.js';
import type { RefundRow } from './refund.js';
import { type NewRefund, RefundRecords } from './refund-records.service.js';

/** Source of the outcome: the answer to our request, the provider's notification, or a person. */
export interface RefundReport {
  cause: 'refund_requested' | 'provider_notification' | 'settled_by_operator';
  originalWebhook?: OriginalWebhook;
  providerRefundId?: string | null | undefined;
}

const ANSWERED: RefundReport = { cause: 'refund_requested' };

/**
 * Outcomes of refunds and the payment's status after them. A payment is `refunded` when its refunds add up to the
 * captured amount and none is pending. When a refund fails after that, it is `completed` again. In every method the
 * payment is locked in the transaction; the methods return it as it is after that.
 */
@Injectable()
export class RefundOutcomes {
  constructor(
    private readonly refunds: RefundRecords,
    private readonly changes: LockedChanges,
  ) {}

  async succeeded(
    transaction: Transaction,
    payment: PaymentRow,
    refund: RefundRow,
    report: RefundReport = ANSWERED,
  ): Promise<PaymentRow> {
    const { providerRefundId } = report;
    const ended = await this.refunds.end(transaction, payment, refund, { status: 'succeeded', providerRefundId });
    return ended ? this.settled(transaction, ended.payment, report) : payment;
  }

  async failed(
    transaction: Transaction,
    payment: PaymentRow,
    refund: RefundRow,
    failure: { code: string } & Partial<RefundReport>,
  ): Promise<PaymentRow> {
    const { code: failureCode, providerRefundId, originalWebhook } = failure;
    const end = { status: 'failed', failureCode, providerRefundId } as const;
    const ended = await this.refunds.end(transaction, payment, refund, end);
    if (!ended) return payment;
    if (payment.status !== 'refunded') return ended.payment;
    const change = { to: 'completed', cause: 'refund_failed', ...(originalWebhook && { originalWebhook }) } as const;
    return (await this.changes.change(transaction, ended.payment, change)).payment;
  }

  /** Records a refund that was made at the provider. */
  async found(
    transaction: Transaction,
    payment: PaymentRow,
    refund: Omit<NewRefund, 'origin'>,
    report: RefundReport,
  ): Promise<PaymentRow> {
    const created = await this.refunds.create(transaction, payment, { ...refund, origin: 'provider' });
    return this.settled(transaction, created.payment, report);
  }

  /** The provider confirmed a refund's operation. */
  async confirmed(
    transaction: Transaction,
    payment: PaymentRow,
    operation: OperationRow,
    report: RefundReport = ANSWERED,
  ): Promise<PaymentRow> {
    const refund = await this.refundOf(transaction, operation);
    if (refund) return this.succeeded(transaction, payment, refund, report);
    // a process without refund objects may have counted it, or another refund
    const left = subtractAmounts(payment.amount_captured, payment.amount_refunded);
    const uncounted = Number(left) < Number(operation.amount) ? left : operation.amount;
    const created = await this.createOld(transaction, payment, operation, report, uncounted);
    return this.settled(transaction, created.payment, report);
  }

  /** The provider accepted a refund's operation under this id. */
  async accepted(
    transaction: Transaction,
    payment: PaymentRow,
    { refund_id: id, payment_id: paymentId }: OperationRow,
    providerRefundId: string,
  ): Promise<PaymentRow> {
    if (id !== null) await this.refunds.identify(transaction, { id, payment_id: paymentId }, providerRefundId);
    return payment;
  }

  /** The provider refused a refund's operation. */
  async refused(
    transaction: Transaction,
    payment: PaymentRow,
    operation: OperationRow,
    code: string,
    providerRefundId?: string,
  ): Promise<PaymentRow> {
    const refund = await this.refundOf(transaction, operation);
    return refund ? this.failed(transaction, payment, refund, { code, providerRefundId }) : payment;
  }

  /** A refund that an older process requested and completed has failed. */
  async oldFailed(
    transaction: Transaction,
    payment: PaymentRow,
    operation: OperationRow,
    failure: { code: string } & RefundReport,
  ): Promise<PaymentRow> {
    const created = await this.createOld(transaction, payment, operation, failure, '0');
    return this.failed(transaction, created.payment, created.refund, failure);
  }

  private async refundOf(transaction: Transaction, operation: OperationRow): Promise<RefundRow | undefined> {
    if (operation.refund_id === null) return undefined;
    return this.refunds.find(operation.merchant_id, operation.refund_id, transaction);
  }

  private createOld(
    transaction: Transaction,
    payment: PaymentRow,
    { amount, attempt, refund_reason: reason, provider_operation_id: known }: OperationRow,
    { providerRefundId }: RefundReport,
    uncounted: string,
  ): Promise<{ refund: RefundRow; payment: PaymentRow }> {
    return this.refunds.create(transaction, payment, {
      amount,
      attempt,
      uncounted,
      status: 'succeeded',
      origin: 'api',
      reason: reason ?? undefined,
      providerRefundId: providerRefundId ?? known,
    });
  }

  private async settled(transaction: Transaction, payment: PaymentRow, report: RefundReport): Promise<PaymentRow> {
    const { status, amount_captured: captured, amount_refunded: refunded } = payment;
    if (status !== 'completed' || Number(refunded) < Number(captured)) return payment;
    const refunds = await this.refunds.list(payment.id, transaction);
    if (refunds.some((refund) => refund.status === 'pending')) return payment;
    const { cause, originalWebhook } = report;
    const change = { to: 'refunded', cause, ...(originalWebhook && { originalWebhook }) } as const;
    return (await this.changes.change(transaction, payment, change)).payment;
  }
}
