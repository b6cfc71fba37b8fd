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
  restPerWork?: number;
  /** Called once the batch is committed. Never throws. */
  committed?(): void;
}

/** Work that nobody waits for. */
export interface Chore {
  /** Of all workers, one at a time does a batch of the chore of this name. */
  name: string;
  /** From one look for what there is to do to the next, whichever worker has it. */
  restMs: number;
  /** A small batch, all of it in `transaction`; may be lost and done again. */
  batch(transaction: Transaction): Promise<Batch>;
}

/** Any constant will do, as long as no other lock of ours has two keys. Workers of the version before lock by it as well. */
const LOCK_SPACE = 730_511;
/** Between two batches: deliveries get at least nine tenths of the time, and vacuum a chance to follow. */
const REST_PER_WORK = 9;
const MIN_PAUSE_MS = 100;
/** The next run of a chore is due so long after the next batch of the worker that does it: if it dies, another goes on. */
const TAKEOVER_MARGIN_MS = 1_000;

/** $1 space, $2 name of the chore. Held until the end of the transaction, whatever becomes of this process. */
const TRY_LOCK: Statement = {
  name: 'housekeeping.try_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS is_ours',
};

/**
 * Does the chores of all workers in small batches.
 * - The worker that is elected (`SharedSchedule`) does batches until nothing is left, and postpones the next run meanwhile.
 * - Each batch is a short transaction of its own under an advisory lock. Whoever finds the lock taken leaves the work to
 *   the other, so that of several workers one goes on.
 * - No batch begins once the process is stopping; the one under way is waited for.
 */
@Injectable()
export class Housekeeping {
  private readonly logger = new Logger(Housekeeping.name);
  private readonly rows;
  private readonly names: string[] = [];
  private readonly done = new Map<Chore, number>();

  constructor(
    private readonly database: Database,
    private readonly schedule: SharedSchedule,
    metrics: Metrics,
  ) {
    this.rows = metrics.counter({
      name: 'housekeeping_rows_total',
      help: 'Rows that chores removed or blanked because their time was over, or put back into the queue',
      labels: { chore: { words: 'what the worker does when it is due', values: () => this.names } },
    });
  }

  /** To be called before the application starts. */
  add(chore: Chore): void {
    const run = (stopping: AbortSignal): Promise<void> => this.run(chore, stopping);
    this.schedule.add({ name: chore.name, everyMs: chore.restMs, run });
    this.names.push(chore.name);
    this.rows.inc({ chore: chore.name }, 0);
  }

  private async run(chore: Chore, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const pauseMs = await this.next(chore);
      if (pauseMs === undefined) return;
      await delay(pauseMs, undefined, { signal: stopping }).catch(() => undefined);
    }
  }

  /** Answers how long to pause before the next batch; `undefined`: there is no more to do. */
  private async next(chore: Chore): Promise<number | undefined> {
    const startedAt = performance.now();
    const batch = await this.batch(chore);
    batch.committed?.();
    this.count(chore, batch);
    if (!batch.more) return undefined;
    const restMs = (performance.now() - startedAt) * (batch.restPerWork ?? REST_PER_WORK);
    const pauseMs = Math.max(MIN_PAUSE_MS, restMs);
    await this.schedule.postpone(chore.name, pauseMs + TAKEOVER_MARGIN_MS);
    return pauseMs;
  }

  private batch(chore: Chore): Promise<Batch> {
    return this.database.transaction(async (transaction) => {
      const [lock] = await transaction.query<{ is_ours: boolean }>(TRY_LOCK, [LOCK_SPACE, chore.name]);
      return lock!.is_ours ? chore.batch(transaction) : { rows: 0, more: false };
    });
  }

  /** One line of log for all batches in a row. */
  private count(chore: Chore, { rows, more }: Batch): void {
    this.rows.inc({ chore: chore.name }, rows);
    const total = (this.done.get(chore) ?? 0) + rows;
    this.done.set(chore, more ? total : 0);
    if (!more && total > 0) this.logger.log({ msg: 'chore done', chore: chore.name, rows: total });
  }
}

/** For the workers of features that have chores. */
@Module({ imports: [WorkersModule], providers: [Housekeeping], exports: [Housekeeping] })
export class HousekeepingModule {}
