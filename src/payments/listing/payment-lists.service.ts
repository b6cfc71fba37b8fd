import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { type Look, walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../money/state/payment-state.js';
import type { PaymentRow } from '../money/state/payment.js';
import { LIST_FILTERS } from './list-filters.js';
import { isIndexed, listPayments, PAYMENTS_IN_TIME, walkPayments, walkSteps } from './payment-lists.queries.js';

/** Filters of a list; an absent one excludes nothing. */
export interface PaymentFilter {
  /** Any of them. */
  status?: readonly PaymentStatus[] | undefined;
  flowId?: number | undefined;
  shopId?: number | undefined;
  sessionId?: string | undefined;
  /** Matches any attempt with this id of the provider. */
  transactionId?: string | undefined;
  customerId?: number | undefined;
  customerReference?: string | undefined;
  /** The customer's present address; upper and lower case count as the same. */
  customerEmail?: string | undefined;
  /** A top-level key of the metadata and its value as text: both or none. */
  metadataKey?: string | undefined;
  metadataValue?: string | undefined;
  /** Further pairs, all of which must match, as a JSON object of texts. */
  moreMetadata?: string | undefined;
  /** Payments created at this time or later. */
  from?: Date | undefined;
  /** Payments created before this time. */
  to?: Date | undefined;
  /** Payments changed at this time or later. */
  updatedFrom?: Date | undefined;
}

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
    const statuses = filter.status ?? PAYMENT_STATUSES;
    const { from, below } = await idsWithin(this.reads, PAYMENTS_IN_TIME, filter);
    const before = Math.min(page.beforeId ?? Number.MAX_SAFE_INTEGER, below);
    const conditions = [from, ...given.map((name) => filter[name])];
    if (isIndexed(given, filter.status !== undefined)) {
      const values = [merchantId, statuses, before, page.limit + 1, ...conditions];
      return toPage(await this.reads.query<PaymentRow>(listPayments(given), values), page.limit);
    }
    const look: Look<WalkedPayment> = (next, count, limit) =>
      this.reads.query(walkPayments(given), [merchantId, statuses, next, limit, ...conditions, count]);
    return walkedPage({ limit: page.limit, beforeId: before }, look, walkSteps(given));
  }
}

type WalkedPayment = Omit<PaymentRow, 'id'> & WalkedRow;
