import { Injectable } from '@nestjs/common';
import { idsWithin } from '../../platform/database/first-id-since.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock } from '../../shared/clock.js';
import type { Page, PageRequest } from '../../shared/cursor.js';
import { type Matching, walkedPage } from '../../platform/http/walked-page.js';
import { BOUND_TIME, type MatchingPaymentRow, PAYMENTS_IN_TIME, WALK_PAYMENTS } from './approval-payments.queries.js';
import { periodOf } from './approval-period.js';
import { APPROVED, DECLINED, FAILED, PENDING } from './approvals.queries.js';
import { firstCountedHour, type SegmentFilter, valuesOf } from './approvals.service.js';

/** The groups of outcomes that cells count. */
const OUTCOME_GROUPS = { approved: APPROVED, declined: DECLINED, failed: FAILED, pending: PENDING } as const;
export type OutcomeGroup = keyof typeof OUTCOME_GROUPS;

export interface PaymentsFilter extends SegmentFilter {
  outcome?: OutcomeGroup | undefined;
  declineCode?: string | undefined;
}

/** The payments behind a cell. Only reads. */
@Injectable()
export class ApprovalPayments {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly clock: Clock,
  ) {}

  /**
   * Newest first. Same contract as {@link walkedPage}. Throws `malformed_request` for an impossible period.
   */
  list(merchantId: number, filter: PaymentsFilter, page: PageRequest): Promise<Page<Matching<MatchingPaymentRow>>> {
    const now = this.clock.now();
    const { from: asked, to } = periodOf(filter, now);
    const outcomes = filter.outcome ? OUTCOME_GROUPS[filter.outcome] : Object.values(OUTCOME_GROUPS).flat();
    return this.reads.readOnly(async (transaction) => {
      await transaction.query(BOUND_TIME);
      const from = new Date(Math.max(asked.getTime(), (await firstCountedHour(transaction, now)).getTime()));
      const conditions = [from, to, filter.shopId ?? null, ...valuesOf(filter), outcomes, filter.declineCode ?? null];
      const ids = await idsWithin(transaction, PAYMENTS_IN_TIME, { from, to });
      const below = Math.min(page.beforeId ?? Number.MAX_SAFE_INTEGER, ids.below);
      return walkedPage({ limit: page.limit, beforeId: below }, (next, step, limit) =>
        transaction.query<MatchingPaymentRow>(WALK_PAYMENTS, [merchantId, next, ids.from, step, limit, ...conditions]),
      );
    });
  }
}
