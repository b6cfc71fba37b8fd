import { Injectable } from '@nestjs/common';
import { Database, type Queryable } from '../../platform/database/database.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { REFUND_STATUSES, type RefundRow, type RefundStatus } from '../money/state/refund.js';
import {
  FIND_REFUND,
  LIST_REFUNDS,
  LIST_REFUNDS_OF_PAYMENT,
  LIST_REFUNDS_OF_SHOP,
  REFUNDS_IN_TIME,
} from '../ledger/refund.queries.js';

/** Filters of a list; an absent one excludes nothing. */
export interface RefundFilter {
  /** Any of them. */
  status?: readonly RefundStatus[] | undefined;
  shopId?: number | undefined;
  paymentId?: number | undefined;
  /** Refunds created at this time or later. */
  from?: Date | undefined;
  /** Refunds created before this time. */
  to?: Date | undefined;
}

/** Reads the rows of `refunds`. `MoneyWriter` writes them. */
@Injectable()
export class RefundRecords {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly payments: PaymentsService,
  ) {}

  /** Throws `refund_not_found`, also for a refund of another merchant. */
  async find(merchantId: number, refundId: number, on: Queryable = this.database): Promise<RefundRow> {
    const [refund] = await on.query<RefundRow>(FIND_REFUND, [merchantId, refundId]);
    if (!refund) throw new Problem('refund_not_found');
    return refund;
  }

  /** Newest first. Refunds of other merchants never match. */
  async list(
    merchantId: number,
    { status, shopId, paymentId, from, to }: RefundFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<RefundRow>> {
    const ids = await idsWithin(this.reads, REFUNDS_IN_TIME, { from, to });
    const below = Math.min(beforeId, ids.below);
    const values = [merchantId, status ?? REFUND_STATUSES, below, limit + 1, ids.from, from ?? null, to ?? null];
    const rows =
      paymentId !== undefined
        ? await this.reads.query<RefundRow>(LIST_REFUNDS_OF_PAYMENT, [...values, paymentId, shopId ?? null])
        : shopId !== undefined
          ? await this.reads.query<RefundRow>(LIST_REFUNDS_OF_SHOP, [...values, shopId])
          : await this.reads.query<RefundRow>(LIST_REFUNDS, values);
    return toPage(rows, limit);
  }

  /** Refunds of a payment, newest first. Throws `payment_not_found`. */
  async listByPayment(merchantId: number, paymentId: number, page: PageRequest): Promise<Page<RefundRow>> {
    await this.payments.find(merchantId, paymentId);
    return this.list(merchantId, { paymentId }, page);
  }
}
