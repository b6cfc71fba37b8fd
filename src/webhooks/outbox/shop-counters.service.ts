import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '../../platform/database/database.js';
import { Random } from '../../shared/random.js';
import { MOVE_PAYMENT, SUM_COUNTERS } from './outbox.queries.js';

/** Rows per shop: concurrent payments of one shop would queue for a single row until each commits. */
const SLOTS = 16;

export interface PaymentCounts {
  payments: number;
  paymentsWithWebhooks: number;
}

/** Counts a shop's payments as they are made, so that statistics cost the same however many there are. */
@Injectable()
export class ShopCountersService {
  constructor(
    private readonly database: Database,
    private readonly random: Random,
  ) {}

  /** Where to count next, for `countPaymentsFrom`. */
  slot(): number {
    return this.random.integer(SLOTS);
  }

  /**
   * Counts a payment for another shop from now on, in the transaction that moves it. Call it last: it locks one row of
   * each shop until the commit.
   */
  async movePayment(
    transaction: Transaction,
    fromShopId: number,
    toShopId: number,
    hasWebhook: boolean,
  ): Promise<void> {
    await transaction.query(MOVE_PAYMENT, [fromShopId, toShopId, this.slot(), hasWebhook ? 1 : 0]);
  }

  async counts(shopId: number): Promise<PaymentCounts> {
    const [sums] = await this.database.query<{ payments: number; payments_with_webhooks: number }>(SUM_COUNTERS, [
      shopId,
    ]);
    return { payments: sums!.payments, paymentsWithWebhooks: sums!.payments_with_webhooks };
  }
}
