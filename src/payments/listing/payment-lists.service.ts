import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import type { Page, PageRequest } from '../../shared/cursor.js';
import { walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import { PAYMENT_STATUSES } from '../money/state/payment-state.js';
import type { PaymentRow } from '../money/state/payment.js';
import { LIST_FILTERS, listPayments, PAYMENTS_IN_TIME, stepsOf } from './payment-lists.queries.js';
import type { PaymentFilter } from './list-payments.dto.js';

/** Finds a merchant's payments. */
@Injectable()
export class PaymentLists {
  constructor(private readonly reads: ReplicaReads) {}

  /**
   * Newest first. Payments of other merchants never match. With filters that no index has together, same contract as
   * {@link walkedPage}.
   */
  async list(merchantId: number, filter: PaymentFilter, page: PageRequest): Promise<Page<PaymentRow>> {
    const given = LIST_FILTERS.filter((name) => filter[name] !== undefined);
    const { from, below } = await idsWithin(this.reads, PAYMENTS_IN_TIME, filter);
    const before = Math.min(page.beforeId ?? Number.MAX_SAFE_INTEGER, below);
    const values = [from, ...given.map((name) => filter[name])];
    return walkedPage<WalkedPayment>(
      { limit: page.limit, beforeId: before },
      (next, count, limit) => {
        const bounds = [merchantId, filter.status ?? PAYMENT_STATUSES, next, limit];
        return this.reads.query(listPayments(given), [...bounds, ...values, count]);
      },
      stepsOf(given, filter.status !== undefined, page.limit),
    );
  }
}

type WalkedPayment = Omit<PaymentRow, 'id'> & WalkedRow;
