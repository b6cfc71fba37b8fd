import { Injectable, Logger } from '@nestjs/common';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Config } from '../../platform/config/config.js';
import type {
  AuthorizeAnswer,
  ConfirmationAnswer,
  PaymentProvider,
  ProviderPayment,
} from '../../providers/provider.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import type { ProviderAccount } from '../../shops/shop-summary.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { PaymentRow } from '../ledger/payment.queries.js';

/** `unknown`: no answer in time or none that could be read. The payment must stay as it was. */
export type ProviderOutcome<Answer> = { known: true; answer: Answer } | { known: false };

/** Calls the provider of the payment's present attempt with the shop's credentials, bounded by `PROVIDER_TIMEOUT_MS`; never inside a transaction. */
@Injectable()
export class ProviderCallsService {
  private readonly logger = new Logger(ProviderCallsService.name);

  constructor(
    private readonly providers: ProviderRegistry,
    private readonly shops: ShopsService,
    @InjectConfig() private readonly config: Config,
  ) {}

  /** `account`: of the payment's shop, when the caller has just read it. */
  authorize(
    payment: PaymentRow,
    paymentMethodToken: string | undefined,
    account?: ProviderAccount,
  ): Promise<ProviderOutcome<AuthorizeAnswer>> {
    return this.call(
      payment,
      'authorize',
      (provider, request, signal) => provider.authorize({ ...request, paymentMethodToken }, signal),
      account,
    );
  }

  cancel(payment: PaymentRow): Promise<ProviderOutcome<ConfirmationAnswer>> {
    return this.call(payment, 'cancel', (provider, request, signal) => provider.cancel(request, signal));
  }

  /**
   * Cancels what a provider took after all. Not the same call as `cancel`, whose answer under its key may have been that
   * there is nothing to cancel yet.
   */
  undo(payment: PaymentRow): Promise<ProviderOutcome<ConfirmationAnswer>> {
    return this.call(payment, 'undo', (provider, request, signal) => provider.cancel(request, signal));
  }

  refund(payment: PaymentRow, reason: string | undefined): Promise<ProviderOutcome<ConfirmationAnswer>> {
    return this.call(payment, 'refund', (provider, request, signal) => provider.refund({ ...request, reason }, signal));
  }

  private async call<Answer>(
    payment: PaymentRow,
    operation: string,
    send: (provider: PaymentProvider, request: ProviderPayment, signal: AbortSignal) => Promise<Answer>,
    known?: ProviderAccount,
  ): Promise<ProviderOutcome<Answer>> {
    const provider = this.providers.get(payment.payment_provider);
    const account = known ?? (await this.shops.providerAccount(payment.shop_id));
    if (!account) throw new Error(`payment ${payment.id} has no shop ${payment.shop_id}`);
    const request: ProviderPayment = {
      paymentId: payment.id,
      providerTransactionId: payment.provider_transaction_id,
      amount: payment.amount,
      currency: payment.currency,
      country: payment.country,
      idempotencyKey: `${operation}-${payment.id}-${payment.attempt}`,
      credentials: account.credentials,
    };
    try {
      return {
        known: true,
        answer: await withTimeout(this.config.providerTimeoutMs, (signal) => send(provider, request, signal)),
      };
    } catch (error) {
      this.logger.warn({
        msg: 'provider gave no answer',
        paymentId: payment.id,
        attempt: payment.attempt,
        shopId: payment.shop_id,
        provider: provider.name,
        operation,
        reason: reasonOf(error),
      });
      return { known: false };
    }
  }
}

/** In no adapter's own words: they may repeat the provider's answer, or a URL with credentials in it. */
function reasonOf(error: unknown): string {
  if (error instanceof NoAnswerInTime) return error.message;
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  const words = [name, code].filter((word) => typeof word === 'string' && /^\w{1,60}$/.test(word));
  return words.length > 0 ? words.join(' ') : 'unknown';
}

class NoAnswerInTime extends Error {}

/** Settles after `timeoutMs` at the latest, also when the adapter ignores its signal. */
async function withTimeout<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new NoAnswerInTime(`no answer within ${timeoutMs} ms`);
      controller.abort(error);
      reject(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work(controller.signal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
