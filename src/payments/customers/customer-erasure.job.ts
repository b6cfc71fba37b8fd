import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { CustomerErasureService } from './customer-erasure.service.js';
import { END_ERASURE, NEXT_ERASURE } from './erasure.queries.js';

const INTERVAL_MS = 5_000;
/** Pause while webhooks of the customer are still pending. */
const AGAIN_MS = 10_000;

/** One pass over all payments of a customer. */
interface Pass {
  id: number;
  erasure_due_at: Date;
  after: number;
  pending: number;
}

/**
 * The worker's part of erasing customers. An interrupted pass starts from the beginning, because the work
 * stays due until the end of a pass.
 */
@Injectable()
export class CustomerErasureJob implements OnModuleInit {
  private pass: Pass | undefined;

  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly erasure: CustomerErasureService,
  ) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction) => this.batch(transaction);
    this.maintenance.add({ name: 'customer erasures', everyMs: INTERVAL_MS, batch });
  }

  private async batch(transaction: Transaction): Promise<Batch> {
    const pass = this.pass ?? (await this.next(transaction));
    this.pass = undefined;
    if (!pass) return { rows: 0, more: false };
    const { lastId, payments, pending } = await this.erasure.eraseBatch(transaction, pass.id, pass.after);
    const totalPending = pass.pending + pending;
    if (lastId === null) {
      await transaction.query(END_ERASURE, [pass.id, pass.erasure_due_at, totalPending > 0 ? AGAIN_MS : null]);
    } else {
      this.pass = { ...pass, after: lastId, pending: totalPending };
    }
    return { rows: payments, more: true };
  }

  private async next(transaction: Transaction): Promise<Pass | undefined> {
    const [next] = await transaction.query<Pick<Pass, 'id' | 'erasure_due_at'>>(NEXT_ERASURE);
    return next && { ...next, after: 0, pending: 0 };
  }
}
