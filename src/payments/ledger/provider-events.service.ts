import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { ALARM_REASONS, type AlarmReason } from '../../shared/alarm.js';
import { Clock } from '../../shared/clock.js';
import { applyDispute } from '../disputes/apply-dispute.js';
import { notifiedEnd } from './attempt.js';
import { captureOf, isAuthorized } from './capture.js';
import { LateCharges } from './late-charges.service.js';
import { LockedChanges } from './locked-changes.service.js';
import type { NotificationVerdict, ReportedEvent } from './notification.js';
import type { OperationRow } from './operation.js';
import { OperationRecords } from './operation-records.service.js';
import type { PaymentStatus } from './payment-state.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRow } from './payment.queries.js';
import { RefundEvents } from './refunds/refund-events.service.js';
import { type EventContext, wasCharged } from './refunds/reversal-events.service.js';
import type { StatusChange } from './status-change.js';
import { IS_CALL_UNDER_WAY } from './waiting.queries.js';

/**
 * Applies a provider's event to a payment in any state. The event is applied if the transition table allows it, waits
 * if it may become legal, is ignored if it contradicts the payment, and raises an alarm if only a person can help.
 * - `completed` and `authorized` are applied at once: the provider charged the payer, or holds the amount.
 * - `processing`, `failed` and `cancelled` wait while the attempt's call may still be answered: only the answer says
 *   whether another shop may be asked.
 * - `cancelled` after `completed` is an alarm: the provider does not have the money.
 * - `disputed` changes no status.
 * - `refunded` waits for the charge, and for the id of our own refund whose answer is still missing.
 */
@Injectable()
export class ProviderEvents {
  private readonly logger = new Logger(ProviderEvents.name);

  constructor(
    private readonly operations: OperationRecords,
    private readonly lateCharges: LateCharges,
    private readonly refunds: RefundEvents,
    private readonly changes: LockedChanges,
    private readonly clock: Clock,
    private readonly metrics: PaymentMetrics,
  ) {}

  /** `payment`: locked in the transaction. `mayWait`: the event has not waited too long already. */
  async apply(
    transaction: Transaction,
    payment: PaymentRow,
    attempt: number,
    event: ReportedEvent,
    mayWait = true,
  ): Promise<NotificationVerdict> {
    const context = { transaction, payment, attempt, event };
    const found = await this.verdictOf(context);
    const verdict = found.outcome === 'waiting' && !mayWait ? endOfWaiting(event, found) : found;
    if (verdict.outcome === 'alarm') this.alarm(context, verdict.reason);
    return verdict;
  }

  private verdictOf(context: EventContext): Promise<NotificationVerdict> {
    const { payment, attempt, event } = context;
    switch (event.status) {
      case 'authorized':
        return payment.capture === 'manual' ? this.authorized(context) : this.completed(context);
      case 'authorization_expired':
        return this.unfinished(context, 'cancelled');
      case 'completed':
        return this.completed(context);
      case 'refunded':
      case 'refund_pending':
        return this.refunded(context);
      case 'processing':
      case 'failed':
      case 'cancelled':
        return this.unfinished(context, event.status);
      case 'disputed':
        return this.disputed(context);
      default:
        return this.refunds.failed(context, reasonOf(payment, payment.attempt === attempt));
    }
  }

  /** An authorisation of a payment that was captured says nothing new. */
  private async authorized(context: EventContext): Promise<NotificationVerdict> {
    const { event } = context;
    if (wasCharged(context)) return { outcome: 'ignored', reason: 'status_unchanged' };
    if (!(await this.hasSameAmount(context))) return { outcome: 'alarm', reason: 'amount_differs' };
    return this.changed(context, 'processing', { authorized: { captureBefore: event.captureBefore ?? undefined } });
  }

  private async completed(context: EventContext): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    const capture = payment.capture === 'manual' ? await this.captured(context) : undefined;
    const isPart = capture !== undefined && Number(capture) <= Number(payment.amount);
    if (!(await this.hasSameAmount(context, isPart)) || isOtherCapture(context)) {
      return { outcome: 'alarm', reason: 'amount_differs' };
    }
    const verdict = await this.changed(context, 'completed', isPart ? { capturedAmount: capture } : {});
    const captured = event.amount ?? undefined;
    if (capture !== undefined)
      await this.operations.closeCapture(transaction, { paymentId: payment.id, attempt, captured });
    return verdict;
  }

  /** The amount that was captured of a manual payment, perhaps at the provider; `undefined`: the whole amount. */
  private async captured({ transaction, payment, attempt, event }: EventContext): Promise<string | undefined> {
    if (event.amount !== null) return event.amount;
    return captureOf(await this.operations.list(payment.id, transaction), attempt)?.amount;
  }

  private hasSameAmount({ transaction, payment, attempt, event }: EventContext, isPart = false): Promise<boolean> {
    const amount = isPart ? undefined : (event.amount ?? undefined);
    return this.lateCharges.hasSameAmount(transaction, payment, attempt, {
      amount,
      currency: event.currency ?? undefined,
    });
  }

  private async unfinished(
    context: EventContext,
    to: 'processing' | 'failed' | 'cancelled',
  ): Promise<NotificationVerdict> {
    const { payment, attempt } = context;
    // a payer's failed try that is reported late ends no authorisation
    if (to === 'failed' && isAuthorized(payment)) return { outcome: 'ignored', reason: 'payment_is_processing' };
    // the charge was reported as made; now the provider has cancelled it, or it was never captured
    const isLost = to === 'cancelled' && payment.attempt === attempt && payment.status === 'completed';
    if (isLost) return { outcome: 'alarm', reason: 'capture_failed' };
    if (await this.isCallUnderWay(context)) return { outcome: 'waiting', reason: 'payment_is_pending' };
    const verdict = await this.changed(context, to);
    const isOver = payment.attempt !== attempt || payment.status === 'failed' || payment.status === 'cancelled';
    if (to !== 'processing' && (isOver || verdict.outcome === 'applied')) await this.closeUncharged(context);
    return verdict;
  }

  /**
   * Closes the attempt's operations after the provider reported that nothing was charged: a void has nothing left to
   * do.
   */
  private async closeUncharged(context: EventContext): Promise<void> {
    const { transaction, payment, attempt, event } = context;
    for (const { kind, cause } of await this.openOperations(context)) {
      const of = { paymentId: payment.id, attempt, kind };
      const { status: lastAnswer } = event;
      if (kind === 'charge') {
        await this.operations.close(transaction, of, { state: 'refused', lastAnswer, reason: lastAnswer });
      }
      if (kind === 'capture') {
        await this.operations.close(transaction, of, { state: 'refused', lastAnswer, reason: lastAnswer });
      }
      if (kind !== 'void') continue;
      await this.operations.close(transaction, of, { state: 'confirmed', lastAnswer });
      if (cause === 'charged_after_end') await this.lateCharges.reversed(transaction, payment);
    }
  }

  private async refunded(context: EventContext): Promise<NotificationVerdict> {
    const { payment, attempt } = context;
    const isCurrent = payment.attempt === attempt;
    const reason = reasonOf(payment, isCurrent);
    const isOngoing = isCurrent && (payment.status === 'pending' || payment.status === 'processing');
    return isOngoing ? { outcome: 'waiting', reason } : this.refunds.succeeded(context, reason);
  }

  /** A dispute changes no status, so it is applied at once. */
  private async disputed({ transaction, payment, attempt, event }: EventContext): Promise<NotificationVerdict> {
    const { provider, dispute } = event;
    if (dispute === null) return { outcome: 'ignored', reason: 'dispute_unchanged' };
    const disputed = { paymentId: payment.id, attempt, provider };
    const result = await applyDispute(transaction, disputed, dispute, this.clock.now());
    if (result.outcome === 'ignored') return result;
    this.metrics.disputed(provider, result.status);
    return { outcome: 'applied', reason: null };
  }

  private async changed(
    context: EventContext,
    to: PaymentStatus,
    amounts: Pick<StatusChange, 'authorized' | 'capturedAmount'> = {},
  ): Promise<NotificationVerdict> {
    const { transaction, payment, attempt, event } = context;
    const { provider, data, receivedAt: processedAt, transactionId } = event;
    const isKnown = payment.attempt === attempt && payment.provider_transaction_id !== null;
    const isApproved = payment.attempt === attempt && isAuthorized(payment);
    const reported = notifiedEnd(attempt, { status: event.status, declineCode: event.declineCode ?? undefined });
    const end = isApproved ? null : reported;
    const result = await this.changes.change(transaction, payment, {
      to,
      cause: event.status === 'authorization_expired' ? 'authorization_expired' : 'provider_notification',
      ...amounts,
      originalWebhook: { provider, data, processedAt },
      attempt,
      ...(end && { end }),
      ...(transactionId !== null && !isKnown && { providerTransactionId: transactionId }),
    });
    if (result.outcome === 'changed') return { outcome: 'applied', reason: null, payment: result.payment };
    const reason = result.outcome === 'unchanged' ? 'status_unchanged' : reasonOf(payment, payment.attempt === attempt);
    return { outcome: 'ignored', reason, payment: result.payment };
  }

  private async isCallUnderWay({ transaction, payment, attempt }: EventContext): Promise<boolean> {
    if (payment.status !== 'pending' || payment.attempt !== attempt) return false;
    const startedAfter = new Date(this.clock.now().getTime() - this.operations.chargeLeaseMs);
    return (await transaction.query(IS_CALL_UNDER_WAY, [payment.id, attempt, startedAfter])).length > 0;
  }

  private async openOperations({ transaction, payment, attempt }: EventContext): Promise<OperationRow[]> {
    const operations = await this.operations.list(payment.id, transaction);
    return operations.filter((row) => row.attempt === attempt && row.state !== 'confirmed' && row.state !== 'refused');
  }

  private alarm({ payment, attempt, event }: EventContext, reason: AlarmReason): void {
    this.metrics.alarmed(event.provider, reason);
    const msg = 'a provider’s notification contradicts the payment; check the payment at the provider';
    const { status, amount, currency, operationId } = event;
    this.logger.error({ msg, paymentId: payment.id, attempt, reason, status, amount, currency, operationId });
  }
}

/** Some providers can capture a second part of an authorisation, which the payment does not count. */
const isOtherCapture = (context: EventContext): boolean => {
  const { payment, event } = context;
  return event.amount !== null && wasCharged(context) && Number(event.amount) !== Number(payment.amount_captured);
};

/**
 * Ends the wait of an event whose cause will not be reported. A failure still needs a person, and so does a refund that
 * may be another one than ours.
 */
function endOfWaiting({ status }: ReportedEvent, verdict: NotificationVerdict): NotificationVerdict {
  const isOther = status === 'refunded' && /^payment_is_(completed|refunded)$/.test(verdict.reason ?? '');
  const reason = isOther ? 'other_refund' : ALARM_REASONS.find((each) => each === status);
  return reason ? { outcome: 'alarm', reason } : { ...verdict, outcome: 'ignored', reason: verdict.reason! };
}

const reasonOf = ({ status }: PaymentRow, isCurrent: boolean) =>
  isCurrent ? (`payment_is_${status}` as const) : 'attempt_superseded';
