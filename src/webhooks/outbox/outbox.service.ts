import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { LaneNotifier } from './lane-notifier.js';
import { APPEND_DELIVERIES } from './outbox.queries.js';
import { WEBHOOK_EVENT } from './webhook-body.js';

export interface NewDelivery {
  merchantId: number;
  shopId: number;
  laneId: number;
  paymentId: number;
  paymentStatus: string;
  webhookEndpoint: string;
  /** As `renderWebhookBody` made it. */
  requestBody: string;
}

/** Where a change of status hands over its webhook: written with the change, or not at all. */
@Injectable()
export class OutboxService {
  constructor(private readonly notifier: LaneNotifier) {}

  /**
   * Writes the deliveries in the transaction of the change of status, in their order. The caller holds the payment's row
   * lock, so that ids grow in the order of the changes. Call `wake` after the commit.
   */
  async append(transaction: Transaction, deliveries: NewDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    await transaction.query(APPEND_DELIVERIES, [
      deliveries.map((delivery) => delivery.merchantId),
      deliveries.map((delivery) => delivery.shopId),
      deliveries.map((delivery) => delivery.laneId),
      deliveries.map((delivery) => delivery.paymentId),
      deliveries.map(() => WEBHOOK_EVENT),
      deliveries.map((delivery) => delivery.paymentStatus),
      deliveries.map((delivery) => delivery.webhookEndpoint),
      deliveries.map((delivery) => delivery.requestBody),
    ]);
  }

  /**
   * Tells the workers that these lanes have something due. Only after the commit: a job that runs before it finds
   * nothing, and the wake-up is gone. Never throws and never waits; a wake-up that is lost costs a second, because the
   * reconciler finds what nobody woke.
   */
  wake(laneIds: number[]): void {
    this.notifier.notify(laneIds);
  }
}
