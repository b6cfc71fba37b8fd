import { Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { IncomingNotification, ProviderEvent } from '../../providers/payment-provider.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Clock } from '../../shared/clock.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { invalidField, Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import { notifiedEnd } from '../ledger/attempt.js';
import { reopenErasure } from '../ledger/customer-erasure.js';
import { IgnoredNotifications } from './ignored-notifications.service.js';
import {
  IGNORE_NOTIFICATION,
  type IgnoredReason,
  INSERT_NOTIFICATION,
  IS_KNOWN_NOTIFICATION,
  LIST_NOTIFICATIONS,
  LIST_PAYMENT_NOTIFICATIONS,
  NOTIFICATION_OUTCOMES,
  type NotificationOutcome,
  type NotificationRow,
} from './notification.queries.js';
import { FIND_BY_TRANSACTION } from '../ledger/payment.queries.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../ledger/payment-state.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { StatusChangeResult } from '../ledger/status-change.js';

/** Of `data` as JSON: as much as other free-form objects take. */
const MAX_DATA_BYTES = 16 * 1024;

export interface NotificationFilter {
  paymentId?: number | undefined;
  outcome?: NotificationOutcome | undefined;
}

/** What providers tell us: verified, stored once, and applied to the payment in the same transaction. */
@Injectable()
export class NotificationsService {
  private readonly logger = new Logger(NotificationsService.name);

  constructor(
    private readonly database: Database,
    private readonly providers: ProviderRegistry,
    private readonly shops: ShopsService,
    private readonly payments: PaymentsService,
    private readonly ignored: IgnoredNotifications,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws `provider_not_found`, and `invalid_signature` for a wrong signature as for a shop that is unknown or is
   * another provider's: a stranger learns nothing about shops; `validation_failed` for `data` that is too large, and
   * `too_many_requests` when too many of a day changed nothing. What else a valid notification asks for and the table of
   * transitions refuses is recorded and ignored, not an error of the provider's.
   */
  async receive(providerName: string, shopId: number, incoming: IncomingNotification): Promise<void> {
    const provider = this.providers.get(providerName);
    const account = await this.shops.providerAccount(shopId);
    const credentials = account?.provider === providerName ? account.credentials : {};
    const { events } = await provider.parseNotification(incoming, credentials);
    if (!account) throw new Problem('invalid_signature');
    for (const event of events) {
      const data = storable(event.data);
      const change = await this.database.transaction((transaction) =>
        this.apply(transaction, providerName, shopId, event, data),
      );
      if (change) this.payments.afterCommit(change);
    }
  }

  /** What was received for a shop, newest first. Throws `shop_not_found`, also for another merchant's. */
  async list(
    merchantId: number,
    shopId: number,
    { paymentId, outcome }: NotificationFilter,
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

  private async apply(
    transaction: Transaction,
    provider: string,
    shopId: number,
    notification: ProviderEvent,
    dataJson: string,
  ): Promise<StatusChangeResult | undefined> {
    const receivedAt = this.clock.now();
    const { id, status, data } = notification;
    const providerTransactionId = notification.match.transactionId ?? notification.match.reference!;
    if (!isOfStatus(status)) return undefined;
    const [payment] = await transaction.query<{ id: number; attempt: number }>(FIND_BY_TRANSACTION, [
      shopId,
      providerTransactionId,
    ]);
    if (!payment && (await this.ignored.areFull(transaction, shopId, receivedAt))) {
      const [known] = await transaction.query(IS_KNOWN_NOTIFICATION, [provider, shopId, id]);
      if (known) return undefined;
      throw this.ignored.refusal(receivedAt);
    }
    const values = [provider, shopId, id, providerTransactionId, payment?.id ?? null, status, dataJson, receivedAt];
    const [inserted] = await transaction.query<{ id: number }>(INSERT_NOTIFICATION, values);
    if (!inserted) return undefined; // this one counted before
    if (!payment) {
      await transaction.query(IGNORE_NOTIFICATION, [inserted.id, 'unknown_payment' satisfies IgnoredReason]);
      await this.ignored.count(transaction, shopId, receivedAt);
      return undefined;
    }
    const result = await this.payments.changeStatusIn(transaction, payment.id, {
      to: status,
      cause: 'provider_notification',
      originalWebhook: { provider, data, processedAt: receivedAt },
      attempt: payment.attempt,
      end: notifiedEnd(payment.attempt, notification) ?? undefined,
    });
    if (result.outcome !== 'changed') {
      const reason = reasonToIgnore(result);
      await reopenErasure(transaction, result.payment.customer);
      await transaction.query(IGNORE_NOTIFICATION, [inserted.id, reason]);
      this.logIgnored(result, notification, { notificationId: inserted.id, shopId, attempt: payment.attempt, reason });
      await this.ignored.count(transaction, shopId, receivedAt);
    }
    return result;
  }

  private logIgnored(
    { outcome, payment }: StatusChangeResult,
    { status, match }: ProviderEvent,
    details: Record<string, unknown>,
  ): void {
    this.logger.log({
      msg: 'provider notification ignored',
      paymentId: payment.id,
      status,
      outcome,
      ...match,
      ...details,
    });
  }
}

/** The data as it is stored. Throws `validation_failed`. */
function storable(data: Record<string, unknown>): string {
  const json = JSON.stringify(data);
  const bytes = Buffer.byteLength(json);
  if (bytes <= MAX_DATA_BYTES) return json;
  throw invalidField('data', `must be at most ${MAX_DATA_BYTES} bytes of JSON, got ${bytes}`);
}

function reasonToIgnore({ outcome, payment }: StatusChangeResult): IgnoredReason {
  if (outcome === 'superseded') return 'attempt_superseded';
  return outcome === 'unchanged' ? 'status_unchanged' : `payment_is_${payment.status}`;
}

/** The others change no status. */
const isOfStatus = (status: ProviderEvent['status']): status is PaymentStatus & ProviderEvent['status'] =>
  (PAYMENT_STATUSES as readonly string[]).includes(status);
