import { Injectable } from '@nestjs/common';
import type { DecisionTrace } from '../../flows/routing/decision-trace.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { type SpanSettings, tracing } from '../../platform/tracing/tracing.js';
import { Problem } from '../../shared/problem.js';
import type { AttemptRow } from './attempt.queries.js';
import type { AttemptEnd } from './attempt.js';
import { LockedChanges } from './locked-changes.service.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import {
  FIND_DECISION,
  FIND_PAYMENTS,
  LIST_STATUS_CHANGES,
  LOCK_PAYMENT,
  type PaymentRow,
  type StatusChangeRow,
} from './payment.queries.js';
import type { StatusChange, StatusChangeResult } from './status-change.js';
import { StatusWriter } from './status-writer.service.js';
import { WaitingNotifications } from './waiting-notifications.service.js';

/** The unique constraint of a shop's transaction ids. */
export const TRANSACTION_ID_KEY = 'payments_shop_id_provider_transaction_id_key';

interface ChangeOptions {
  /** The payment as the caller has just read or written it. If it has not changed since, the change needs no lock. */
  known?: PaymentRow;
  in?: Transaction;
}

/** Reads payments, and is the only entry point for changes of status. */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly database: Database,
    private readonly attempts: PaymentAttemptsService,
    private readonly writer: StatusWriter,
    private readonly locked: LockedChanges,
    private readonly waiting: WaitingNotifications,
  ) {}

  /** Throws `payment_not_found`, also for a payment of another merchant. */
  async find(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const [payment] = await this.database.query<PaymentRow>(FIND_PAYMENTS, [[paymentId]]);
    if (payment?.merchant_id !== merchantId) throw new Problem('payment_not_found');
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
    return this.attempts.list(paymentId);
  }

  /** The routing decision; `null` for a payment from before decisions were stored. Throws `payment_not_found`. */
  async decision(merchantId: number, paymentId: number): Promise<DecisionTrace | null> {
    const [payment] = await this.database.query<{ decision: DecisionTrace | null }>(FIND_DECISION, [
      paymentId,
      merchantId,
    ]);
    if (!payment) throw new Problem('payment_not_found');
    return payment.decision;
  }

  /**
   * The only way to change a payment's status. The transition table decides; payment, history and deliveries are then
   * written together. A late charge is reversed. Notifications that waited for the change are applied in the same
   * transaction. `in`: that transaction, with the payment locked; without it the change is committed when this
   * resolves. The webhook's lane is notified after the commit.
   */
  changeStatus(paymentId: number, change: StatusChange, options: ChangeOptions = {}): Promise<StatusChangeResult> {
    const { known, in: transaction } = options;
    if (transaction) return this.changeIn(transaction, paymentId, change);
    const attributes = { 'payment.id': paymentId, 'payment.status': change.to, 'payment.cause': change.cause };
    return tracing.run('payment.change_status', { attributes, links: [known?.traceparent] }, async (span) => {
      const changed = known && (await this.changeKnown(known, change));
      const result = changed ?? (await this.changeUnderLock(paymentId, change));
      span.set({ 'payment.change': result.outcome });
      return result;
    });
  }

  /**
   * The same change for payments that the caller has locked in the transaction: one statement, except for special
   * cases.
   */
  async changeStatuses(locked: PaymentRow[], change: StatusChange, options: { in: Transaction }): Promise<void> {
    const { in: transaction } = options;
    if (locked.length === 0) return;
    await tracing.run('payment.change_statuses', groupOf(locked, change), async () => {
      const changed = await this.writer.changeAll(transaction, locked, change);
      for (const [index, { id }] of locked.entries()) {
        if (!changed[index]) await this.changeIn(transaction, id, change);
      }
    });
  }

  /** Records that a call had no answer or no conclusive one. Returns the payment after that, committed. */
  recordUnknownOutcome(payment: PaymentRow, end: AttemptEnd): Promise<PaymentRow> {
    return this.database.transaction(async (transaction) => {
      // an attempt is only ever locked under its payment: a holder of the payment's lock never waits for the attempt
      const locked = await this.lock(transaction, payment.id);
      await this.attempts.end(transaction, payment, end);
      return this.waiting.apply(transaction, locked);
    });
  }

  /** The payment, locked until the transaction ends. Throws `payment_not_found`. */
  async lock(transaction: Transaction, paymentId: number): Promise<PaymentRow> {
    const [locked] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [paymentId]);
    if (!locked) throw new Problem('payment_not_found');
    tracing.annotate({ 'payment.id': paymentId }, locked.traceparent);
    return locked;
  }

  private async changeIn(
    transaction: Transaction,
    paymentId: number,
    change: StatusChange,
  ): Promise<StatusChangeResult> {
    const before = await this.lock(transaction, paymentId);
    const { payment, outcome } = await this.locked.change(transaction, before, change);
    return { payment: await this.waiting.apply(transaction, payment), outcome };
  }

  /** Changes the payment without a lock, in a batch; `null`: the change must be decided under the lock. */
  private async changeKnown(known: PaymentRow, requested: StatusChange): Promise<StatusChangeResult | null> {
    const change = await this.attempts.withReason(this.database, known.id, requested);
    try {
      const payment = await this.writer.change(known, change);
      return payment && { payment, outcome: 'changed' };
    } catch (error) {
      if (!isUniqueViolation(error, TRANSACTION_ID_KEY)) throw error;
      return null;
    }
  }

  private async changeUnderLock(paymentId: number, change: StatusChange): Promise<StatusChangeResult> {
    const run = () => this.database.transaction((transaction) => this.changeIn(transaction, paymentId, change));
    try {
      return await run();
    } catch (error) {
      // another payment got the id between our check and our write: now the check finds it
      if (!isUniqueViolation(error, TRANSACTION_ID_KEY)) throw error;
      return run();
    }
  }
}

const groupOf = (payments: PaymentRow[], { to, cause }: StatusChange): SpanSettings => ({
  isRoot: true,
  attributes: { 'payment.count': payments.length, 'payment.status': to, 'payment.cause': cause },
  links: payments.map(({ traceparent }) => traceparent),
});
