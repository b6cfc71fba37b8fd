import { Injectable, Logger } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import type { ProviderState } from '@payment-orchestrator/provider-kit';
import { PaymentsService } from '../ledger/payments.service.js';
import { factOfState } from '../money/state/call-fact.js';
import type { OperationRow } from '../money/state/operation.js';
import { MoneyService } from '../store/money.service.js';
import { EXPEDITE_REFUNDS } from './asked-attempts.queries.js';

/** An attempt whose look-up is claimed. */
export type AskedAttempt = Pick<
  OperationRow,
  'payment_id' | 'attempt' | 'shop_id' | 'provider' | 'provider_transaction_id' | 'reference'
> & {
  /** When it is due again if this look-up has no result. */
  look_up_at: Date;
  /** How long ago a notification asked, in ms. */
  asked_ms: number;
  /** The payment's refunded amount before the look-up, decimal text. */
  amount_refunded: string;
};

type HeldState = Exclude<ProviderState, { status: 'not_found' }>;

/** Applies the state of an attempt that a notification asked about. */
@Injectable()
export class AskedStates {
  private readonly logger = new Logger(AskedStates.name);

  constructor(
    private readonly database: Database,
    private readonly payments: PaymentsService,
    private readonly money: MoneyService,
  ) {}

  /** Returns whether nothing is left to look up. */
  async apply(asked: AskedAttempt, state: ProviderState): Promise<boolean> {
    // an unsigned notification must not void a payment that the provider does not find
    if (state.status === 'not_found') {
      const { payment_id: paymentId, attempt } = asked;
      this.logger.error({ msg: 'a provider does not find a charge that it has an id for', paymentId, attempt });
      return true;
    }
    return this.database.transaction((transaction) => this.applyIn(transaction, asked, state));
  }

  /** A sum of refunds that waits for one of ours, or a call under way, is looked up again. */
  private async applyIn(transaction: Transaction, asked: AskedAttempt, state: HeldState): Promise<boolean> {
    const payment = await this.payments.lock(transaction, asked.payment_id);
    const fact = factOfState(state, asked.attempt, payment.capture, asked.amount_refunded);
    const { verdict } = await this.money.applyTo(transaction, payment, fact);
    await transaction.query(EXPEDITE_REFUNDS, [asked.payment_id]);
    return verdict.outcome !== 'waiting';
  }
}
