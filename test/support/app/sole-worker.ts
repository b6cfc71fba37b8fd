import { Logger } from '@nestjs/common';
import type { ScheduledJob } from '../../../src/platform/workers/shared-schedule.js';
import { MaintenanceJob } from '../../../src/shared/maintenance-job.js';

/** Claims every task, like the only worker. */
export class SoleWorker {
  private readonly jobs: MaintenanceJob[] = [];
  /** Names of tasks that were postponed, which other workers would leave alone for a while. */
  readonly postponed: string[] = [];

  add(options: ScheduledJob): void {
    const job = new MaintenanceJob(options, new Logger('SoleWorker'));
    this.jobs.push(job);
    job.start();
  }

  postpone(name: string): Promise<void> {
    this.postponed.push(name);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }
}
