import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Database, type Queryable, type Statement, type Transaction } from '../../platform/database/database.js';
import type { ProviderEvent } from '@payment-orchestrator/provider-kit';
import { reportOf } from '../store/dispute.js';
import { rescheduleErasure } from '../store/customer.js';
import type {
  NotificationReason,
  NotificationVerdict,
  ReportedEvent,
  ReportedStatus,
} from '../money/state/notification.js';
import { type ArchivedChargeRow, FIND_ARCHIVED_CHARGE } from '../store/known-charges.service.js';
import { PaymentMetrics } from '../store/payment-metrics.js';
import { PaymentsService } from '../store/payments.service.js';
import type { PaymentRow } from '../money/state/payment.js';
import { MoneyService } from '../store/money.service.js';
import { factOf } from '../money/state/call-fact.js';
import { firstCheckAt, LET_WAIT, MARK_WAITING, RECORD_VERDICT } from '../store/notification.queries.js';
import { canonicalJson } from '../../shared/json.js';
import { archivedVerdict } from './archived-verdict.js';
import { IgnoredNotifications } from './ignored-notifications.service.js';
import {
  INSERT_CONFLICT,
  INSERT_NOTIFICATION,
  DROP_NOTIFICATION,
  FIND_BY_REFERENCE,
  FIND_BY_TRANSACTIONS,
  type FoundAttempt,
  IS_KNOWN_NOTIFICATION,
  IS_LIMIT_EXCEEDED,
  type NotificationOutcome,
} from '../store/notification.queries.js';

/**
 * Largest number of stored notifications per payment. A provider sends far fewer, but anyone with a shop's notification
 * secret could send any number.
 */
const MAX_KEPT_PER_PAYMENT = 1_000;

/** An event of a notification with a valid signature. */
export interface ReceivedEvent {
  event: ProviderEvent & { status: ReportedStatus };
  provider: string;
  /** Other systems may use the provider's account as well. */
  isAccountShared: boolean;
  /** Our reference, if the provider was asked for it because the event does not name it. */
  foundReference?: string;
  shopId: number;
  /** The event's data as it is stored. */
  dataJson: string;
  receivedAt: Date;
}

export interface StoredEvent {
  /** `duplicate` and `unrelated` are not stored. */
  outcome: NotificationOutcome | 'duplicate' | 'unrelated';
  reason: NotificationReason | null;
  paymentId: number | null;
}

/** A payment and one of its attempts. */
interface Target<Payment extends { id: number } = PaymentRow> {
  payment: Payment;
  attempt: number;
}

const DUPLICATE: StoredEvent = { outcome: 'duplicate', reason: null, paymentId: null };
const FOREIGN: StoredEvent = { outcome: 'unrelated', reason: 'unknown_payment', paymentId: null };

/**
 * Stores each event once, and applies it in the same transaction. The payment is locked first, then the event is stored
 * and applied. So the decision that an event must wait is made under the lock under which the payment's status is
 * written. Only events without a payment are counted, and refused above the day's limit.
 */
@Injectable()
export class NotificationInbox {
  private readonly logger = new Logger(NotificationInbox.name);

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
    private readonly ignored: IgnoredNotifications,
    private readonly metrics: PaymentMetrics,
  ) {}

  /** Throws `too_many_requests`. */
  store(received: ReceivedEvent): Promise<StoredEvent> {
    return this.database.transaction(async (transaction) => {
      const { event, shopId, foundReference } = received;
      // an event's own reference comes first
      const match = { ...(foundReference !== undefined && { reference: foundReference }), ...event.match };
      const found = await findAttempt(transaction, shopId, match);
      if (found) {
        const payment = await this.payments.lock(transaction, found.payment_id);
        return this.storeKnown(transaction, received, { payment, attempt: found.attempt });
      }
      const values = [shopId, match.reference ?? null, match.transactionId ?? null];
      const [archived] = await transaction.query<ArchivedChargeRow>(FIND_ARCHIVED_CHARGE, values);
      return archived ? this.storeArchived(transaction, received, archived) : this.storeUnknown(transaction, received);
    });
  }

  /** Stores an event of an archived payment without its data, which an erasure would not find. */
  private async storeArchived(
    transaction: Transaction,
    received: ReceivedEvent,
    { payment_id: paymentId, attempt, status, is_current: isCurrent }: ArchivedChargeRow,
  ): Promise<StoredEvent> {
    const target = { payment: { id: paymentId }, attempt };
    const id = await insert(transaction, INSERT_NOTIFICATION, { ...received, dataJson: '{}' }, target);
    if (id === undefined) return DUPLICATE;
    const verdict = archivedVerdict({ status, isCurrent }, received.event.status);
    const isDropped = await this.isDropped(transaction, id, paymentId);
    if (!isDropped) await transaction.query(RECORD_VERDICT, [id, verdict.outcome, verdict.reason]);
    if (verdict.outcome === 'alarm') {
      const { provider, shopId, event } = received;
      transaction.onCommit(() => this.metrics.alarmed(provider, 'payment_archived'));
      const msg = 'a provider reports a change of an archived payment; check the payment at the provider';
      this.logger.error({ msg, paymentId, shopId, status: event.status, amount: event.amount, ...event.match });
    }
    return { ...verdict, paymentId };
  }

  private async storeKnown(transaction: Transaction, received: ReceivedEvent, target: Target): Promise<StoredEvent> {
    const { payment, attempt } = target;
    const id = await insert(transaction, INSERT_NOTIFICATION, received, target);
    if (id === undefined) return this.storeRepeated(transaction, received, target);
    const fact = factOf(reportedEvent(received), attempt, payment.capture);
    const { verdict, payment: after } = await this.money.applyTo(transaction, payment, fact);
    if (verdict.outcome !== 'applied') await this.keep(transaction, received, id, after, verdict);
    return { outcome: verdict.outcome, reason: verdict.reason, paymentId: payment.id };
  }

  private async keep(
    transaction: Transaction,
    { receivedAt }: ReceivedEvent,
    id: number,
    payment: PaymentRow,
    { outcome, reason }: NotificationVerdict,
  ): Promise<void> {
    if (outcome === 'ignored' && (await this.isDropped(transaction, id, payment.id))) return;
    await rescheduleErasure(transaction, payment.customer);
    if (outcome !== 'waiting') return void (await transaction.query(RECORD_VERDICT, [id, outcome, reason]));
    await transaction.query(LET_WAIT, [id, reason, firstCheckAt(receivedAt)]);
    await transaction.query(MARK_WAITING, [payment.id, true]);
  }

  /**
   * Limits the stored notifications of a payment. Nothing is refused: the provider gets the usual answer. Only ignored
   * ones are dropped: a waiting one is a future change of status, and an alarm is for a person.
   */
  private async isDropped(transaction: Transaction, id: number, paymentId: number): Promise<boolean> {
    const [beyond] = await transaction.query(IS_LIMIT_EXCEEDED, [paymentId, MAX_KEPT_PER_PAYMENT]);
    if (beyond) await transaction.query(DROP_NOTIFICATION, [id]);
    return beyond !== undefined;
  }

  /**
   * Stores an event without a payment. In a shared account it belongs to another system: each of our charges is
   * recorded with its reference before the provider is called, and the provider repeats the reference or was asked for
   * it. Otherwise it may have come before the answer with its transaction id.
   */
  private async storeUnknown(transaction: Transaction, received: ReceivedEvent): Promise<StoredEvent> {
    const { event, provider, shopId, receivedAt, isAccountShared } = received;
    if (isAccountShared) return FOREIGN;
    if (await this.ignored.isLimitReached(transaction, shopId, receivedAt)) {
      const [known] = await transaction.query(IS_KNOWN_NOTIFICATION, [provider, shopId, event.id]);
      if (known) return DUPLICATE;
      throw this.ignored.refusal(receivedAt);
    }
    const id = await insert(transaction, INSERT_NOTIFICATION, received, null);
    if (id === undefined) return this.storeRepeated(transaction, received, null);
    const reason = 'unknown_payment';
    await transaction.query(LET_WAIT, [id, reason, firstCheckAt(receivedAt)]);
    await this.ignored.count(transaction, shopId, receivedAt);
    return { outcome: 'waiting', reason, paymentId: null };
  }

  /** Handles a known id: the same content is a duplicate; other content is stored as a conflict, and is not applied. */
  private async storeRepeated(
    transaction: Transaction,
    received: ReceivedEvent,
    target: Target | null,
  ): Promise<StoredEvent> {
    const conflict = await insert(transaction, INSERT_CONFLICT, received, target);
    if (conflict === undefined) return DUPLICATE;
    if (!target) await this.ignored.count(transaction, received.shopId, received.receivedAt);
    else if (!(await this.isDropped(transaction, conflict, target.payment.id))) {
      await rescheduleErasure(transaction, target.payment.customer);
    }
    return { outcome: 'conflict', reason: 'other_content', paymentId: target?.payment.id ?? null };
  }
}

/** The attempt of an event at a shop: by our reference, else by the provider's transaction id. */
export async function findAttempt(
  database: Queryable,
  shopId: number,
  { reference, transactionId }: ProviderEvent['match'],
): Promise<FoundAttempt | undefined> {
  const [found] =
    reference === undefined ? [] : await database.query<FoundAttempt>(FIND_BY_REFERENCE, [shopId, reference]);
  if (found || transactionId === undefined) return found;
  return (await database.query<FoundAttempt>(FIND_BY_TRANSACTIONS, [shopId, [transactionId]]))[0];
}

/** The id of the row; `undefined`: the event is known. */
async function insert(
  transaction: Transaction,
  statement: Statement,
  received: ReceivedEvent,
  target: Target<{ id: number }> | null,
): Promise<number | undefined> {
  const { event, shopId, dataJson } = received;
  const { provider, transactionId, reference, status, amount, currency, ...reported } = reportedEvent(received);
  const { declineCode, operationId, receivedAt, dispute } = reported;
  const [inserted] = await transaction.query<{ id: number }>(statement, [
    ...[provider, shopId, event.id, eventFingerprint(event), transactionId, reference],
    ...[target?.payment.id ?? null, target?.attempt ?? null, status, amount, currency, declineCode, operationId],
    ...[dataJson, receivedAt, dispute && JSON.stringify(dispute)],
  ]);
  return inserted?.id;
}

const reportedEvent = ({ event, provider, receivedAt }: ReceivedEvent): ReportedEvent => ({
  provider,
  status: event.status,
  transactionId: event.match.transactionId ?? null,
  reference: event.match.reference ?? null,
  amount: event.amount ?? null,
  currency: event.currency ?? null,
  declineCode: event.declineCode ?? null,
  operationId: event.operationId ?? null,
  captureBefore: event.captureBefore,
  dispute: event.dispute ? reportOf(event.dispute, event.occurredAt ?? receivedAt) : null,
  data: event.data,
  receivedAt,
});

/** Fingerprint of an event: the same for any order of its fields, different for other content. */
function eventFingerprint({ status, match, amount, currency, data, dispute }: ProviderEvent): string {
  const content = [status, match.transactionId, match.reference, amount, currency, data, ...(dispute ? [dispute] : [])];
  return createHash('sha256').update(canonicalJson(content)).digest('hex');
}
