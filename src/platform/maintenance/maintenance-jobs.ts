import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, Module } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { SharedSchedule, WorkersModule } from '../workers/shared-schedule.js';

/** The result of one batch. */
export interface Batch {
  rows: number;
  /** Whether there are probably more rows. */
  more: boolean;
  /** Pause before the next batch, as a multiple of this batch's duration; default: 9. */
  pausePerWork?: number;
  /** Whether the job is behind: the next batch follows after a pause as long as this one, without the least pause. */
  isBehind?: boolean;
  /** Called once the batch is committed. Never throws. */
  committed?(): void;
}

/** Work in small batches that no caller waits for. */
export interface BatchJob {
  /** Only one worker at a time runs a batch of the job with this name, unless `isShared`. */
  name: string;
  /**
   * While one worker is still behind, another joins after each `everyMs`, with batches of its own. Batches of two
   * workers must not wait for each other: each takes a lock on its own rows.
   */
  isShared?: boolean;
  /** Time from one run to the next, on any worker, in ms. */
  everyMs: number;
  /** The lock of a batch, which jobs that write the same rows share; default: the name. */
  lock?: string;
  /** Whether each run that changed rows is logged; default: true. */
  isLogged?: boolean;
  /** Runs a small batch inside `transaction`. A batch may be lost and run again. */
  batch(transaction: Transaction): Promise<Batch>;
}

/** Any constant is fine if no other lock of ours has two keys. Workers of the previous version use the same one. */
const LOCK_SPACE = 730_511;
/** Pause between two batches: deliveries get at least nine tenths of the time, and vacuum can keep up. */
const PAUSE_PER_WORK = 9;
const MIN_PAUSE_MS = 100;
/**
 * Margin until the next run is due, added to the pause before the next batch: if the worker dies, another one
 * continues.
 */
const TAKEOVER_MARGIN_MS = 1_000;

/** $1 space, $2 name of the lock. It is held until the end of the transaction, also if this process dies. */
const TRY_LOCK: Statement = {
  name: 'maintenance.try_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS is_ours',
};
/** The same for a shared job: excludes only workers of older versions, for which the job is not shared. */
const TRY_SHARED_LOCK: Statement = {
  name: 'maintenance.try_shared_lock',
  text: 'SELECT pg_try_advisory_xact_lock_shared($1, hashtext($2)) AS is_ours',
};

/**
 * Runs maintenance jobs in small batches, one worker per job, or several of a shared job that is behind.
 * - The elected worker (`SharedSchedule`) runs batches until no rows are left, and meanwhile postpones the next run.
 * - Each batch is a short transaction under an advisory lock. A worker that finds the lock taken stops, so that only
 *   one of several workers continues.
 * - No batch starts once the process is stopping; it waits for the current one.
 *
 * Why not BullMQ: a batch and its lock are one transaction of PostgreSQL, and continue without the queue.
 */
@Injectable()
export class MaintenanceJobs {
  private readonly logger = new Logger(MaintenanceJobs.name);
  private readonly rows;
  /** The first name of the metric and its label, for dashboards and alerts of operators; one release longer. */
  private readonly deprecatedRows;
  private readonly names: string[] = [];
  private readonly done = new Map<BatchJob, number>();

  constructor(
    private readonly database: Database,
    private readonly schedule: SharedSchedule,
    metrics: Metrics,
  ) {
    const names = { words: 'name of a maintenance job', values: () => this.names };
    this.rows = metrics.counter({
      name: 'maintenance_rows_total',
      help: 'Rows that maintenance jobs deleted, redacted, counted or put back into the queue',
      labels: { job: names },
    });
    this.deprecatedRows = metrics.counter({
      name: 'housekeeping_rows_total',
      help: 'Deprecated, use maintenance_rows_total: the next minor version removes it',
      labels: { chore: names },
    });
  }

  /** Call before the application starts. */
  add(job: BatchJob): void {
    const run = (stopping: AbortSignal): Promise<void> => this.run(job, stopping);
    this.schedule.add({ name: job.name, everyMs: job.everyMs, run });
    this.names.push(job.name);
    this.addRows(job, 0);
  }

  private async run(job: BatchJob, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const pauseMs = await this.next(job);
      if (pauseMs === undefined) return;
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Returns the pause before the next batch in ms; `undefined`: no rows are left. */
  private async next(job: BatchJob): Promise<number | undefined> {
    const startedAt = performance.now();
    const batch = await this.batch(job);
    batch.committed?.();
    this.count(job, batch);
    if (!batch.more) return undefined;
    const workMs = performance.now() - startedAt;
    const pauseMs = batch.isBehind ? workMs : Math.max(MIN_PAUSE_MS, workMs * (batch.pausePerWork ?? PAUSE_PER_WORK));
    if (!job.isShared) await this.schedule.postpone(job.name, pauseMs + TAKEOVER_MARGIN_MS);
    else if (!batch.isBehind) await this.schedule.postpone(job.name, job.everyMs);
    return pauseMs;
  }

  private batch(job: BatchJob): Promise<Batch> {
    return this.database.transaction(async (transaction) => {
      const statement = job.isShared ? TRY_SHARED_LOCK : TRY_LOCK;
      const [lock] = await transaction.query<{ is_ours: boolean }>(statement, [LOCK_SPACE, job.lock ?? job.name]);
      return lock!.is_ours ? job.batch(transaction) : { rows: 0, more: false };
    });
  }

  private addRows({ name }: BatchJob, rows: number): void {
    this.rows.inc({ job: name }, rows);
    this.deprecatedRows.inc({ chore: name }, rows);
  }

  /** Logs one line for all batches of a run. */
  private count(job: BatchJob, { rows, more }: Batch): void {
    this.addRows(job, rows);
    const total = (this.done.get(job) ?? 0) + rows;
    this.done.set(job, more ? total : 0);
    if (!more && total > 0 && job.isLogged !== false) this.logger.log({ msg: 'job done', job: job.name, rows: total });
  }
}

/** For worker modules of features with maintenance jobs. */
@Module({ imports: [WorkersModule], providers: [MaintenanceJobs], exports: [MaintenanceJobs] })
export class MaintenanceModule {}
