import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ProviderEvent } from '../../providers/payment-provider.js';
import { reopenErasure } from '../ledger/customer-erasure.js';
import type { NotificationReason, NotificationVerdict, ToldEvent, ToldStatus } from '../ledger/notification.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import type { StatusChangeResult } from '../ledger/status-change.js';
import { firstLookAt, WaitingNotifications } from '../ledger/waiting-notifications.service.js';
import { SETTLE_NOTIFICATION } from '../ledger/waiting.queries.js';
import { eventFingerprint } from './event-fingerprint.js';
import { IgnoredNotifications } from './ignored-notifications.service.js';
import {
  FIND_BY_REFERENCE,
  FIND_BY_TRANSACTION,
  INSERT_CONFLICT,
  INSERT_NOTIFICATION,
  IS_KNOWN_NOTIFICATION,
  type NotificationOutcome,
} from './notification.queries.js';

/** An event of a notification whose signature was right. */
export interface ReceivedEvent {
  event: ProviderEvent & { status: ToldStatus };
  provider: string;
  shopId: number;
  /** The event's data as it is stored. */
  dataJson: string;
  receivedAt: Date;
}

export interface TakenEvent {
  outcome: NotificationOutcome | 'duplicate';
  reason: NotificationReason | null;
  paymentId: number | null;
  result?: StatusChangeResult | undefined;
}

/** A payment, and which of its attempts. */
interface Target {
  payment: PaymentRow;
  attempt: number;
}

const DUPLICATE: TakenEvent = { outcome: 'duplicate', reason: null, paymentId: null };

/**
 * Stores each event once, and applies it in the same transaction. In this order: the payment is locked, the event is
 * stored, applied, and counted if it changed nothing. So whoever decides that an event must wait does so under the lock
 * under which the payment's status is written.
 */
@Injectable()
export class NotificationInbox {
  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly waiting: WaitingNotifications,
    private readonly ignored: IgnoredNotifications,
  ) {}

  /** Throws `too_many_requests`. */
  async take(received: ReceivedEvent): Promise<TakenEvent> {
    const taken = await this.database.transaction(async (transaction) => {
      const target = await this.find(transaction, received);
      return target ? this.takeKnown(transaction, received, target) : this.takeUnknown(transaction, received);
    });
    if (taken.result) this.payments.afterCommit(taken.result);
    return taken;
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
    const verdict = await this.payments.applyEvent(transaction, payment, attempt, toldBy(received));
    if (verdict.outcome !== 'applied') await this.keep(transaction, received, id, payment, verdict);
    return { ...verdict, paymentId: payment.id };
  }

  private async keep(
    transaction: Transaction,
    { shopId, receivedAt }: ReceivedEvent,
    id: number,
    payment: PaymentRow,
    { outcome, reason }: NotificationVerdict,
  ): Promise<void> {
    const lookAt = outcome === 'waiting' ? firstLookAt(receivedAt) : null;
    await reopenErasure(transaction, payment.customer);
    await transaction.query(SETTLE_NOTIFICATION, [id, outcome, reason, lookAt]);
    if (outcome === 'waiting') await this.waiting.mark(transaction, payment, true);
    await this.ignored.count(transaction, shopId, receivedAt);
  }

  /** It may have come before the answer that brings its transaction id. */
  private async takeUnknown(transaction: Transaction, received: ReceivedEvent): Promise<TakenEvent> {
    const { event, provider, shopId, receivedAt } = received;
    if (await this.ignored.areFull(transaction, shopId, receivedAt)) {
      const [known] = await transaction.query(IS_KNOWN_NOTIFICATION, [provider, shopId, event.id]);
      if (known) return DUPLICATE;
      throw this.ignored.refusal(receivedAt);
    }
    const id = await this.insert(transaction, received, null);
    if (id === null) return this.takeRepeated(transaction, received, null);
    const reason = 'unknown_payment';
    await transaction.query(SETTLE_NOTIFICATION, [id, 'waiting', reason, firstLookAt(receivedAt)]);
    await this.ignored.count(transaction, shopId, receivedAt);
    return { outcome: 'waiting', reason, paymentId: null };
  }

  /** The same again is nothing new; other content under a known id is kept, and does nothing. */
  private async takeRepeated(
    transaction: Transaction,
    received: ReceivedEvent,
    target: Target | null,
  ): Promise<TakenEvent> {
    const conflicts = await transaction.query(INSERT_CONFLICT, valuesOf(received, target));
    if (conflicts.length === 0) return DUPLICATE;
    if (target) await reopenErasure(transaction, target.payment.customer);
    await this.ignored.count(transaction, received.shopId, received.receivedAt);
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

const toldBy = ({ event, provider, receivedAt }: ReceivedEvent): ToldEvent => ({
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
