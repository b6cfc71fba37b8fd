import { Injectable } from '@nestjs/common';
import type { DecisionTrace } from '@payment-orchestrator/routing/decision/decision-trace';
import { Database, type Transaction } from '../../platform/database/database.js';
import { tracing } from '../../platform/tracing/tracing.js';
import { Problem } from '../../shared/problem.js';
import { FIND_ARCHIVED_PAYMENT } from './known-charges.service.js';
import {
  type AttemptRow,
  FIND_DECISION,
  FIND_PAYMENTS,
  LIST_ATTEMPTS,
  LIST_STATUS_CHANGES,
  LOCK_PAYMENT,
  type StatusChangeRow,
} from './payment.queries.js';
import type { PaymentRow } from '../money/state/payment.js';

/** Reads and locks payments. `MoneyService` changes them. */
@Injectable()
export class PaymentsService {
  constructor(private readonly database: Database) {}

  /** Throws `payment_not_found`, also for a payment of another merchant, and `payment_archived`. */
  async find(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const [payment] = await this.database.query<PaymentRow>(FIND_PAYMENTS, [[paymentId]]);
    if (payment?.merchant_id !== merchantId) throw await this.absent(merchantId, paymentId);
    return payment;
  }

  /** Every change of status, oldest first. Throws `payment_not_found`. */
  async history(merchantId: number, paymentId: number): Promise<StatusChangeRow[]> {
    await this.find(merchantId, paymentId);
    return this.database.query<StatusChangeRow>(LIST_STATUS_CHANGES, [paymentId]);
  }

  /** Every attempt with a shop, in order. Throws `payment_not_found`. */
  async attemptsOf(merchantId: number, paymentId: number): Promise<AttemptRow[]> {
    await this.find(merchantId, paymentId);
    return this.attempts(paymentId);
  }

  /** The attempts of a payment, in order. */
  attempts(paymentId: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(LIST_ATTEMPTS, [paymentId]);
  }

  /** The routing decision; `null` for a payment from before decisions were stored. Throws `payment_not_found`. */
  async decision(merchantId: number, paymentId: number): Promise<DecisionTrace | null> {
    await this.find(merchantId, paymentId);
    const [row] = await this.database.query<{ decision: DecisionTrace | null }>(FIND_DECISION, [paymentId]);
    return row?.decision ?? null;
  }

  /** The problem of a payment that is not there. */
  private async absent(merchantId: number, paymentId: number): Promise<Problem> {
    const [archived] = await this.database.query<{ archived_at: Date }>(FIND_ARCHIVED_PAYMENT, [paymentId, merchantId]);
    if (!archived) return new Problem('payment_not_found');
    const detail = `the payment was archived at ${archived.archived_at.toISOString()}; refund it at the provider`;
    return new Problem('payment_archived', { detail });
  }

  /** The payment, locked until the transaction ends. Throws `payment_not_found`. */
  async lock(transaction: Transaction, paymentId: number): Promise<PaymentRow> {
    const [locked] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [paymentId]);
    if (!locked) throw new Problem('payment_not_found');
    tracing.annotate({ 'payment.id': paymentId }, locked.traceparent);
    return locked;
  }
}
