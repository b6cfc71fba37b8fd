import { Injectable } from '@nestjs/common';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { type AuditContext, SYSTEM } from '../../audit/audit-context.js';
import { Database } from '../../platform/database/database.js';
import { DISORDER_MS } from '../../platform/database/first-id-since.js';
import { FairSlots } from '../../platform/fair-work/fair-slots.js';
import { FairWork } from '../../platform/fair-work/fair-work.service.js';
import { WorkOwner } from '../../platform/fair-work/work-owner.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { DeliveryStatus } from './delivery-views.queries.js';
import { REDELIVER_BATCH, type RedeliveryBatchRow } from './redelivery.queries.js';
import { firstDeliverySince } from './retention.js';
import { LaneNotifier } from '../outbox/lane-notifier.js';

export type FinishedStatus = Exclude<DeliveryStatus, 'pending'>;

export interface RedeliveryRequest {
  /** Deliveries created from here on … */
  from: Date;
  /** … and before. */
  to: Date;
  statuses: readonly FinishedStatus[];
}

/** Deliveries of one transaction. */
const BATCH_SIZE = 250;
/** Each keeps a connection and the database's disk busy. */
const SLOTS = { what: 'replays of webhooks', total: 2, perMerchant: 1, waitingPerMerchant: 1, waiting: 20 };

/** Delivers again what was delivered or failed in a span of time. */
@Injectable()
export class RedeliveryService {
  private readonly slots = new FairSlots(SLOTS);

  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly notifier: LaneNotifier,
    private readonly audit: AuditLogService,
    private readonly work: FairWork,
  ) {}

  /**
   * Starts a fresh run of each such delivery and answers how many there were. In small transactions, each complete in
   * itself: when it breaks off, what was done by then is redelivered, and the rest is not. The audit entry comes with the
   * first delivery that is redelivered. It goes on when its owner is gone, unless it still waits for its slot. Problems: `shop_not_found`,
   * `too_many_requests`, `client_closed_request`.
   */
  async redeliver(
    merchantId: number,
    shopId: number,
    request: RedeliveryRequest,
    context: AuditContext = SYSTEM,
    owner = new WorkOwner(merchantId),
  ): Promise<number> {
    await this.shops.find(merchantId, shopId);
    return this.slots.run(owner, () => this.run(shopId, request, context, owner));
  }

  private async run(
    shopId: number,
    { from, to, statuses }: RedeliveryRequest,
    context: AuditContext,
    owner: WorkOwner,
  ): Promise<number> {
    const { merchantId } = owner;
    const details = { from: from.toISOString(), to: to.toISOString(), statuses };
    const entry = { merchantId, action: 'deliveries.replayed', objectId: shopId, details } as const;
    let after = (await firstDeliverySince(this.database, new Date(from.getTime() - DISORDER_MS))) - 1;
    const last = (await firstDeliverySince(this.database, new Date(to.getTime() + DISORDER_MS))) - 1;
    let count = 0;
    for (;;) {
      const values = [shopId, after, last, from, to, statuses, BATCH_SIZE];
      const isFirst = count === 0;
      const startedAt = performance.now();
      const batch = await this.database.transaction(async (transaction) => {
        const [done] = await transaction.query<RedeliveryBatchRow>(REDELIVER_BATCH, values);
        if (isFirst && done!.redelivered > 0) await this.audit.record(transaction, context, entry);
        return done!;
      });
      if (batch.last_id === null) return count;
      this.notifier.notify(batch.lane_ids ?? []);
      count += batch.redelivered;
      after = batch.last_id;
      await this.work.giveWay(owner, performance.now() - startedAt);
    }
  }
}
