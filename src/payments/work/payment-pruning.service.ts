import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock, daysBefore } from '../../shared/clock.js';
import { IdempotencyService } from '../../platform/idempotency/idempotency.service.js';
import { PRUNE_NOTIFICATIONS } from '../store/notification.queries.js';

const INTERVAL_MS = 60_000;
const BATCH_SIZE = 500;

/** Deletes old rows around payments that no request needs. The payments stay. */
@Injectable()
export class PaymentPruning implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly idempotency: IdempotencyService,
    private readonly clock: Clock,
    @InjectConfig() private readonly config: Pick<Config, 'retentionDays'>,
  ) {}

  onModuleInit(): void {
    this.add('idempotency keys', (transaction) => this.idempotency.prune(transaction, BATCH_SIZE));
    const { notifications } = this.config.retentionDays;
    if (notifications > 0) {
      this.add('provider notifications', (transaction) => this.pruneNotifications(transaction, notifications));
    }
  }

  private async pruneNotifications(transaction: Transaction, days: number): Promise<number> {
    const before = daysBefore(this.clock.now(), days);
    return (await transaction.query(PRUNE_NOTIFICATIONS, [before, BATCH_SIZE])).length;
  }

  /** Adds a job. A full batch is followed by another one. */
  private add(name: string, prune: (transaction: Transaction) => Promise<number>): void {
    const batch = async (transaction: Transaction): Promise<Batch> => {
      const rows = await prune(transaction);
      return { rows, more: rows === BATCH_SIZE };
    };
    this.maintenance.add({ name, everyMs: INTERVAL_MS, batch });
  }
}
