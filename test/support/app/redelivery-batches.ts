import { Database } from '../../../src/platform/database/database.js';
import type { Batch, BatchJob, MaintenanceJobs } from '../../../src/platform/maintenance/maintenance-jobs.js';
import { RedeliveryRunner } from '../../../src/webhooks/history/redelivery-runner.js';
import type { LaneNotifier } from '../../../src/webhooks/outbox/lane-notifier.js';
import type { TestApi } from './api-app.js';

interface RedeliveryOptions {
  perSecond?: number;
  redeliversOnRecovery?: boolean;
  /** How long a step waits for a locked row. Absent: as other statements of the API. */
  lockTimeoutMs?: number;
}

/** The redeliveries of a worker next to the API. A batch only runs when the test calls it. */
export class RedeliveryBatches {
  /** The lanes that each batch has woken. */
  readonly notified: number[][] = [];
  private job!: BatchJob;

  constructor(
    private readonly api: TestApi,
    private readonly options: RedeliveryOptions = {},
  ) {
    const maintenance = { add: (job: BatchJob) => (this.job = job) } as unknown as MaintenanceJobs;
    const notify = (laneIds: Iterable<number>): void => {
      const woken = [...laneIds];
      if (woken.length > 0) this.notified.push(woken);
    };
    new RedeliveryRunner(maintenance, { notify } as unknown as LaneNotifier, {
      redeliveriesPerSecond: options.perSecond ?? 10_000,
      redeliversOnRecovery: options.redeliversOnRecovery ?? true,
      webhookRetryDelaysMs: [10, 40, 160],
    }).onModuleInit();
  }

  async run(): Promise<Batch> {
    const batch = await this.api.get(Database).transaction(async (transaction) => {
      const { lockTimeoutMs } = this.options;
      if (lockTimeoutMs !== undefined)
        await transaction.query({ name: 'test.lock_timeout', text: `SET LOCAL lock_timeout = ${lockTimeoutMs}` });
      return this.job.batch(transaction);
    });
    batch.committed?.();
    return batch;
  }
}
