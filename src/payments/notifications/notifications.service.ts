import { Injectable, Logger } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database } from '../../platform/database/database.js';
import { isDependencyFailure } from '../../platform/http/problems/dependency-failure.js';
import { Metrics } from '../../platform/observability/metrics.js';
import {
  type IncomingNotification,
  isApiCallError,
  MalformedAnswer,
  type NotificationRefusal,
  type NotificationRefused,
  type ParsedNotification,
  type PaymentProvider,
  type ProviderEvent,
} from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Clock, inTime, TimedOut } from '../../shared/clock.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { ReportedStatus } from '../money/state/notification.js';
import { placeOf, reasonOf } from '../operations/thrown-error.js';
import { AskedAttempts } from './asked-attempts.service.js';
import { ReportedMethods } from './reported-methods.service.js';
import { NotificationInbox, type ReceivedEvent, type StoredEvent } from './notification-inbox.service.js';
import {
  LIST_NOTIFICATIONS,
  LIST_PAYMENT_NOTIFICATIONS,
  NOTIFICATION_OUTCOMES,
  type NotificationOutcome,
  type NotificationRow,
} from './notification.queries.js';

export interface ReceivedNotification {
  /** The answer that the provider expects; absent: our standard body. */
  acknowledge?: NonNullable<ParsedNotification['acknowledge']>;
  /** False if it only asks about transactions that the shop does not have: anyone can send that. */
  isOurs: boolean;
}

export interface NotificationFilter {
  paymentId?: number | undefined;
  outcome?: NotificationOutcome | undefined;
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
    private readonly inbox: NotificationInbox,
    private readonly asked: AskedAttempts,
    private readonly reportedMethods: ReportedMethods,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
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
    const { events, ask = [], acknowledge } = await this.parse(provider, incoming);
    for (const { match, savedMethod } of events) {
      if (savedMethod) await this.reportedMethods.keep(shopId, match, savedMethod);
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

  /** Verifies with the shop's credentials, or with the previous ones while they are still valid. */
  private async parse(provider: PaymentProvider, incoming: IncomingNotification): Promise<ParsedNotification> {
    const { shopId } = incoming;
    const account = await this.shops.providerAccount(shopId);
    const parse = (credentials: Record<string, unknown>) =>
      this.inTime(provider, shopId, (signal) => provider.parseNotification(incoming, credentials, signal));
    try {
      if (account?.provider === provider.name) return await parse(account.credentials);
      // takes as long as for a shop of the provider; an adapter that needs no signature answers for any shop
      await inTime(this.config.providerTimeoutMs, (signal) => provider.parseNotification(incoming, {}, signal)).catch(
        () => undefined,
      );
      throw new Problem('invalid_signature');
    } catch (error) {
      if (!isForged(error)) throw error;
      const previous = await this.shops.previousCredentials(shopId, provider.name);
      return firstVerified(previous, parse, error);
    }
  }

  /**
   * Rejects with the `Problem` of the adapter's refusal. If the adapter or the provider gives no answer in time it is
   * `dependency_unavailable`: the provider repeats the notification.
   */
  private async inTime<T>(
    { name: provider }: PaymentProvider,
    shopId: number,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    try {
      return await inTime(this.config.providerTimeoutMs, read);
    } catch (error) {
      if (error instanceof MalformedAnswer) {
        this.report('malformed', 'the connector read a notification wrongly', {
          shopId,
          provider,
          reason: error.message,
        });
        throw new Problem('validation_failed', { cause: error, errors: error.errors.map(errorOfEvent) });
      }
      if (!(error instanceof TimedOut) && !isApiCallError(error)) throw this.refusalOf(error, shopId, provider);
      this.logger.warn({ msg: 'a notification was not read in time', shopId, provider });
      const detail = 'the notification was not read in time; repeating it is safe';
      throw new Problem('dependency_unavailable', { detail });
    }
  }

  /**
   * The problem of a `NotificationRefused`, recognised by its code: a connector has its own copy of the class. The problem
   * of any other error has no cause, as its text may contain the notification; a provider repeats what is answered 5xx.
   */
  private refusalOf(error: unknown, shopId: number, provider: string): Problem {
    const { code, detail, errors } = (error ?? {}) as Partial<NotificationRefused>;
    if (error instanceof Problem) return error;
    if (REFUSALS.includes(code)) {
      return new Problem(code!, {
        cause: error,
        ...(detail !== undefined && { detail }),
        ...(Array.isArray(errors) && { errors }),
      });
    }
    const context = { shopId, provider, reason: reasonOf(error), at: placeOf(error) };
    this.report('failed', 'the connector failed to read a notification', context);
    return new Problem(isDependencyFailure(error) ? 'dependency_unavailable' : 'internal_error');
  }

  private report(
    outcome: 'malformed' | 'failed',
    msg: string,
    context: { shopId: number; provider: string; reason: string; at?: string | undefined },
  ): void {
    this.received.inc({ provider: context.provider, outcome });
    this.logger.error({ msg, ...context });
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
    if (!provider.findReference || transactionId === undefined || reference !== undefined) return stored;
    const account = await this.shops.providerAccount(shopId);
    if (!account) return stored;
    const foundReference = await this.inTime(provider, shopId, (signal) =>
      provider.findReference!(transactionId, account, signal),
    );
    return foundReference === undefined ? stored : this.inbox.store({ ...received, foundReference });
  }
}

/** Parses with the first credentials that match the signature. Rejects with `forged` if there are none. */
async function firstVerified(
  sets: Record<string, unknown>[],
  parse: (credentials: Record<string, unknown>) => Promise<ParsedNotification>,
  forged: Problem,
): Promise<ParsedNotification> {
  for (const credentials of sets) {
    try {
      return await parse(credentials);
    } catch (error) {
      if (!isForged(error)) throw error;
    }
  }
  throw forged;
}

const REFUSALS: readonly unknown[] = [
  'invalid_signature',
  'malformed_json',
  'validation_failed',
  'dependency_unavailable',
] satisfies NotificationRefusal[];

/** The sender knows its event, and not our list. */
const errorOfEvent = ({ field, message }: FieldError): FieldError => ({
  field: field.replace(/^events\.\d+\./, ''),
  message,
});

const isForged = (error: unknown): error is Problem => error instanceof Problem && error.code === 'invalid_signature';

const isRelated = (event: ProviderEvent): event is ProviderEvent & { status: ReportedStatus } =>
  event.status !== 'ignored';
