import { PeriodicTask } from '../../shared/periodic-task.js';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy, Module } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';

/** What one batch did. */
export interface Batch {
  rows: number;
  /** Whether there is probably more to do. */
  more: boolean;
  /** Called once the batch is committed. Never throws. */
  committed?(): void;
}

/** Work that nobody waits for. */
export interface Chore {
  /** Of all workers, one at a time does a batch of the chore of this name. */
  name: string;
  /** How long to rest when there is nothing left to do. */
  restMs: number;
  /** Between two batches, so many times as long as the one took; absent: nine times. */
  restPerWork?: number;
  /** A small batch, all of it in `transaction`; may be lost and done again. */
  batch(transaction: Transaction): Promise<Batch>;
}

/** Any constant will do, as long as no other lock of ours has two keys. */
const LOCK_SPACE = 730_511;
const FIRST_AFTER_MS = 1_000;
/** Between two batches: deliveries get at least nine tenths of the time, and vacuum a chance to follow. */
const REST_PER_WORK = 9;
const MIN_PAUSE_MS = 100;

/** $1 space, $2 name of the chore. Held until the end of the transaction, whatever becomes of this process. */
const TRY_LOCK: Statement = {
  name: 'housekeeping.try_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS is_ours',
};

/**
 * Does the chores of a worker in small batches.
 * - Each batch is a short transaction of its own under an advisory lock. Whoever finds the lock taken leaves the work to
 *   the other and rests, so that of several workers one goes on.
 * - No batch begins once the process is stopping; the one under way is waited for.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(Housekeeping.name);
  private readonly rows;
  private readonly tasks: PeriodicTask[] = [];
  private readonly names: string[] = [];
  private readonly failing = new Set<Chore>();
  private readonly done = new Map<Chore, number>();

  constructor(
    private readonly database: Database,
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
    this.tasks.push(new PeriodicTask(() => this.run(chore)));
    this.names.push(chore.name);
    this.rows.inc({ chore: chore.name }, 0);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) task.start(FIRST_AFTER_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Answers how long to rest. Never rejects: a database outage is logged once, and the batch is tried again. */
  private async run(chore: Chore): Promise<number> {
    const started = Date.now();
    let more = false;
    try {
      const batch = await this.batch(chore);
      batch.committed?.();
      this.count(chore, batch);
      more = batch.more;
      this.failing.delete(chore);
    } catch (error) {
      if (!this.failing.has(chore)) this.logger.error({ msg: 'a chore fails', chore: chore.name, err: error });
      this.failing.add(chore);
    }
    const restPerWork = chore.restPerWork ?? REST_PER_WORK;
    const pauseMs = Math.max(MIN_PAUSE_MS, (Date.now() - started) * restPerWork);
    return more ? pauseMs : chore.restMs;
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
@Module({ providers: [Housekeeping], exports: [Housekeeping] })
export class HousekeepingModule {}
