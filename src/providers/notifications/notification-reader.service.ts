import { Injectable, Logger } from '@nestjs/common';
import {
  type IncomingNotification,
  isApiCallError,
  MalformedAnswer,
  type NotificationRefusal,
  type NotificationRefused,
  type ParsedNotification,
} from '@payment-orchestrator/provider-kit';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { isDependencyFailure } from '../../platform/http/problems/dependency-failure.js';
import { inTime, TimedOut } from '../../shared/clock.js';
import { type FieldError, Problem } from '../../shared/problem.js';
import { placeOf, reasonOf } from '../calls/thrown-error.js';
import type { PaymentProvider } from '@payment-orchestrator/provider-kit';

type Credentials = Record<string, unknown>;

/** The shop that a notification names. */
export interface Recipient {
  id: number;
  /** `null`: there is no such shop. */
  account(): Promise<{ provider: string; credentials: Credentials } | null>;
  /** Earlier credentials that are still valid. */
  previousCredentials(provider: string): Promise<Credentials[]>;
  /** Called if the connector read a notification wrongly, or not at all. */
  failed(outcome: 'malformed' | 'failed'): void;
}

/**
 * Lets connectors verify and read notifications, within `PROVIDER_TIMEOUT_MS`. Their errors become problems that tell
 * nothing of the notification, which may be personal: a provider repeats what is answered 5xx.
 */
@Injectable()
export class NotificationReader {
  private readonly logger = new Logger(NotificationReader.name);

  constructor(@InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>) {}

  /**
   * Verifies with the shop's credentials, or with the previous ones while they are still valid. Throws `invalid_signature`,
   * also for an unknown shop or one of another provider; `validation_failed`, `dependency_unavailable`, `internal_error`.
   */
  async parse(
    provider: PaymentProvider,
    incoming: IncomingNotification,
    recipient: Recipient,
  ): Promise<ParsedNotification> {
    const account = await recipient.account();
    const parse = (credentials: Credentials) =>
      this.inTime(provider, recipient, (signal) => provider.parseNotification(incoming, credentials, signal));
    try {
      if (account?.provider === provider.name) return await parse(account.credentials);
      // takes as long as for a shop of the provider; an adapter that needs no signature answers for any shop
      await inTime(this.config.providerTimeoutMs, (signal) => provider.parseNotification(incoming, {}, signal)).catch(
        () => undefined,
      );
      throw new Problem('invalid_signature');
    } catch (error) {
      if (!isForged(error)) throw error;
      return firstVerified(await recipient.previousCredentials(provider.name), parse, error);
    }
  }

  /** Asks the provider for our reference of a transaction; `undefined`: it has none. Throws like `parse`. */
  async findReference(
    provider: PaymentProvider,
    transactionId: string,
    recipient: Recipient,
  ): Promise<string | undefined> {
    const account = provider.findReference && (await recipient.account());
    if (!account) return undefined;
    return this.inTime(provider, recipient, (signal) => provider.findReference!(transactionId, account, signal));
  }

  /**
   * Rejects with the `Problem` of the adapter's refusal. If the adapter or the provider gives no answer in time it is
   * `dependency_unavailable`: the provider repeats the notification.
   */
  private async inTime<T>(
    { name: provider }: PaymentProvider,
    recipient: Recipient,
    read: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const shopId = recipient.id;
    try {
      return await inTime(this.config.providerTimeoutMs, read);
    } catch (error) {
      if (error instanceof MalformedAnswer) {
        recipient.failed('malformed');
        const msg = 'the connector read a notification wrongly';
        this.logger.error({ msg, shopId, provider, reason: error.message });
        throw new Problem('validation_failed', { cause: error, errors: error.errors.map(errorOfEvent) });
      }
      if (!(error instanceof TimedOut) && !isApiCallError(error)) throw this.refusalOf(error, recipient, provider);
      this.logger.warn({ msg: 'a notification was not read in time', shopId, provider });
      const detail = 'the notification was not read in time; repeating it is safe';
      throw new Problem('dependency_unavailable', { detail });
    }
  }

  /** The problem of a `NotificationRefused`, recognised by its code: a connector has its own copy of the class. */
  private refusalOf(error: unknown, recipient: Recipient, provider: string): Problem {
    const { code, detail, errors } = (error ?? {}) as Partial<NotificationRefused>;
    if (error instanceof Problem) return error;
    if (REFUSALS.includes(code)) {
      return new Problem(code!, {
        cause: error,
        ...(detail !== undefined && { detail }),
        ...(Array.isArray(errors) && { errors }),
      });
    }
    recipient.failed('failed');
    const msg = 'the connector failed to read a notification';
    this.logger.error({ msg, shopId: recipient.id, provider, reason: reasonOf(error), at: placeOf(error) });
    return new Problem(isDependencyFailure(error) ? 'dependency_unavailable' : 'internal_error');
  }
}

/** Parses with the first credentials that match the signature. Rejects with `forged` if there are none. */
async function firstVerified(
  sets: Credentials[],
  parse: (credentials: Credentials) => Promise<ParsedNotification>,
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
