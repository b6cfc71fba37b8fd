import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, Module } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { SharedSchedule, WorkersModule } from '../workers/shared-schedule.js';

/** What one batch did. */
export interface Batch {
  rows: number;
  /** Whether there is probably more to do. */
  more: boolean;
  /** Until the next batch, so many times as long as this one took; absent: nine times. */
  pausePerWork?: number;
  /** Called once the batch is committed. Never throws. */
  committed?(): void;
}

/** Work in small batches for which no caller waits. */
export interface BatchJob {
  /** One worker of all does a batch of the job of this name at a time. */
  name: string;
  /** From one run to the next, on any worker. */
  everyMs: number;
  /** A small batch, all of it in `transaction`; may be lost and done again. */
  batch(transaction: Transaction): Promise<Batch>;
}

/** Any constant will do, as long as no other lock of ours has two keys. Workers of the version before lock by it as well. */
const LOCK_SPACE = 730_511;
/** Between two batches: deliveries get at least nine tenths of the time, and vacuum a chance to follow. */
const PAUSE_PER_WORK = 9;
const MIN_PAUSE_MS = 100;
/** The next run of a job is due so long after the next batch of the worker that does it: if it dies, another goes on. */
const TAKEOVER_MARGIN_MS = 1_000;

/** $1 space, $2 name of the job. Held until the end of the transaction, also when this process dies. */
const TRY_LOCK: Statement = {
  name: 'maintenance.try_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS is_ours',
};

/**
 * Runs the jobs of all workers in small batches.
 * - The worker that is elected (`SharedSchedule`) does batches until nothing is left, and postpones the next run meanwhile.
 * - Each batch is a short transaction of its own under an advisory lock. A worker that finds the lock taken leaves the
 *   work to its holder, so one of several workers goes on.
 * - No batch begins once the process is stopping; the one under way is waited for.
 * Why not BullMQ: a batch and its lock are one transaction of PostgreSQL, and go on without the queue.
 */
@Injectable()
export class MaintenanceJobs {
  private readonly logger = new Logger(MaintenanceJobs.name);
  private readonly rows;
  private readonly names: string[] = [];
  private readonly done = new Map<BatchJob, number>();

  constructor(
    private readonly database: Database,
    private readonly schedule: SharedSchedule,
    metrics: Metrics,
  ) {
    // the metric and its label keep their first names: dashboards and alerts of operators read them
    this.rows = metrics.counter({
      name: 'housekeeping_rows_total',
      help: 'Rows that jobs removed or blanked because their time was over, or put back into the queue',
      labels: { chore: { words: 'what the worker does when it is due', values: () => this.names } },
    });
  }

  /** To be called before the application starts. */
  add(job: BatchJob): void {
    const run = (stopping: AbortSignal): Promise<void> => this.run(job, stopping);
    this.schedule.add({ name: job.name, everyMs: job.everyMs, run });
    this.names.push(job.name);
    this.rows.inc({ chore: job.name }, 0);
  }

  private async run(job: BatchJob, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const pauseMs = await this.next(job);
      if (pauseMs === undefined) return;
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Answers how long to pause before the next batch; `undefined`: there is no more to do. */
  private async next(job: BatchJob): Promise<number | undefined> {
    const startedAt = performance.now();
    const batch = await this.batch(job);
    batch.committed?.();
    this.count(job, batch);
    if (!batch.more) return undefined;
    const idleMs = (performance.now() - startedAt) * (batch.pausePerWork ?? PAUSE_PER_WORK);
    const pauseMs = Math.max(MIN_PAUSE_MS, idleMs);
    await this.schedule.postpone(job.name, pauseMs + TAKEOVER_MARGIN_MS);
    return pauseMs;
  }

  private batch(job: BatchJob): Promise<Batch> {
    return this.database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ is_ours: boolean }>(TRY_LOCK, [LOCK_SPACE, job.name]);
      return lock!.is_ours ? job.batch(transaction) : { rows: 0, more: false };
    });
  }

  /** One line of log for all batches in a row. */
  private count(job: BatchJob, { rows, more }: Batch): void {
    this.rows.inc({ chore: job.name }, rows);
    const total = (this.done.get(job) ?? 0) + rows;
    this.done.set(job, more ? total : 0);
    if (!more && total > 0) this.logger.log({ msg: 'job done', job: job.name, rows: total });
  }
}

/** For the worker modules of features that have jobs. */
@Module({ imports: [WorkersModule], providers: [MaintenanceJobs], exports: [MaintenanceJobs] })
export class MaintenanceModule {}
