import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { COMPACT_COUNTERS, MOVE_PAYMENT, SUM_COUNTERS } from './outbox.queries.js';

export interface PaymentCounts {
  payments: number;
  paymentsWithWebhooks: number;
}

/**
 * Counts a shop's payments when they are created, so that the cost of statistics does not depend on their number. The
 * count is exact, because it commits with the payment. It never waits, because each connection counts in its own rows; a
 * job compacts them after their hour.
 */
@Injectable()
export class ShopCountersService {
  constructor(private readonly database: Database) {}

  /** Moves a payment to the counter of another shop, in the transaction that moves the payment. */
  async movePayment(
    transaction: Transaction,
    fromShopId: number,
    toShopId: number,
    hasWebhook: boolean,
  ): Promise<void> {
    await transaction.query(MOVE_PAYMENT, [fromShopId, toShopId, hasWebhook ? 1 : 0]);
  }

  /** Compacts at most `limit` rows of past hours. Returns their number. */
  async compact(transaction: Transaction, limit: number): Promise<number> {
    const [compacted] = await transaction.query<{ rows: number }>(COMPACT_COUNTERS, [limit]);
    return compacted!.rows;
  }

  async counts(shopId: number): Promise<PaymentCounts> {
    const [sums] = await this.database.query<{ payments: number; payments_with_webhooks: number }>(SUM_COUNTERS, [
      shopId,
    ]);
    return { payments: sums!.payments, paymentsWithWebhooks: sums!.payments_with_webhooks };
  }
}
