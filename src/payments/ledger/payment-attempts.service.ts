import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { ShopOutcomesService } from '../../shops/shop-outcomes.service.js';
import { type AttemptEnd, shopOutcome } from '../money/state/attempt.js';
import { type AttemptRow, END_ATTEMPT, LIST_ATTEMPTS } from './attempt.queries.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRow } from '../money/state/payment.js';

/**
 * Attempts of payments. Invariants: an attempt is committed before its provider is called; the payment follows its
 * latest attempt; an attempt without an outcome may have been charged and is never followed by another.
 */
@Injectable()
export class PaymentAttemptsService {
  constructor(
    private readonly database: Database,
    private readonly outcomes: ShopOutcomesService,
    private readonly clock: Clock,
    private readonly metrics: PaymentMetrics,
  ) {}

  /** The attempts of a payment, in order. */
  list(paymentId: number): Promise<AttemptRow[]> {
    return this.database.query<AttemptRow>(LIST_ATTEMPTS, [paymentId]);
  }

  /** Records the outcome of an attempt if nothing else changes, once. */
  async end(
    transaction: Transaction,
    payment: Pick<PaymentRow, 'id' | 'shop_id' | 'payment_provider'>,
    end: AttemptEnd,
    providerTransactionId?: string,
  ): Promise<void> {
    const ended = await transaction.query(END_ATTEMPT, [
      payment.id,
      end.number,
      end.outcome,
      end.declineCode,
      providerTransactionId ?? null,
      this.clock.now(),
      end.card ?? null,
    ]);
    if (ended.length > 0) await this.count(transaction, payment, end);
  }

  /** Counts an outcome, and counts it for the shop if it is the shop's. `payment`: as it was at that attempt. */
  async count(
    transaction: Transaction,
    { shop_id: shopId, payment_provider: provider }: Pick<PaymentRow, 'shop_id' | 'payment_provider'>,
    end: AttemptEnd,
  ): Promise<void> {
    const outcome = shopOutcome(end);
    if (outcome !== null) await this.outcomes.record(transaction, shopId, outcome);
    transaction.onCommit(() => this.metrics.ended(provider, end));
  }
}
