import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { DISORDER_MS, firstIdSince } from '../../platform/database/first-id-since.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../ledger/payment-state.js';
import type { PaymentRow } from '../ledger/payment.queries.js';
import { LIST_FILTERS, listPayments, PAYMENTS_IN_TIME } from './payment-lists.queries.js';

/** Filters of a list; an absent one excludes nothing. */
export interface PaymentFilter {
  status?: PaymentStatus | undefined;
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
  /** Payments created at this time or later. */
  from?: Date | undefined;
  /** Payments created before this time. */
  to?: Date | undefined;
}

/** Finds a merchant's payments. */
@Injectable()
export class PaymentLists {
  constructor(private readonly reads: ReplicaReads) {}

  /** Newest first. Payments of other merchants never match. */
  async list(merchantId: number, filter: PaymentFilter, page: PageRequest): Promise<Page<PaymentRow>> {
    const given = LIST_FILTERS.filter((name) => filter[name] !== undefined);
    const statuses = filter.status ? [filter.status] : PAYMENT_STATUSES;
    const { from, below } = await this.idsWithin(filter);
    const before = Math.min(page.beforeId ?? Number.MAX_SAFE_INTEGER, below);
    const values = [merchantId, statuses, before, page.limit + 1, from, ...given.map((name) => filter[name])];
    return toPage(await this.reads.query<PaymentRow>(listPayments(given), values), page.limit);
  }

  /** Bounds of the ids of payments within the times, so that no payments of other times are read. */
  private async idsWithin({ from, to }: Pick<PaymentFilter, 'from' | 'to'>): Promise<IdRange> {
    const firstSince = (time: Date, ms: number): Promise<number> =>
      firstIdSince(this.reads, PAYMENTS_IN_TIME, new Date(time.getTime() + ms));
    return {
      from: from ? await firstSince(from, -DISORDER_MS) : 0,
      below: to ? await firstSince(to, DISORDER_MS) : Number.MAX_SAFE_INTEGER,
    };
  }
}

interface IdRange {
  from: number;
  below: number;
}
