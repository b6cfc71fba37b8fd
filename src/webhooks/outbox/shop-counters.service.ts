import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { MOVE_PAYMENT, SUM_COUNTERS } from './outbox.queries.js';

export interface PaymentCounts {
  payments: number;
  paymentsWithWebhooks: number;
}

/** Counts a shop's payments when they are created, so that the cost of statistics does not depend on their number. */
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

  async counts(shopId: number): Promise<PaymentCounts> {
    const [sums] = await this.database.query<{ payments: number; payments_with_webhooks: number }>(SUM_COUNTERS, [
      shopId,
    ]);
    return { payments: sums!.payments, paymentsWithWebhooks: sums!.payments_with_webhooks };
  }
}
