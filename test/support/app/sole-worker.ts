import { Logger } from '@nestjs/common';
import type { ScheduledJob } from '../../../src/platform/workers/shared-schedule.js';
import { MaintenanceJob } from '../../../src/shared/maintenance-job.js';

/** Claims every task, like the only worker. */
export class SoleWorker {
  private readonly jobs: MaintenanceJob[] = [];

  add(options: ScheduledJob): void {
    const job = new MaintenanceJob(options, new Logger('SoleWorker'));
    this.jobs.push(job);
    job.start();
  }

  /** Does nothing, because there is no other worker. */
  postpone(): Promise<void> {
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }
}
