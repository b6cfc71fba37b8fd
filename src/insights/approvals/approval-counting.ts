import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { Clock } from '../../shared/clock.js';
import { COUNT_CHANGES, ROLL_UP_CELLS } from './approval-cells.queries.js';
import { firstHourNotRolled, firstKeptHour } from './approval-period.js';

/** A read adds the changes since: at 1,000 attempts a second a run leaves it 5,000, half of what it takes. */
const COUNT_EVERY_MS = 5_000;
const TIDY_EVERY_MS = 60_000;
/** Workers of the previous version take the same lock. */
const COUNTS = 'approval counts';
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
      name: COUNTS,
      everyMs: COUNT_EVERY_MS,
      isLogged: false,
      batch: (transaction) => this.count(transaction),
    });
    this.maintenance.add({
      name: 'approval cells',
      everyMs: TIDY_EVERY_MS,
      // both write cells in an order of their own, and would wait for each other
      lock: COUNTS,
      batch: (transaction) => this.rollUp(transaction),
    });
  }

  async count(transaction: Transaction): Promise<Batch> {
    const [result] = await transaction.query<{ rows: number }>(COUNT_CHANGES, [
      firstKeptHour(this.clock.now()),
      BATCH_SIZE,
    ]);
    return { rows: result!.rows, more: result!.rows === BATCH_SIZE };
  }

  /** Rolls older hours into days. */
  private async rollUp(transaction: Transaction): Promise<Batch> {
    const rolling = [firstHourNotRolled(this.clock.now()), BATCH_SIZE];
    const [rolled] = await transaction.query<{ rows: number }>(ROLL_UP_CELLS, rolling);
    return { rows: rolled!.rows, more: rolled!.rows === BATCH_SIZE };
  }
}
