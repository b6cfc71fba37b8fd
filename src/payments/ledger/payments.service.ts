import { Injectable } from '@nestjs/common';
import type { DecisionTrace } from '../../flows/routing/decision-trace.js';
import { Database, type Transaction } from '../../platform/database/database.js';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { type SpanSettings, tracing } from '../../platform/tracing/tracing.js';
import { Batcher } from '../../shared/batcher.js';
import { Problem } from '../../shared/problem.js';
import { LaneNotifier } from '../../webhooks/outbox/lane-notifier.js';
import type { AttemptRow } from './attempt.queries.js';
import type { AttemptEnd } from './attempt.js';
import { LockedChanges } from './locked-changes.service.js';
import type { NotificationVerdict, ToldEvent } from './notification.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import {
  FIND_DECISION,
  FIND_PAYMENTS,
  LIST_STATUS_CHANGES,
  LOCK_PAYMENT,
  type PaymentRow,
  type StatusChangeRow,
} from './payment.queries.js';
import { ProviderEvents } from './provider-events.service.js';
import type { StatusChange, StatusChangeResult } from './status-change.js';
import { StatusWriter } from './status-writer.service.js';

const TRANSACTION_ID_KEY = 'payments_shop_id_provider_transaction_id_key';

/** Reads payments, and is the only entry point for changes of status. */
@Injectable()
export class PaymentsService {
  /** What is asked for while other reads are under way is read together afterwards: never older than the question. */
  private readonly reads = new Batcher<number, PaymentRow | undefined>((ids) => this.read(ids), {
    maxSize: 100,
    maxConcurrent: 3,
  });

  constructor(
    private readonly database: Database,
    private readonly notifier: LaneNotifier,
    private readonly attempts: PaymentAttemptsService,
    private readonly writer: StatusWriter,
    private readonly events: ProviderEvents,
    private readonly locked: LockedChanges,
  ) {}

  /** Throws `payment_not_found`, also for another merchant's. */
  async find(merchantId: number, paymentId: number): Promise<PaymentRow> {
    const payment = await this.reads.add(paymentId);
    if (payment?.merchant_id !== merchantId) throw new Problem('payment_not_found');
    return payment;
  }

  /** Every change of status, oldest first. Throws `payment_not_found`. */
  async history(merchantId: number, paymentId: number): Promise<StatusChangeRow[]> {
    await this.find(merchantId, paymentId);
    return this.database.query<StatusChangeRow>(LIST_STATUS_CHANGES, [paymentId]);
  }

  /** Every try with a shop, in their order. Throws `payment_not_found`. */
  async attemptsOf(merchantId: number, paymentId: number): Promise<AttemptRow[]> {
    await this.find(merchantId, paymentId);
    return this.attempts.list(paymentId);
  }

  /** Why the payment went where it went; `null` for one from before decisions were kept. Throws `payment_not_found`. */
  async decision(merchantId: number, paymentId: number): Promise<DecisionTrace | null> {
    const [payment] = await this.database.query<{ decision: DecisionTrace | null }>(FIND_DECISION, [
      paymentId,
      merchantId,
    ]);
    if (!payment) throw new Problem('payment_not_found');
    return payment.decision;
  }

  /**
   * The only entry point for changes of status, committed when it resolves; the webhook's lane is woken then. `known`:
   * the payment as the caller has just read or written it; while it is still that, the change needs no lock and is
   * written together with others. Otherwise, and without it, as `changeStatusIn` a transaction of its own.
   */
  changeStatus(paymentId: number, change: StatusChange, known?: PaymentRow): Promise<StatusChangeResult> {
    const attributes = { 'payment.id': paymentId, 'payment.status': change.to, 'payment.cause': change.cause };
    return tracing.run('payment.change_status', { attributes, links: [known?.traceparent] }, async (span) => {
      const changed = known
        ? await this.changeKnown(known, await this.attempts.withReason(this.database, paymentId, change))
        : null;
      const result: StatusChangeResult = changed
        ? { payment: changed, outcome: 'changed' }
        : await this.changeUnderLock(paymentId, change);
      this.afterCommit(result);
      span.set({ 'payment.change': result.outcome });
      return result;
    });
  }

  /**
   * The same within the caller's transaction. Under the payment's row lock: the way is looked up in the table of
   * transitions, then payment, history and deliveries are written; a charge that comes too late is reversed. Either all of
   * it commits or nothing.
   * The caller calls `afterCommit` when its transaction is through.
   */
  async changeStatusIn(transaction: Transaction, paymentId: number, asked: StatusChange): Promise<StatusChangeResult> {
    const before = await this.lock(transaction, paymentId);
    return this.locked.followUp(transaction, await this.locked.change(transaction, before, asked));
  }

  /** What a provider tells of an attempt of a payment that the caller has locked; then as `changeStatusIn`. */
  async applyEvent(
    transaction: Transaction,
    locked: PaymentRow,
    attempt: number,
    event: ToldEvent,
  ): Promise<NotificationVerdict> {
    const verdict = await this.events.apply(transaction, locked, attempt, event, this.locked.change);
    const result = verdict.result ?? { payment: locked, outcome: 'unchanged' as const };
    return { ...verdict, result: await this.locked.followUp(transaction, result) };
  }

  /** All that waits and is legal now, of a payment that the caller has locked; then as `changeStatusIn`. */
  applyWaiting(transaction: Transaction, locked: PaymentRow): Promise<StatusChangeResult> {
    return this.locked.followUp(transaction, { payment: locked, outcome: 'unchanged' });
  }

  /** Records that a call was not answered, or not conclusively. Answers the payment as it is then, committed. */
  async leaveOpen(payment: PaymentRow, end: AttemptEnd): Promise<PaymentRow> {
    const result = await this.database.transaction(async (transaction) => {
      // an attempt is only ever locked under its payment: whoever has the payment never waits for the attempt
      const locked = await this.lock(transaction, payment.id);
      await this.attempts.end(transaction, payment, end);
      return this.applyWaiting(transaction, locked);
    });
    this.afterCommit(result);
    return result.payment;
  }

  /** The payment, locked until the transaction ends. Throws `payment_not_found`. */
  async lock(transaction: Transaction, paymentId: number): Promise<PaymentRow> {
    const [locked] = await transaction.query<PaymentRow>(LOCK_PAYMENT, [paymentId]);
    if (!locked) throw new Problem('payment_not_found');
    tracing.annotate({ 'payment.id': paymentId }, locked.traceparent);
    return locked;
  }

  /** The same change of all payments that `lock` answers and locks, committed together; answers how many they were. */
  async changeStatuses(
    lock: (transaction: Transaction) => Promise<PaymentRow[]>,
    change: StatusChange,
  ): Promise<number> {
    const results = await this.database.transaction(async (transaction) => {
      const locked = await lock(transaction);
      return locked.length > 0
        ? tracing.run('payment.change_statuses', groupOf(locked, change), () =>
            this.changeLocked(transaction, locked, change),
          )
        : this.changeLocked(transaction, locked, change);
    });
    this.afterCommit(...results);
    return results.length;
  }

  /** To be called after the commit, and never before: a wake-up inside the transaction could find nothing to do. */
  afterCommit(...results: StatusChangeResult[]): void {
    const changed = results
      .filter(({ outcome, isFollowed }) => outcome === 'changed' || isFollowed)
      .map(({ payment }) => payment.webhook_lane_id);
    const laneIds = changed.filter((laneId) => laneId !== null);
    if (laneIds.length > 0) this.notifier.notify(laneIds);
  }

  /** In one statement, but for those that it takes a closer look to decide. */
  private async changeLocked(
    transaction: Transaction,
    locked: PaymentRow[],
    change: StatusChange,
  ): Promise<StatusChangeResult[]> {
    const results: StatusChangeResult[] = [];
    const changed = await this.writer.changeAll(transaction, locked, change);
    for (const [index, payment] of changed.entries()) {
      results.push(
        payment ? { payment, outcome: 'changed' } : await this.changeStatusIn(transaction, locked[index]!.id, change),
      );
    }
    return results;
  }

  private async changeKnown(known: PaymentRow, change: StatusChange): Promise<PaymentRow | null> {
    try {
      return await this.writer.change(known, change);
    } catch (error) {
      if (!isUniqueViolation(error, TRANSACTION_ID_KEY)) throw error;
      return null; // a closer look, under the lock
    }
  }

  private async changeUnderLock(paymentId: number, change: StatusChange): Promise<StatusChangeResult> {
    const run = () => this.database.transaction((transaction) => this.changeStatusIn(transaction, paymentId, change));
    try {
      return await run();
    } catch (error) {
      // another payment got the id between our look and our write: now the look finds it
      if (!isUniqueViolation(error, TRANSACTION_ID_KEY)) throw error;
      return run();
    }
  }

  private async read(ids: number[]): Promise<(PaymentRow | undefined)[]> {
    const rows = await this.database.query<PaymentRow>(FIND_PAYMENTS, [[...new Set(ids)]]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  }
}

const groupOf = (payments: PaymentRow[], { to, cause }: StatusChange): SpanSettings => ({
  isRoot: true,
  attributes: { 'payment.count': payments.length, 'payment.status': to, 'payment.cause': cause },
  links: payments.map(({ traceparent }) => traceparent),
});
