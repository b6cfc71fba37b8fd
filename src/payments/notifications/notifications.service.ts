import { Injectable, Logger } from '@nestjs/common';
import type { AuditContext } from '../../audit/audit-context.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { Database } from '../../platform/database/database.js';
import { Metrics } from '../../platform/observability/metrics.js';
import type {
  IncomingNotification,
  ParsedNotification,
  PaymentProvider,
  ProviderEvent,
  SavedMethod,
} from '@payment-orchestrator/provider-kit';
import { NotificationReader, type Recipient } from '../../providers/notifications/notification-reader.service.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Clock } from '../../shared/clock.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { ReportedStatus } from '../money/state/notification.js';
import { AskedAttempts } from './asked-attempts.service.js';
import { SavedMethods } from '../methods/saved-methods.service.js';
import type { ListNotificationsQueryDto } from './notifications.dto.js';
import { findAttempt, NotificationInbox, type ReceivedEvent, type StoredEvent } from './notification-inbox.service.js';
import {
  ACKNOWLEDGE_ALARM,
  IS_AWAITED,
  LIST_NOTIFICATIONS,
  LIST_PAYMENT_NOTIFICATIONS,
  LOCK_NOTIFICATION,
  NOTIFICATION_OUTCOMES,
  type NotificationRow,
} from '../store/notification.queries.js';

export interface ReceivedNotification {
  /** The answer that the provider expects; absent: our standard body. */
  acknowledge?: NonNullable<ParsedNotification['acknowledge']>;
  /** False if it only asks about transactions that the shop does not have: anyone can send that. */
  isOurs: boolean;
}

/** Notifications of providers: verified, and each event stored once and applied in the same transaction. */
@Injectable()
export class NotificationsService {
  private readonly logger = new Logger(NotificationsService.name);
  private readonly received;

  constructor(
    private readonly database: Database,
    private readonly providers: ProviderRegistry,
    private readonly shops: ShopsService,
    private readonly reader: NotificationReader,
    private readonly inbox: NotificationInbox,
    private readonly asked: AskedAttempts,
    private readonly methods: SavedMethods,
    private readonly audit: AuditLogService,
    private readonly clock: Clock,
    metrics: Metrics,
  ) {
    this.received = metrics.counter({
      name: 'provider_notifications_total',
      help: 'Events from providers by outcome; unrelated: not ours, or of a kind that says nothing about a payment; asked: looked up; malformed, failed: the connector read a notification wrongly, or not at all',
      labels: {
        provider: providers.names(),
        outcome: [...NOTIFICATION_OUTCOMES, 'duplicate', 'unrelated', 'asked', 'malformed', 'failed'],
      },
    });
  }

  /**
   * Returns the answer that the provider expects, and whether the notification is about the shop. Throws
   * `provider_not_found`; `invalid_signature` for a wrong signature, and also for an unknown shop or one of another
   * provider, so that an attacker finds out nothing about shops; `validation_failed` if an event is malformed or too many
   * transactions are named; `too_many_requests` if too many notifications of the day had no payment;
   * `dependency_unavailable` if it was not read in time, if the provider must be asked and gives no answer, or for a saved payment
   * method whose payment may be known soon; `internal_error` if the connector fails. Events before the refused one are stored, and count once if all are sent again.
   */
  async receive(providerName: string, incoming: IncomingNotification): Promise<ReceivedNotification> {
    const provider = this.providers.get(providerName);
    const { shopId } = incoming;
    const {
      events,
      ask = [],
      acknowledge,
    } = await this.reader.parse(provider, incoming, this.recipient(provider, shopId));
    for (const { match, savedMethod } of events) {
      if (savedMethod) await this.keepMethod(shopId, match, savedMethod);
    }
    const named = [...new Set(ask)];
    const asked = await this.asked.ask(providerName, shopId, named);
    const receivedAt = this.clock.now();
    const related = events.filter(isRelated).map((event) => ({
      event,
      provider: providerName,
      isAccountShared: provider.accountsAreShared,
      shopId,
      dataJson: JSON.stringify(event.data),
      receivedAt,
    }));
    if (asked > 0) this.received.inc({ provider: providerName, outcome: 'asked' }, asked);
    const unrelated = events.length - related.length + Math.max(0, named.length - asked);
    if (unrelated > 0) this.received.inc({ provider: providerName, outcome: 'unrelated' }, unrelated);
    for (const received of related) await this.store(provider, received);
    const isOurs = asked > 0 || events.length > 0 || named.length === 0;
    return { isOurs, ...(acknowledge && { acknowledge }) };
  }

  /** Notifications of a shop, newest first. Throws `shop_not_found`, also for a shop of another merchant. */
  async list(
    merchantId: number,
    { shop_id: shopId, payment_id: paymentId, outcome }: ListNotificationsQueryDto,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<NotificationRow>> {
    await this.shops.find(merchantId, shopId);
    const statement = paymentId === undefined ? LIST_NOTIFICATIONS : LIST_PAYMENT_NOTIFICATIONS;
    const rows = await this.database.query<NotificationRow>(statement, [
      shopId,
      outcome === undefined ? NOTIFICATION_OUTCOMES : [outcome],
      beforeId,
      limit + 1,
      ...(paymentId === undefined ? [] : [paymentId]),
    ]);
    return toPage(rows, limit);
  }

  /**
   * Acknowledges an alarm, which stays open until then; an acknowledged one is returned unchanged. Throws `notification_not_found`, also for a
   * notification of another merchant, and `not_an_alarm`.
   */
  acknowledge(merchantId: number, id: number, context: AuditContext): Promise<NotificationRow> {
    return this.database.transaction(async (transaction) => {
      const [row] = await transaction.query<NotificationRow>(LOCK_NOTIFICATION, [merchantId, id]);
      if (!row) throw new Problem('notification_not_found');
      if (row.outcome !== 'alarm') throw new Problem('not_an_alarm', { detail: `its outcome is ${row.outcome}` });
      if (row.acknowledged_at) return row;
      const acknowledgedAt = this.clock.now();
      await transaction.query(ACKNOWLEDGE_ALARM, [id, acknowledgedAt]);
      const details = { payment_id: row.payment_id ?? 0, reason: row.reason ?? '' };
      await this.audit.record(transaction, context, {
        merchantId,
        action: 'alarm.acknowledged',
        objectId: id,
        details,
      });
      return { ...row, acknowledged_at: acknowledgedAt };
    });
  }

  /**
   * Stores a reported payment method before the notification is answered: after a crash the provider repeats it. Throws
   * `dependency_unavailable` while the payment may be one whose transaction id is not stored yet.
   */
  private async keepMethod(shopId: number, match: ProviderEvent['match'], saved: SavedMethod): Promise<void> {
    const found = await findAttempt(this.database, shopId, match);
    if (found) return this.methods.keep({ ...found, shop_id: shopId }, saved);
    const { customerId } = saved;
    if (customerId === undefined || (await this.database.query(IS_AWAITED, [shopId, customerId])).length === 0) return;
    const detail = 'the payment of the saved payment method is not known yet; repeat the notification';
    throw new Problem('dependency_unavailable', { detail });
  }

  private async store(provider: PaymentProvider, received: ReceivedEvent): Promise<void> {
    const stored = await this.inbox.store(received);
    const { outcome, reason, paymentId } =
      stored.outcome === 'unrelated' ? await this.storeByReference(provider, received, stored) : stored;
    const { shopId, event } = received;
    this.received.inc({ provider: provider.name, outcome });
    if (outcome === 'applied' || outcome === 'duplicate') return;
    const { id: notificationId, status, match } = event;
    const msg = 'provider notification not applied';
    this.logger.log({ msg, paymentId, shopId, notificationId, status, outcome, reason, ...match });
  }

  /**
   * Asks the provider for our reference of an event that names only a transaction: its id is unknown here until the
   * answer to the charge, or a notification that has the reference. Throws `dependency_unavailable`.
   */
  private async storeByReference(
    provider: PaymentProvider,
    received: ReceivedEvent,
    stored: StoredEvent,
  ): Promise<StoredEvent> {
    const { event, shopId } = received;
    const { transactionId, reference } = event.match;
    if (transactionId === undefined || reference !== undefined) return stored;
    const recipient = this.recipient(provider, shopId);
    const foundReference = await this.reader.findReference(provider, transactionId, recipient);
    return foundReference === undefined ? stored : this.inbox.store({ ...received, foundReference });
  }

  private recipient({ name: provider }: PaymentProvider, id: number): Recipient {
    return {
      id,
      account: () => this.shops.providerAccount(id),
      previousCredentials: (name) => this.shops.previousCredentials(id, name),
      failed: (outcome) => this.received.inc({ provider, outcome }),
    };
  }
}

const isRelated = (event: ProviderEvent): event is ProviderEvent & { status: ReportedStatus } =>
  event.status !== 'ignored';
