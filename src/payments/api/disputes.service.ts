import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Database } from '../../platform/database/database.js';
import { DISPUTE_STATUSES } from '@payment-orchestrator/provider-kit';
import { WALK_STEPS, walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import type { Page, PageRequest } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { PaymentsService } from '../store/payments.service.js';
import type { DisputeRow } from '../store/dispute.js';
import type { DisputeFilter } from './disputes.dto.js';
import {
  FIND_DISPUTE,
  LIST_DISPUTES,
  LIST_DISPUTES_OF_PAYMENT,
  LIST_DISPUTES_OF_SHOP,
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
  async list(merchantId: number, filter: DisputeFilter, page: PageRequest): Promise<Page<DisputeRow>> {
    const { status: given = DISPUTE_STATUSES, shopId, dueBefore, from, to } = filter;
    const statuses = dueBefore === undefined ? given : given.filter((each) => each === 'open');
    const statement = shopId === undefined ? LIST_DISPUTES : LIST_DISPUTES_OF_SHOP;
    const times = [dueBefore, from, to].map((time) => time ?? null);
    return walkedPage<WalkedDispute>(
      { limit: page.limit, beforeId: page.beforeId ?? Number.MAX_SAFE_INTEGER },
      (next, count, limit) =>
        this.reads.query(statement, [merchantId, statuses, next, limit, shopId ?? null, ...times, count]),
      times.every((time) => time === null) ? [page.limit + 1] : WALK_STEPS,
    );
  }
}

type WalkedDispute = Omit<DisputeRow, 'id'> & WalkedRow;
