import { Injectable } from '@nestjs/common';
import { ReplicaReads } from '../../platform/database/replica-reads.js';
import { Database } from '../../platform/database/database.js';
import { DISPUTE_STATUSES, type DisputeStatus } from '@payment-orchestrator/provider-kit';
import { walkedPage, type WalkedRow } from '../../platform/http/walked-page.js';
import { type Page, type PageRequest, toPage } from '../../shared/cursor.js';
import { Problem } from '../../shared/problem.js';
import { PaymentsService } from '../ledger/payments.service.js';
import type { DisputeRow } from './dispute.js';
import {
  FIND_DISPUTE,
  LIST_DISPUTES,
  LIST_DISPUTES_OF_PAYMENT,
  LIST_DISPUTES_OF_SHOP,
  WALK_DISPUTES,
  WALK_DISPUTES_OF_SHOP,
} from './dispute.queries.js';

/** Filters of a list; an absent one excludes nothing. */
export interface DisputeFilter {
  /** Any of them. */
  status: readonly DisputeStatus[] | undefined;
  shopId: number | undefined;
  /** Only open disputes whose evidence is due before this time. */
  dueBefore: Date | undefined;
  /** Disputes opened at this time or later. */
  from: Date | undefined;
  /** Disputes opened before this time. */
  to: Date | undefined;
}

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
    const values = [paymentId, merchantId];
    const rows = await this.database.query<DisputeRow | { id: null }>(LIST_DISPUTES_OF_PAYMENT, values);
    if (rows.length === 0) throw await this.payments.absent(merchantId, paymentId);
    return rows.filter((row): row is DisputeRow => row.id !== null);
  }

  /** Newest first. Disputes of other merchants never match. With times, same contract as {@link walkedPage}. */
  async list(merchantId: number, filter: DisputeFilter, page: PageRequest): Promise<Page<DisputeRow>> {
    const { status: given = DISPUTE_STATUSES, shopId, dueBefore, from, to } = filter;
    const statuses = dueBefore === undefined ? given : given.filter((each) => each === 'open');
    const below = page.beforeId ?? Number.MAX_SAFE_INTEGER;
    const times = [dueBefore, from, to];
    if (times.every((time) => time === undefined)) {
      const statement = shopId === undefined ? LIST_DISPUTES : LIST_DISPUTES_OF_SHOP;
      const values = [merchantId, statuses, below, page.limit + 1, shopId ?? null];
      return toPage(await this.reads.query<DisputeRow>(statement, values), page.limit);
    }
    const statement = shopId === undefined ? WALK_DISPUTES : WALK_DISPUTES_OF_SHOP;
    return walkedPage<WalkedDispute>({ limit: page.limit, beforeId: below }, (next, count, limit) => {
      const values = [merchantId, statuses, next, limit, shopId ?? null];
      return this.reads.query(statement, [...values, ...times.map((time) => time ?? null), count]);
    });
  }
}

type WalkedDispute = Omit<DisputeRow, 'id'> & WalkedRow;
