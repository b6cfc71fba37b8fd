import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Database } from '../../platform/database/database.js';
import { DISPUTE_STATUSES } from '@payment-orchestrator/provider-kit';
import { WALK_STEPS, walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import { type DeadlinePageRequest, encodeCursor, type Page, type PageRequest } from '../../shared/cursor.js';
import { deadlinePage, type DeadlineRow } from '../../platform/http/deadline-page.js';
import { Problem } from '../../shared/problem.js';
import { PaymentsService } from '../store/payments.service.js';
import type { DisputeRow } from '../store/dispute.js';
import type { DisputeFilter } from './disputes.dto.js';
import {
  FIND_DISPUTE,
  LIST_DISPUTES,
  LIST_DISPUTES_OF_PAYMENT,
  LIST_DISPUTES_OF_SHOP,
  LIST_DUE_DISPUTES,
} from '../store/dispute.queries.js';

/** Reads a merchant's disputes. */
@Injectable()
export class DisputesService {
  constructor(
    private readonly database: Database,
    private readonly reads: ReplicaReads,
    private readonly payments: PaymentsService,
  ) {}

  /** Throws `dispute_not_found`, also for a dispute of another merchant. */
  async find(merchantId: number, id: number): Promise<DisputeRow> {
    const [dispute] = await this.database.query<DisputeRow>(FIND_DISPUTE, [id, merchantId]);
    if (!dispute) throw new Problem('dispute_not_found');
    return dispute;
  }

  /** The disputes of a payment, oldest first. Throws `payment_not_found`, also for a payment of another merchant, and `payment_archived`. */
  async listByPayment(merchantId: number, paymentId: number): Promise<DisputeRow[]> {
    await this.payments.find(merchantId, paymentId);
    return this.database.query<DisputeRow>(LIST_DISPUTES_OF_PAYMENT, [paymentId]);
  }

  /** Newest first. Disputes of other merchants never match. With times, same contract as {@link walkedPage}. */
  async list(merchantId: number, filter: DisputeFilter, page: PageRequest, isWithoutDue = false) {
    const { status: given = DISPUTE_STATUSES, shopId, dueFrom, dueBefore, from, to } = filter;
    const statuses = hasDue(filter) ? given.filter((each) => each === 'open') : given;
    const statement = shopId === undefined ? LIST_DISPUTES : LIST_DISPUTES_OF_SHOP;
    const times = [dueFrom, dueBefore, from, to].map((time) => time ?? null);
    const isIndexed = times.every((time) => time === null) && !isWithoutDue;
    return walkedPage<WalkedDispute>(
      { limit: page.limit, beforeId: page.beforeId ?? Number.MAX_SAFE_INTEGER },
      (next, count, limit) =>
        this.reads.query(statement, [
          ...[merchantId, statuses, next, limit, shopId ?? null],
          ...[...times, isWithoutDue, count],
        ]),
      isIndexed ? [page.limit + 1] : WALK_STEPS,
    );
  }

  /**
   * Open disputes whose evidence is due, the earliest first, then the others, the newest first. Same contract as
   * {@link deadlinePage} and {@link walkedPage}.
   */
  async listByDue(merchantId: number, filter: DisputeFilter, page: DeadlinePageRequest): Promise<Page<DisputeRow>> {
    const rest = (request: PageRequest) => this.list(merchantId, filter, request, true);
    if (page.beforeId !== undefined) return rest(page);
    const { status = DISPUTE_STATUSES, shopId, dueFrom, dueBefore, from, to } = filter;
    if (!status.includes('open')) return rest(page);
    const place = page.after ? [page.after.at, page.after.id] : [dueFrom ?? null, 0];
    const values = [dueBefore, shopId, from, to].map((value) => value ?? null);
    const rows = await this.reads.query<DueDispute>(LIST_DUE_DISPUTES, [
      merchantId,
      page.limit + 1,
      ...place,
      ...values,
    ]);
    const { items, nextCursor } = deadlinePage(rows, page.limit, (row) => row.evidence_due_by);
    if (nextCursor !== null || hasDue(filter)) return { items, nextCursor };
    const others = await rest({ limit: Math.max(1, page.limit - items.length) });
    if (items.length < page.limit) return { items: [...items, ...others.items], nextCursor: others.nextCursor };
    const isMore = others.items.length > 0 || others.nextCursor !== null;
    return { items, nextCursor: isMore ? encodeCursor(Number.MAX_SAFE_INTEGER) : null };
  }
}

/** Only open disputes have times for evidence. */
const hasDue = ({ dueFrom, dueBefore }: DisputeFilter): boolean => dueFrom !== undefined || dueBefore !== undefined;

type DueDispute = Omit<DisputeRow, 'id'> & DeadlineRow;
type WalkedDispute = Omit<DisputeRow, 'id'> & WalkedRow;
