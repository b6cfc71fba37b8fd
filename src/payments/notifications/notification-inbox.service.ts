import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ProviderEvent } from '../../providers/payment-provider.js';
import { rescheduleErasure } from '../ledger/customer.js';
import type { NotificationReason, NotificationVerdict, ReportedEvent, ReportedStatus } from '../ledger/notification.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { ProviderEvents } from '../ledger/provider-events.service.js';
import { firstCheckAt, WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import { markWaiting, RECORD_VERDICT } from '../ledger/waiting.queries.js';
import { IgnoredNotifications } from './ignored-notifications.service.js';
import {
  FIND_BY_REFERENCE,
  FIND_BY_TRANSACTION,
  INSERT_CONFLICT,
  INSERT_NOTIFICATION,
  DROP_NOTIFICATION,
  IS_KNOWN_NOTIFICATION,
  IS_MUCH_KEPT,
  type NotificationOutcome,
} from './notification.queries.js';

/**
 * Of one payment: how many notifications are kept. Whoever holds a shop's notification secret can make any number; what a
 * provider has to say of a payment is far less.
 */
const MOST_KEPT_OF_A_PAYMENT = 1_000;

/** An event of a notification whose signature was right. */
export interface ReceivedEvent {
  event: ProviderEvent & { status: ReportedStatus };
  provider: string;
  /** Other systems use the provider's account, too. */
  isAccountShared: boolean;
  shopId: number;
  /** The event's data as it is stored. */
  dataJson: string;
  receivedAt: Date;
}

export interface TakenEvent {
  /** `duplicate` and `unrelated` are not kept. */
  outcome: NotificationOutcome | 'duplicate' | 'unrelated';
  reason: NotificationReason | null;
  paymentId: number | null;
}

/** A payment, and which of its attempts. */
interface Target {
  payment: PaymentRow;
  attempt: number;
}

const DUPLICATE: TakenEvent = { outcome: 'duplicate', reason: null, paymentId: null };
const FOREIGN: TakenEvent = { outcome: 'unrelated', reason: 'unknown_payment', paymentId: null };

/**
 * Stores each event once, and applies it in the same transaction. In this order: the payment is locked, the event is
 * stored and applied. So whoever decides that an event must wait does so under the lock under which the payment's status is
 * written. Only what is about no payment is counted, and refused beyond the bound of the day.
 */
@Injectable()
export class NotificationInbox {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly events: ProviderEvents,
    private readonly waiting: WaitingNotifications,
    private readonly ignored: IgnoredNotifications,
  ) {}

  /** Throws `too_many_requests`. */
  take(received: ReceivedEvent): Promise<TakenEvent> {
    return this.database.transaction(async (transaction) => {
      const target = await this.find(transaction, received);
      return target ? this.takeKnown(transaction, received, target) : this.takeUnknown(transaction, received);
    });
  }

  /** By our reference, else by the provider's transaction id. Locked. */
  private async find(transaction: Transaction, { event, shopId }: ReceivedEvent): Promise<Target | null> {
    const { reference, transactionId } = event.match;
    type Found = { id: number; attempt: number };
    const [found] = [
      ...(reference === undefined ? [] : await transaction.query<Found>(FIND_BY_REFERENCE, [shopId, reference])),
      ...(transactionId === undefined
        ? []
        : await transaction.query<Found>(FIND_BY_TRANSACTION, [shopId, transactionId])),
    ];
    return found ? { payment: await this.payments.lock(transaction, found.id), attempt: found.attempt } : null;
  }

  private async takeKnown(
    transaction: Transaction,
    received: ReceivedEvent,
    { payment, attempt }: Target,
  ): Promise<TakenEvent> {
    const id = await this.insert(transaction, received, { payment, attempt });
    if (id === null) return this.takeRepeated(transaction, received, { payment, attempt });
    const verdict = await this.events.apply(transaction, payment, attempt, reportedEvent(received));
    await this.waiting.apply(transaction, verdict.payment ?? payment);
    if (verdict.outcome !== 'applied') await this.keep(transaction, received, id, payment, verdict);
    return { outcome: verdict.outcome, reason: verdict.reason, paymentId: payment.id };
  }

  private async keep(
    transaction: Transaction,
    { receivedAt }: ReceivedEvent,
    id: number,
    payment: PaymentRow,
    { outcome, reason }: NotificationVerdict,
  ): Promise<void> {
    if (outcome === 'ignored' && (await this.isDropped(transaction, id, payment))) return;
    const lookAt = outcome === 'waiting' ? firstCheckAt(receivedAt) : null;
    await rescheduleErasure(transaction, payment.customer);
    await transaction.query(RECORD_VERDICT, [id, outcome, reason, lookAt]);
    if (outcome === 'waiting') await markWaiting(transaction, payment, true);
  }

  /**
   * Bounds what is kept of a payment without refusing anything: the provider is told that it was received. Only for what
   * changes nothing: what waits is a status change to come, and an alarm is for a person.
   */
  private async isDropped(transaction: Transaction, id: number, { id: paymentId }: PaymentRow): Promise<boolean> {
    const [beyond] = await transaction.query(IS_MUCH_KEPT, [paymentId, MOST_KEPT_OF_A_PAYMENT]);
    if (beyond) await transaction.query(DROP_NOTIFICATION, [id]);
    return beyond !== undefined;
  }

  /**
   * In a shared account it is another system's: each charge of ours is on record with its reference before the provider
   * hears of it, and the provider repeats the reference. Else it may have come before the answer with its transaction id.
   */
  private async takeUnknown(transaction: Transaction, received: ReceivedEvent): Promise<TakenEvent> {
    const { event, provider, shopId, receivedAt, isAccountShared } = received;
    if (isAccountShared) return FOREIGN;
    if (await this.ignored.areFull(transaction, shopId, receivedAt)) {
      const [known] = await transaction.query(IS_KNOWN_NOTIFICATION, [provider, shopId, event.id]);
      if (known) return DUPLICATE;
      throw this.ignored.refusal(receivedAt);
    }
    const id = await this.insert(transaction, received, null);
    if (id === null) return this.takeRepeated(transaction, received, null);
    const reason = 'unknown_payment';
    await transaction.query(RECORD_VERDICT, [id, 'waiting', reason, firstCheckAt(receivedAt)]);
    await this.ignored.count(transaction, shopId, receivedAt);
    return { outcome: 'waiting', reason, paymentId: null };
  }

  /** The same again is nothing new; other content under a known id is kept, and does nothing. */
  private async takeRepeated(
    transaction: Transaction,
    received: ReceivedEvent,
    target: Target | null,
  ): Promise<TakenEvent> {
    const [conflict] = await transaction.query<{ id: number }>(INSERT_CONFLICT, valuesOf(received, target));
    if (!conflict) return DUPLICATE;
    if (!target) await this.ignored.count(transaction, received.shopId, received.receivedAt);
    else if (!(await this.isDropped(transaction, conflict.id, target.payment))) {
      await rescheduleErasure(transaction, target.payment.customer);
    }
    return { outcome: 'conflict', reason: 'other_content', paymentId: target?.payment.id ?? null };
  }

  /** `null`: its id came before. */
  private async insert(
    transaction: Transaction,
    received: ReceivedEvent,
    target: Target | null,
  ): Promise<number | null> {
    const [inserted] = await transaction.query<{ id: number }>(INSERT_NOTIFICATION, valuesOf(received, target));
    return inserted?.id ?? null;
  }
}

const valuesOf = ({ event, provider, shopId, dataJson, receivedAt }: ReceivedEvent, target: Target | null) => [
  provider,
  shopId,
  event.id,
  eventFingerprint(event),
  event.match.transactionId ?? null,
  event.match.reference ?? null,
  target?.payment.id ?? null,
  target?.attempt ?? null,
  event.status,
  event.amount ?? null,
  event.currency ?? null,
  event.declineCode ?? null,
  event.operationId ?? null,
  dataJson,
  receivedAt,
];

const reportedEvent = ({ event, provider, receivedAt }: ReceivedEvent): ReportedEvent => ({
  provider,
  status: event.status,
  transactionId: event.match.transactionId ?? null,
  reference: event.match.reference ?? null,
  amount: event.amount ?? null,
  currency: event.currency ?? null,
  declineCode: event.declineCode ?? null,
  operationId: event.operationId ?? null,
  data: event.data,
  receivedAt,
});

/** The same for an event that is sent again, whatever the order of its fields; another one for another content. */
function eventFingerprint({ status, match, amount, currency, data }: ProviderEvent): string {
  const content = [status, match.transactionId, match.reference, amount, currency, data];
  return createHash('sha256').update(JSON.stringify(content, sorted)).digest('hex');
}

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
