import { Injectable } from '@nestjs/common';
import { DISORDER_MS, firstIdSince } from '../../platform/database/first-id-since.js';
import type { Transaction } from '../../platform/database/database.js';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Clock } from '../../shared/clock.js';
import { encodeCursor, type Page, type PageRequest } from '../../shared/cursor.js';
import { BOUND_TIME } from '../overview.queries.js';
import { type MatchingPaymentRow, PAYMENTS_IN_TIME, WALK_PAYMENTS } from './approval-payments.queries.js';
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

/** How many payments a page looks at, step by step: most filters fill a page at once. Together about 0.3 s. */
const STEPS = [500, 4_500, 15_000];

/** The payments behind a cell. Only reads. */
@Injectable()
export class ApprovalPayments {
  constructor(
    private readonly reads: ReplicaReads,
    private readonly clock: Clock,
  ) {}

  /**
   * Newest first. The work is bounded: a page may have fewer payments than its limit, even none, and still a next one.
   * Throws `malformed_request` for an impossible period.
   */
  list(merchantId: number, filter: PaymentsFilter, page: PageRequest): Promise<Page<MatchingPaymentRow>> {
    const now = this.clock.now();
    const { from: asked, to } = periodOf(filter, now);
    const outcomes = filter.outcome ? OUTCOME_GROUPS[filter.outcome] : Object.values(OUTCOME_GROUPS).flat();
    return this.reads.readOnly(async (transaction) => {
      await transaction.query(BOUND_TIME);
      const from = new Date(Math.max(asked.getTime(), (await firstCountedHour(transaction, now)).getTime()));
      const conditions = [from, to, filter.shopId ?? null, ...valuesOf(filter), outcomes, filter.declineCode ?? null];
      const idAt = (time: Date, ms: number): Promise<number> =>
        firstIdSince(transaction, PAYMENTS_IN_TIME, new Date(time.getTime() + ms));
      const first = await idAt(from, -DISORDER_MS);
      const below = Math.min(page.beforeId ?? Number.MAX_SAFE_INTEGER, await idAt(to, DISORDER_MS));
      return walk(transaction, [merchantId, below, first], conditions, page.limit);
    });
  }
}

async function walk(
  transaction: Transaction,
  [merchantId, below, first]: [number, number, number],
  conditions: unknown[],
  limit: number,
): Promise<Page<MatchingPaymentRow>> {
  const items: MatchingPaymentRow[] = [];
  let next = below;
  for (const step of STEPS) {
    const values = [merchantId, next, first, step, limit - items.length, ...conditions];
    const rows = await transaction.query<MatchingPaymentRow>(WALK_PAYMENTS, values);
    items.push(...rows.filter(({ id }) => id !== null));
    if (items.length === limit) return { items, nextCursor: encodeCursor(items.at(-1)!.id!) };
    const { walked, walked_to: walkedTo } = rows[0]!;
    if (walked < step) return { items, nextCursor: null };
    next = walkedTo!;
  }
  return { items, nextCursor: encodeCursor(next) };
}
