import { Injectable } from '@nestjs/common';
import { PAYMENT_METHOD_UNUSABLE } from '@payment-orchestrator/provider-kit';
import type { Queryable, Transaction } from '../../platform/database/database.js';
import { Database } from '../../platform/database/database.js';
import { Clock } from '../../shared/clock.js';
import { ShopOutcomesService } from '../../shops/shop-outcomes.service.js';
import { type AttemptEnd, shopOutcome } from './attempt.js';
import { type AttemptRow, END_ATTEMPT, LIST_ATTEMPTS } from './attempt.queries.js';
import { PaymentMetrics } from './payment-metrics.js';
import type { PaymentRow } from './payment.queries.js';
import type { StatusChange } from './status-change.js';

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

  /**
   * An unknown token at the last shop says nothing about the payer, so the decline code of an earlier shop stays the
   * payment's reason. Costs a statement only in this case.
   */
  async withReason(on: Queryable, paymentId: number, change: StatusChange): Promise<StatusChange> {
    const { end, providerMetadata } = change;
    if (end === undefined || end.number === 1 || !isUnknownToken(end.declineCode) || !providerMetadata) return change;
    const attempts = await on.query<AttemptRow>(LIST_ATTEMPTS, [paymentId]);
    const earlier = attempts.findLast(({ number, decline_code: code }) => number < end.number && isReason(code));
    return earlier ? { ...change, providerMetadata: { decline_code: earlier.decline_code } } : change;
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

const isUnknownToken = (code: string | null): boolean => code === PAYMENT_METHOD_UNUSABLE.declineCode;
const isReason = (code: string | null): boolean => code !== null && !isUnknownToken(code);
