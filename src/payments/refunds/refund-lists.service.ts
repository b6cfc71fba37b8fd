import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { PaymentsService } from '../ledger/payments.service.js';
import { REFUND_STATUSES, type RefundRow, type RefundStatus } from '../ledger/refunds/refund.js';
import { LIST_REFUNDS, LIST_REFUNDS_OF_SHOP, PAGE_OF_PAYMENT } from '../ledger/refunds/refund.queries.js';

/** Filters of a list; an absent one excludes nothing. */
export interface RefundFilter {
  status?: RefundStatus | undefined;
  shopId?: number | undefined;
}

/** Finds a merchant's refunds. */
@Injectable()
export class RefundLists {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly payments: PaymentsService,
  ) {}

  /** Newest first. Refunds of other merchants never match. */
  async list(
    merchantId: number,
    { status, shopId }: RefundFilter,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<RefundRow>> {
    const values = [merchantId, status ? [status] : REFUND_STATUSES, beforeId, limit + 1];
    const rows =
      shopId === undefined
        ? await this.reads.query<RefundRow>(LIST_REFUNDS, values)
        : await this.reads.query<RefundRow>(LIST_REFUNDS_OF_SHOP, [...values, shopId]);
    return toPage(rows, limit);
  }

  /** Refunds of a payment, newest first. Throws `payment_not_found`. */
  async listByPayment(
    merchantId: number,
    paymentId: number,
    { limit, beforeId = Number.MAX_SAFE_INTEGER }: PageRequest,
  ): Promise<Page<RefundRow>> {
    await this.payments.find(merchantId, paymentId);
    return toPage(await this.reads.query<RefundRow>(PAGE_OF_PAYMENT, [paymentId, beforeId, limit + 1]), limit);
  }
}
