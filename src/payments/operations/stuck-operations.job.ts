import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Transaction } from '../../platform/database/database.js';
import { type Batch, MaintenanceJobs } from '../../platform/maintenance/maintenance-jobs.js';
import { REPORT_STUCK, type StuckOperation } from './stuck-operations.queries.js';

/** How long an outcome may be unknown; the alert ProviderOperationsOpen has the same limit. */
const STUCK_AFTER_MS = 900_000;
const INTERVAL_MS = 5_000;
const BATCH_SIZE = 500;

/**
 * Reports operations that a person must know of (`operation.stuck`): the passage of time reveals them. The mark of an
 * operation commits together with its event, so each operation is reported exactly once even if workers crash.
 */
@Injectable()
export class StuckOperations implements OnModuleInit {
  private readonly logger = new Logger(StuckOperations.name);

  constructor(private readonly maintenance: MaintenanceJobs) {}

  onModuleInit(): void {
    const batch = (transaction: Transaction) => this.report(transaction);
    this.maintenance.add({ name: 'stuck operations', everyMs: INTERVAL_MS, batch });
  }

  private async report(transaction: Transaction): Promise<Batch> {
    const stuck = await transaction.query<StuckOperation>(REPORT_STUCK, [STUCK_AFTER_MS, BATCH_SIZE]);
    const committed = (): void => {
      for (const { payment_id: paymentId, id: operationId, kind: operation, is_stopped: isStopped } of stuck)
        this.logger.warn({ msg: 'operation reported as stuck', paymentId, operationId, operation, isStopped });
    };
    return { rows: 0, more: stuck.length === BATCH_SIZE, committed };
  }
}
