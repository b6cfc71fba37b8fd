import { Injectable } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { type AuditAction, AuditLogService } from '../../audit/audit-log.service.js';
import type { Transaction } from '../../platform/database/database.js';
import { toJsonAmount } from '../../shared/money.js';
import type { RequestFact } from '../money/state/fact.js';
import type { PaymentRow } from '../money/state/payment.js';
import { type Applied, MoneyService } from '../store/money.service.js';

/** The actions by which the audit log has requests of people. A repeat is no new request. */
const ACTIONS: Partial<Record<RequestFact['what'], AuditAction>> = {
  cancel: 'payment.cancel_requested',
  capture: 'payment.capture_requested',
  refund: 'payment.refund_requested',
};

/**
 * Changes of money that a client asks for. The rows that they open keep who asked. A request from the console also gets an
 * entry of the audit log, in the same transaction: a program's would cost a statement per refund, and say no more.
 */
@Injectable()
export class MoneyRequests {
  constructor(
    private readonly money: MoneyService,
    private readonly audit: AuditLogService,
  ) {}

  /** Same contract as `MoneyService.apply`. */
  apply(paymentId: number, fact: RequestFact, context: AuditContext): Promise<Applied> {
    return this.money.apply(paymentId, askedBy(context, fact), (transaction, applied) =>
      this.record(transaction, context, fact, applied),
    );
  }

  /** Same contract as `MoneyService.applyTo`. */
  async applyTo(
    transaction: Transaction,
    locked: PaymentRow,
    fact: RequestFact,
    context: AuditContext,
  ): Promise<Applied> {
    const applied = await this.money.applyTo(transaction, locked, askedBy(context, fact));
    await this.record(transaction, context, fact, applied);
    return applied;
  }

  private async record(
    transaction: Transaction,
    context: AuditContext,
    { what }: RequestFact,
    { payment, calls: [operation] }: Applied,
  ): Promise<void> {
    const action = ACTIONS[what];
    if (!context.isInConsole || action === undefined || operation === undefined) return;
    const { id, refund_id: refundId, amount, currency } = operation;
    const of = refundId === null ? 'operation_id' : 'refund_id';
    const details = { [of]: refundId ?? id, amount: toJsonAmount(amount), currency };
    const { merchant_id: merchantId, id: objectId } = payment;
    await this.audit.record(transaction, context, { merchantId, action, objectId, details });
  }
}

const askedBy = ({ clientId }: AuditContext, fact: RequestFact): RequestFact => ({
  ...fact,
  by: clientId ?? undefined,
});
