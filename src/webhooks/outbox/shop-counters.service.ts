import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { FOLD_COUNTERS, MOVE_PAYMENT, SUM_COUNTERS } from './outbox.queries.js';

export interface PaymentCounts {
  payments: number;
  paymentsWithWebhooks: number;
}

/**
 * Counts a shop's payments as they are made, so that statistics cost the same however many there are. Exact, because the
 * count commits with the payment; and nobody waits, because each connection counts on rows of its own, which are put
 * together once their hour is over.
 */
@Injectable()
export class ShopCountersService {
  constructor(private readonly database: Database) {}

  /** Counts a payment for another shop from now on, in the transaction that moves it. */
  async movePayment(
    transaction: Transaction,
    fromShopId: number,
    toShopId: number,
    hasWebhook: boolean,
  ): Promise<void> {
    await transaction.query(MOVE_PAYMENT, [fromShopId, toShopId, hasWebhook ? 1 : 0]);
  }

  /** Puts at most `limit` rows of past hours together; answers how many. */
  async fold(transaction: Transaction, limit: number): Promise<number> {
    const [folded] = await transaction.query<{ rows: number }>(FOLD_COUNTERS, [limit]);
    return folded!.rows;
  }

  async counts(shopId: number): Promise<PaymentCounts> {
    const [sums] = await this.database.query<{ payments: number; payments_with_webhooks: number }>(SUM_COUNTERS, [
      shopId,
    ]);
    return { payments: sums!.payments, paymentsWithWebhooks: sums!.payments_with_webhooks };
  }
}
