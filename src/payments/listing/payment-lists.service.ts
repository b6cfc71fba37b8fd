import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { badCursor, type DeadlinePageRequest, type Page, type PageRequest } from '../../shared/cursor.js';
import { deadlinePage, type DeadlineRow } from '../../platform/http/deadline-page.js';
import { walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import { PAYMENT_STATUSES } from '../money/state/payment-state.js';
import type { PaymentRow } from '../money/state/payment.js';
import { LIST_FILTERS, listLapsing, listPayments, PAYMENTS_IN_TIME, stepsOf } from './payment-lists.queries.js';
import type { Lapses, PaymentFilter } from './list-payments.dto.js';

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

  /** Authorised payments, those that lapse first come first. Same contract as {@link deadlinePage}. */
  async listLapsing(
    merchantId: number,
    filter: PaymentFilter,
    { from, before }: Lapses,
    { limit, after, beforeId }: DeadlinePageRequest,
  ): Promise<Page<PaymentRow>> {
    if (beforeId !== undefined) throw badCursor();
    const given = LIST_FILTERS.filter((name) => filter[name] !== undefined);
    const place = after ? [after.at, after.id] : [from ?? null, 0];
    const rows = await this.reads.query<LapsingPayment>(listLapsing(given), [
      ...[merchantId, filter.status ?? PAYMENT_STATUSES, limit + 1, ...place],
      ...given.map((name) => filter[name]),
      before ?? null,
    ]);
    return deadlinePage(rows, limit, (row) => row.capture_before);
  }
}

type LapsingPayment = Omit<PaymentRow, 'id'> & DeadlineRow;
type WalkedPayment = Omit<PaymentRow, 'id'> & WalkedRow;
