import { Injectable, Logger } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { Problem } from '../../shared/problem.js';
import { FIND_BY_REFERENCE } from '../ledger/attempt.queries.js';
import type { PaymentRow } from '../money/state/payment.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { isOutcomePending } from '../money/state/state.js';
import type { ActingAttempt } from '../operations/provider-calls.service.js';
import { NextActions } from './next-actions.service.js';

const REFERENCE = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Payers who return from a redirect through us, because their provider charges only when we hand in the parameters. */
@Injectable()
export class PayerReturns {
  private readonly logger = new Logger(PayerReturns.name);

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly actions: NextActions,
    private readonly providers: ProviderRegistry,
  ) {}

  /**
   * Completes the redirect and returns the payer's next address: the merchant's `return_url`, for any outcome of the
   * payment. May be repeated: parameters that are handed in twice are charged once, and nothing is handed in for a
   * payment that no longer waits. Throws `payment_not_found`.
   */
  async receive(provider: string, reference: string, query: Readonly<Record<string, string>>): Promise<string> {
    const attempt = await this.find(provider, reference);
    if (!attempt) throw new Problem('payment_not_found');
    const payment = await this.payments.find(attempt.merchant_id, attempt.payment_id);
    if (payment.return_url === null) throw new Problem('payment_not_found');
    if (isOutcomePending(payment, attempt.attempt) && this.takesReturns(provider, payment)) {
      await this.actions.handIn(attempt, query, payment.next_action).catch((error: unknown) => {
        const msg = 'failed to record the outcome of a redirect; a notification or a repeat will bring it';
        this.logger.error({ msg, paymentId: payment.id, err: error });
      });
    }
    return new URL(payment.return_url).href; // in ASCII, as headers are
  }

  /** A step in the page is completed with the merchant's token, unless the provider's own page returns through us. */
  private takesReturns(provider: string, { next_action: action }: PaymentRow): boolean {
    return action?.type === 'redirect' || this.providers.get(provider).completesRedirects === true;
  }

  private async find(
    provider: string,
    reference: string,
  ): Promise<(ActingAttempt & { merchant_id: number }) | undefined> {
    if (!REFERENCE.test(reference)) return undefined;
    type Found = ActingAttempt & { merchant_id: number };
    return (await this.database.query<Found>(FIND_BY_REFERENCE, [reference, provider]))[0];
  }
}
