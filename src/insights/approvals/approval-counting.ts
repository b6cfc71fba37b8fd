import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs, MaintenanceModule } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock } from '../../shared/clock.js';
import { COUNT_CHANGES, PRUNE_CELLS } from './approval-cells.queries.js';
import { firstKeptHour } from './approval-period.js';

const COUNT_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 60_000;
/** Ten to twenty milliseconds of work. */
const BATCH_SIZE = 1_000;

/**
 * Counts changes of attempts into `approval_cells` (docs/decisions/083-segments.md). A batch is one transaction under the
 * job's lock: it moves changes from the log into cells, or nothing. After an outage of the workers, full batches follow each
 * other until the log is empty.
 */
@Injectable()
export class ApprovalCounting implements OnModuleInit {
  constructor(
    private readonly maintenance: MaintenanceJobs,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.maintenance.add({
      name: 'approval counts',
      everyMs: COUNT_EVERY_MS,
      isLogged: false,
      batch: (transaction) => this.count(transaction),
    });
    this.maintenance.add({
      name: 'approval cells',
      everyMs: PRUNE_EVERY_MS,
      batch: (transaction) => this.prune(transaction),
    });
  }

  async count(transaction: Transaction): Promise<Batch> {
    const [result] = await transaction.query<{ rows: number }>(COUNT_CHANGES, [this.firstHour, BATCH_SIZE]);
    return { rows: result!.rows, more: result!.rows === BATCH_SIZE };
  }

  private async prune(transaction: Transaction): Promise<Batch> {
    const rows = (await transaction.query(PRUNE_CELLS, [this.firstHour, BATCH_SIZE])).length;
    return { rows, more: rows === BATCH_SIZE };
  }

  private get firstHour(): Date {
    return firstKeptHour(this.clock.now());
  }
}

@Module({ imports: [MaintenanceModule], providers: [ApprovalCounting] })
export class InsightsWorkerModule {}
