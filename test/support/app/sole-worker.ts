import { Logger } from '@nestjs/common';
import type { ScheduledJob } from '../../../src/platform/workers/shared-schedule.js';
import { MaintenanceJob } from '../../../src/shared/maintenance-job.js';

/** Claims every task, as the only worker does. */
export class SoleWorker {
  private readonly jobs: MaintenanceJob[] = [];

  add(options: ScheduledJob): void {
    const job = new MaintenanceJob(options, new Logger('SoleWorker'));
    this.jobs.push(job);
    job.start();
  }

  /** Nobody else is there. */
  postpone(): Promise<void> {
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await Promise.all(this.jobs.map((job) => job.stop()));
  }
}
