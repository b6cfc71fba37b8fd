import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Metrics } from '../../platform/observability/metrics.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { ALARM_REASONS, type AlarmReason } from '../../shared/alarm.js';
import { Clock } from '../../shared/clock.js';
import { notifiedEnd } from './attempt.js';
import { LateCharges } from './late-charges.service.js';
import type { NotificationReason, NotificationVerdict, ToldEvent } from './notification.js';
import type { OperationRow } from './operation.js';
import { OperationRecords } from './operation-records.service.js';
import type { PaymentStatus } from './payment-state.js';
import type { PaymentRow } from './payment.queries.js';
import type { StatusChange, StatusChangeResult } from './status-change.js';
import { IS_CALL_UNDER_WAY } from './waiting.queries.js';

/** Changes the status of a payment that is locked in the transaction. */
export type ChangeLocked = (
  transaction: Transaction,
  locked: PaymentRow,
  change: StatusChange,
) => Promise<StatusChangeResult>;

/** What one event is about; `payment`: locked. */
interface Told {
  transaction: Transaction;
  payment: PaymentRow;
  attempt: number;
  event: ToldEvent;
  change: ChangeLocked;
}

const KIND_OF_FAILURE = { void_failed: 'void', refund_failed: 'refund', capture_failed: null } as const;

/**
 * What a provider's event makes of a payment, whatever came before it: applied where the table of transitions has a way,
 * kept waiting where it may get one, ignored where it contradicts, and an alarm where only a person can help.
 * - `completed` is applied at once: what is charged is charged.
 * - `processing`, `failed` and `cancelled` wait while the attempt's call may still be answered: only the answer says
 *   whether another shop may be asked.
 * - `refunded` waits for what was refunded.
 */
@Injectable()
export class ProviderEvents {
  private readonly logger = new Logger(ProviderEvents.name);
  private readonly alarms;

  constructor(
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
    private readonly clock: Clock,
    providers: ProviderRegistry,
    metrics: Metrics,
  ) {
    this.alarms = metrics.counter({
      name: 'provider_notification_alarms_total',
      help: 'Notifications that contradict what is known in a way that a person must look at',
      labels: { provider: providers.names(), reason: ALARM_REASONS },
    });
  }

  /** `payment`: locked in the transaction. */
  apply(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    event: ToldEvent,
    change: ChangeLocked,
  ): Promise<NotificationVerdict> {
    const told = { transaction, payment, attempt, event, change };
    switch (event.status) {
      case 'completed':
        return this.completed(told);
      case 'refunded':
        return this.refunded(told);
      case 'processing':
      case 'failed':
      case 'cancelled':
        return this.unfinished(told, event.status);
      default:
        return this.operationFailed(told, event.status);
    }
  }

  private async completed(told: Told): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = told;
    const amount = { amount: event.amount ?? undefined, currency: event.currency ?? undefined };
    if (!(await this.lateCharges.isOurs(transaction, payment, attempt, amount))) {
      return this.alarm(told, 'amount_differs');
    }
    return this.changed(told, 'completed');
  }

  private async unfinished(told: Told, to: 'processing' | 'failed' | 'cancelled'): Promise<NotificationVerdict> {
    const { payment, attempt } = told;
    if (await this.isCallUnderWay(told)) return { outcome: 'waiting', reason: 'payment_is_pending' };
    const verdict = await this.changed(told, to);
    const isOver = payment.attempt !== attempt || payment.status === 'failed' || payment.status === 'cancelled';
    if (to !== 'processing' && (isOver || verdict.outcome === 'applied')) await this.settleNotTaken(told);
    return verdict;
  }

  /** The provider says that nothing is taken: that is what a void is for. */
  private async settleNotTaken(told: Told): Promise<void> {
    const { transaction, payment, attempt, event } = told;
    for (const { kind, cause } of await this.openOperations(told)) {
      const of = { paymentId: payment.id, attempt, kind };
      const { status: lastAnswer } = event;
      if (kind === 'charge') {
        await this.operations.settle(transaction, of, { state: 'refused', lastAnswer, reason: lastAnswer });
      }
      if (kind !== 'void') continue;
      await this.operations.settle(transaction, of, { state: 'confirmed', lastAnswer });
      if (cause === 'charged_after_end') await this.lateCharges.reversed(transaction, payment);
    }
  }

  private async refunded(told: Told): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = told;
    if (!isWhole(event, payment)) return this.alarm(told, 'amount_differs');
    const isCurrent = payment.attempt === attempt;
    const notYet = { outcome: 'waiting', reason: reasonOf(payment, isCurrent) } as const;
    if (isCurrent && (payment.status === 'pending' || payment.status === 'processing')) return notYet;
    const of = { paymentId: payment.id, attempt, kind: 'refund' } as const;
    const isSettled = await this.operations.settle(transaction, of, { state: 'confirmed', lastAnswer: 'refunded' });
    if (isCurrent && (payment.status === 'completed' || payment.status === 'refunded')) {
      return this.changed(told, 'refunded');
    }
    // over, or gone elsewhere: the refund of a late charge, or of one that is yet to be told
    if (isSettled) {
      await this.lateCharges.reversed(transaction, payment);
      return { outcome: 'applied', reason: null };
    }
    const operations = await this.operations.list(payment.id, transaction);
    const isDone = operations.some(
      (row) => row.attempt === attempt && row.kind === 'refund' && row.state === 'confirmed',
    );
    return isDone ? { outcome: 'ignored', reason: reasonOf(payment, isCurrent) } : notYet;
  }

  /** What must be reversed is asked for again under another key; what a merchant asked for is refused. */
  private async operationFailed(
    told: Told,
    status: 'void_failed' | 'refund_failed' | 'capture_failed',
  ): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = told;
    const kind = KIND_OF_FAILURE[status];
    const failure = { reason: status, providerOperationId: event.operationId ?? null };
    if (kind !== null) await this.operations.fail(transaction, payment, { attempt, kind }, failure);
    return this.alarm(told, status);
  }

  private async changed(told: Told, to: PaymentStatus): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event, change } = told;
    const { provider, data, receivedAt: processedAt, transactionId } = event;
    const isKnown = payment.attempt === attempt && payment.provider_transaction_id !== null;
    const end = notifiedEnd(attempt, { status: event.status, declineCode: event.declineCode ?? undefined });
    const result = await change(transaction, payment, {
      to,
      cause: 'provider_notification',
      originalWebhook: { provider, data, processedAt },
      attempt,
      ...(end && { end }),
      ...(transactionId !== null && !isKnown && { providerTransactionId: transactionId }),
    });
    if (result.outcome === 'changed') return { outcome: 'applied', reason: null, result };
    const reason = result.outcome === 'unchanged' ? 'status_unchanged' : reasonOf(payment, payment.attempt === attempt);
    return { outcome: 'ignored', reason, result };
  }

  private async isCallUnderWay({ transaction, payment, attempt }: Told): Promise<boolean> {
    if (payment.status !== 'pending' || payment.attempt !== attempt) return false;
    const startedAfter = new Date(this.clock.now().getTime() - this.operations.chargeLeaseMs);
    return (await transaction.query(IS_CALL_UNDER_WAY, [payment.id, attempt, startedAfter])).length > 0;
  }

  private async openOperations({ transaction, payment, attempt }: Told): Promise<OperationRow[]> {
    const operations = await this.operations.list(payment.id, transaction);
    return operations.filter((row) => row.attempt === attempt && row.state !== 'confirmed' && row.state !== 'refused');
  }

  private alarm({ payment, attempt, event }: Told, reason: AlarmReason): NotificationVerdict {
    this.alarms.inc({ provider: event.provider, reason });
    const msg = 'a provider’s notification contradicts what is known; look at the payment there';
    const { status, amount, currency } = event;
    this.logger.error({ msg, paymentId: payment.id, attempt, reason, status, amount, currency });
    return { outcome: 'alarm', reason };
  }
}

const reasonOf = ({ status }: PaymentRow, isCurrent: boolean): NotificationReason =>
  isCurrent ? `payment_is_${status}` : 'attempt_superseded';

const isWhole = ({ amount, currency }: ToldEvent, payment: PaymentRow): boolean =>
  (amount === null || Number(amount) === Number(payment.amount)) &&
  (currency === null || currency.toUpperCase() === payment.currency);
