import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Transaction } from '../../platform/database/database.js';
import { firstIdSince } from '../../platform/database/first-id-since.js';
import { requireWritable, writeArchive } from '../../platform/maintenance/archive.js';
import { alternating, type BatchRow, IdWalk, type Span } from '../../platform/maintenance/id-walk.js';
import { MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { ERASE_AUDITED_REASONS } from '../customers/erasure.queries.js';
import {
  DELETE_ENDED,
  type EndedPaymentRow,
  LOCK_ENDED_PAYMENTS,
  type LockedPaymentsRow,
  PAYMENTS_IN_TIME,
  READ_ENDED,
} from './payment-retention.queries.js';

const PAUSE_MS = 60_000;
/** Payments that one batch reads, and lines of one file of the archive, which are about 1 MB. */
const BATCH_SIZE = 500;

/**
 * Archives and deletes payments that ended long ago. Each batch is one transaction: it locks payments, reads those without
 * anything open, writes their lines to a file that is on the disk, and then deletes their rows.
 *
 *   dies before the file is on the disk     nothing changes
 *   dies before the commit                  the payments are in the file, and again in a later one
 *   dies after the commit                   done
 */
@Injectable()
export class PaymentRetention implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays' | 'archiveDir'>,
  ) {}

  /** Throws a `ConfigError` if the folder of the archive cannot be written. */
  async onModuleInit(): Promise<void> {
    const { payments: days } = this.config.retentionDays;
    if (days === 0) return;
    if (this.config.archiveDir !== undefined) await requireWritable(this.config.archiveDir);
    const start = async (transaction: Transaction) => {
      const before = daysBefore(this.clock.now(), days);
      return { before, last: (await firstIdSince(transaction, PAYMENTS_IN_TIME, before)) - 1 };
    };
    const walk = new IdWalk(BATCH_SIZE, start, (transaction, span, limit) => this.prune(transaction, span, limit));
    this.maintenance.add(alternating('ended payments', PAUSE_MS, [walk]));
  }

  private async prune(
    transaction: Transaction,
    { after, last, before }: Span,
    limit: number,
  ): Promise<BatchRow & { pruned: number }> {
    const values = [after, last, before, limit];
    const [locked] = await transaction.query<LockedPaymentsRow>(LOCK_ENDED_PAYMENTS, values);
    const { ids, ...batch } = locked!;
    const pruned = ids.length === 0 ? 0 : await this.archive(transaction, ids, before);
    return { ...batch, pruned };
  }

  /** Returns how many of the locked payments were archived. */
  private async archive(transaction: Transaction, ids: number[], before: Date): Promise<number> {
    const { archiveDir } = this.config;
    const found = await transaction.query<EndedPaymentRow>(READ_ENDED, [ids, before, archiveDir !== undefined]);
    const ended = found.filter(({ stays_for: reason }) => reason === null);
    if (ended.length === 0) return 0;
    const endedIds = ended.map(({ id }) => id);
    if (archiveDir !== undefined) {
      const name = `payments-${endedIds[0]}-${endedIds.at(-1)}`;
      const lines = ended.map(({ line }) => line!);
      await writeArchive(archiveDir, name, this.clock.now(), lines);
    }
    // an erasure finds a reason in the audit log through the payment; the archived operation keeps it
    const settled = ended.filter(({ is_settled: isSettled }) => isSettled).map(({ id }) => id);
    if (settled.length > 0) await transaction.query(ERASE_AUDITED_REASONS, [settled]);
    await transaction.query(DELETE_ENDED, [endedIds]);
    return ended.length;
  }
}
