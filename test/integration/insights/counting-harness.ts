import { ApprovalCounting } from '../../../src/insights/approvals/approval-counting.js';
import type { Database, Transaction } from '../../../src/platform/database/database.js';
import { type BatchJob, MaintenanceJobs } from '../../../src/platform/maintenance/maintenance-jobs.js';
import { Metrics } from '../../../src/platform/observability/metrics.js';
import type { ScheduledJob, SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import { SystemClock } from '../../../src/shared/clock.js';
import type { TestDatabase } from '../../support/servers/database.js';

export type During = (transaction: Transaction) => Promise<unknown>;

export interface CountingJobs {
  /** Moves the log into cells. */
  count: () => Promise<void>;
  /** Rolls hours into days. */
  rollUp: () => Promise<void>;
}

/** The jobs of a worker; `during` runs after a batch's statement, before its commit. */
export function countingJobs({ database }: TestDatabase, during: During = () => Promise.resolve()): CountingJobs {
  const jobs = new Map<string, ScheduledJob>();
  const schedule = { add: (job: ScheduledJob) => jobs.set(job.name, job), postpone: () => Promise.resolve() };
  const on = {
    transaction: <T>(work: (transaction: Transaction) => Promise<T>) => database.transaction(work),
  } as unknown as Database;
  const maintenance = new MaintenanceJobs(on, schedule as unknown as SharedSchedule, new Metrics());
  const watched = {
    add: (job: BatchJob) =>
      maintenance.add({
        ...job,
        batch: async (transaction) => {
          const batch = await job.batch(transaction);
          await during(transaction);
          return batch;
        },
      }),
  };
  new ApprovalCounting(watched as unknown as MaintenanceJobs, new SystemClock()).onModuleInit();
  const run = (name: string) => jobs.get(name)!.run(new AbortController().signal);
  return { count: () => run('approval counts'), rollUp: () => run('approval cells') };
}
