import { isDeepStrictEqual } from 'node:util';
import { Injectable, Logger } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { type AttemptEnd, isAccepted } from './attempt.js';
import { rescheduleErasure } from './customer.js';
import { LateCharges } from './late-charges.service.js';
import { PaymentAttemptsService } from './payment-attempts.service.js';
import { FIND_SAME_TRANSACTION, KEEP_AUTHORIZATION, KEEP_LATE_ANSWER, type PaymentRow } from './payment.queries.js';
import { authorizedAfter, statesAfter, type StatusChange, type StatusChangeResult } from './status-change.js';
import { StatusWriter } from './status-writer.service.js';
import { linkWaiting } from './waiting.queries.js';

/**
 * Changes of payments that the caller has locked. A change is written if the transition table allows it. Otherwise the
 * facts that only this answer has are kept, and a late charge is reversed.
 */
@Injectable()
export class LockedChanges {
  private readonly logger = new Logger(LockedChanges.name);

  constructor(
    private readonly clock: Clock,
    private readonly attempts: PaymentAttemptsService,
    private readonly writer: StatusWriter,
    private readonly lateCharges: LateCharges,
  ) {}

  /** Changes the payment under the row lock that the caller holds. */
  async change(transaction: Transaction, before: PaymentRow, requested: StatusChange): Promise<StatusChangeResult> {
    const reasoned = await this.attempts.withReason(transaction, before.id, requested);
    const change = await this.withOwnTransactionId(transaction, before, reasoned);
    const states = statesAfter(before, change, this.clock.now());
    if (typeof states !== 'string') {
      const after = await this.writer.writeLocked(transaction, before, states, change);
      return { payment: await this.withLinked(transaction, before, after), outcome: 'changed' };
    }
    if (change.end && states !== 'superseded') {
      await this.attempts.end(transaction, before, change.end, change.providerTransactionId);
    }
    const known = await this.withLateAnswer(transaction, before, change, states === 'superseded');
    if (change.end && isLateCharge(before, change.end, states)) {
      await this.lateCharges.reverse(transaction, before, change.end, change);
    }
    const authorized = authorizedAfter(known, change, this.clock.now());
    if (!authorized) return { payment: known, outcome: states };
    return { payment: await this.keepAuthorization(transaction, authorized), outcome: 'changed' };
  }

  private async keepAuthorization(transaction: Transaction, payment: PaymentRow): Promise<PaymentRow> {
    const { id, amount_authorized: amount, capture_before: captureBefore, updated_at: updatedAt } = payment;
    await transaction.query(KEEP_AUTHORIZATION, [id, amount, captureBefore, updatedAt]);
    return payment;
  }

  /** Links notifications that arrived before the transaction id that they are about. */
  private async withLinked(transaction: Transaction, before: PaymentRow, after: PaymentRow): Promise<PaymentRow> {
    const { provider_transaction_id: transactionId, shop_id: shopId, attempt } = after;
    if (transactionId === null || transactionId === before.provider_transaction_id) return after;
    return linkWaiting(transaction, after, { attempt, shopId, transactionId });
  }

  /** Keeps the facts that only the answer has, when a notification was faster. */
  private async withLateAnswer(
    transaction: Transaction,
    before: PaymentRow,
    {
      attempt,
      cause,
      to,
      end,
      providerTransactionId,
      providerMetadata = {},
      nextAction,
      completedAction,
    }: StatusChange,
    isSuperseded: boolean,
  ): Promise<PaymentRow> {
    const isNewId = providerTransactionId !== undefined && (isSuperseded || before.provider_transaction_id === null);
    const isMetadata = !isSuperseded && cause === 'provider_answer' && Object.keys(providerMetadata).length > 0;
    // a repeat may be slower than the answer to the step after it
    const isCompleted = completedAction !== undefined && isDeepStrictEqual(before.next_action, completedAction);
    const isFirst = nextAction !== undefined && before.next_action === null && completedAction === undefined;
    const isNextAction = !isSuperseded && to === before.status && (isCompleted || isFirst);
    const card = end?.card;
    if (attempt === undefined || !(isNewId || isMetadata || isNextAction || card)) return before;
    const metadata = isMetadata ? { ...before.provider_metadata, ...providerMetadata } : before.provider_metadata;
    const next = isNextAction ? (nextAction ?? null) : before.next_action;
    const texts = [metadata, next, card ?? null].map((value) => value && JSON.stringify(value));
    const values = [before.id, attempt, providerTransactionId ?? null, ...texts];
    await transaction.query(KEEP_LATE_ANSWER, values);
    await rescheduleErasure(transaction, before.customer);
    if (isSuperseded) return before;
    const id = before.provider_transaction_id ?? providerTransactionId ?? null;
    const after = { ...before, provider_transaction_id: id, provider_metadata: metadata, next_action: next };
    return this.withLinked(transaction, before, after);
  }

  /** Writes the change without the id when a provider gives one id to two payments: the charge was made anyway. */
  private async withOwnTransactionId(
    transaction: Transaction,
    payment: PaymentRow,
    change: StatusChange,
  ): Promise<StatusChange> {
    const { providerTransactionId, ...rest } = change;
    if (providerTransactionId === undefined || providerTransactionId === payment.provider_transaction_id) return change;
    const values = [payment.shop_id, providerTransactionId, payment.id];
    const [other] = await transaction.query<{ id: number }>(FIND_SAME_TRANSACTION, values);
    if (!other) return change;
    const msg =
      'a provider gave the transaction id of another payment; only the reference identifies this payment there';
    this.logger.error({ msg, paymentId: payment.id, otherPaymentId: other.id, providerTransactionId });
    return { ...rest, providerMetadata: { ...rest.providerMetadata, repeated_transaction_id: providerTransactionId } };
  }
}

/** The provider accepted a charge that the payment no longer waits for. */
const isLateCharge = (payment: PaymentRow, end: AttemptEnd, outcome: 'unchanged' | 'refused' | 'superseded'): boolean =>
  isAccepted(end) && (outcome === 'superseded' || payment.status === 'failed' || payment.status === 'cancelled');
