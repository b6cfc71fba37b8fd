import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { type AuditContext, SYSTEM } from '../../audit/audit-context.js';
import { Database } from '../../platform/database/database.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { ShopsService } from '../../shops/shops.service.js';
import {
  type DeliveryAttemptRow,
  DELIVERY_STATUSES,
  ERASED_BODY,
  type DeliveryDetailRow,
  type DeliveryRow,
  type DeliveryStatus,
  FIND_DELIVERY,
  LIST_ATTEMPTS,
  LIST_DELIVERIES,
  LIST_PAYMENT_DELIVERIES,
} from './delivery-views.queries.js';
import { RETRY_DELIVERY, type RetriedRow } from './redelivery.queries.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';

export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  paymentId?: number | undefined;
}

/** What a merchant sees of its deliveries, and asks of them. */
@Injectable()
export class DeliveriesService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly notifier: LaneNotifier,
    private readonly audit: AuditLogService,
  ) {}

  /** A shop's deliveries, newest first. Throws `shop_not_found`. */
  async list(
    merchantId: number,
    shopId: number,
    { status, paymentId }: DeliveryFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<DeliveryRow>> {
    await this.shops.find(merchantId, shopId);
    const statement = paymentId === undefined ? LIST_DELIVERIES : LIST_PAYMENT_DELIVERIES;
    const rows = await this.database.query<DeliveryRow>(statement, [
      shopId,
      status === undefined ? DELIVERY_STATUSES : [status],
      beforeId,
      limit + 1,
      ...(paymentId === undefined ? [] : [paymentId]),
    ]);
    return toPage(rows, limit);
  }

  /** The latest of a shop's deliveries, newest first, whosever shop it is. */
  newest(shopId: number, limit: number): Promise<DeliveryRow[]> {
    const newest = [shopId, DELIVERY_STATUSES, Number.MAX_SAFE_INTEGER, limit];
    return this.database.query<DeliveryRow>(LIST_DELIVERIES, newest);
  }

  /** Throws `delivery_not_found`. */
  async find(merchantId: number, id: number): Promise<{ delivery: DeliveryDetailRow; attempts: DeliveryAttemptRow[] }> {
    const [delivery] = await this.database.query<DeliveryDetailRow>(FIND_DELIVERY, [id, merchantId]);
    if (!delivery) throw new Problem('delivery_not_found');
    return { delivery, attempts: await this.database.query<DeliveryAttemptRow>(LIST_ATTEMPTS, [id]) };
  }

  /**
   * Starts a fresh run of the schedule, now. Throws `delivery_not_found`, `delivery_in_progress` while it is pending, or
   * `delivery_erased` when its body is gone with its customer.
   */
  async retry(merchantId: number, id: number, context: AuditContext = SYSTEM): Promise<DeliveryRow> {
    const row = await this.database.transaction(async (transaction) => {
      const values = [id, merchantId];
      const [retried] = await transaction.query<RetriedRow>(RETRY_DELIVERY, values);
      if (retried)
        await this.audit.record(transaction, context, { merchantId, action: 'delivery.retried', objectId: id });
      return retried;
    });
    if (!row) throw await this.reasonNotToRetry(merchantId, id);
    this.notifier.notify([row.lane_id]);
    return row;
  }

  private async reasonNotToRetry(merchantId: number, id: number): Promise<Problem> {
    const { delivery } = await this.find(merchantId, id);
    const isErased = delivery.status !== 'pending' && delivery.request_body === ERASED_BODY;
    return new Problem(isErased ? 'delivery_erased' : 'delivery_in_progress');
  }
}
