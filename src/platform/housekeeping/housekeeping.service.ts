import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, Module } from '@nestjs/common';
import { Database, type Statement, type Transaction } from '../database/database.js';
import { Metrics } from '../observability/metrics.js';
import { WorkerTurns } from '../workers/worker-turns.js';
import { WorkersModule } from '../workers/worker-turns.js';

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
  /** Of all workers, one at a time does a batch of the chore of this name; its turn is the sequence `chore_<name>_turn`. */
  name: string;
  /** From one look for what there is to do to the next, whichever worker has it. */
  restMs: number;
  /** A small batch, all of it in `transaction`; may be lost and done again. */
  batch(transaction: Transaction): Promise<Batch>;
}

/** Any constant will do, as long as no other lock of ours has two keys. */
const LOCK_SPACE = 730_511;
/** Between two batches: deliveries get at least nine tenths of the time, and vacuum a chance to follow. */
const REST_PER_WORK = 9;
const MIN_PAUSE_MS = 100;
/** Who does a chore has its turn so much longer than until its next batch: should it die, another goes on. */
const TURN_MARGIN_MS = 1_000;

const turnOf = ({ name }: Chore): string => `chore_${name.replaceAll(' ', '_')}_turn`;

/** $1 space, $2 name of the chore. Held until the end of the transaction, whatever becomes of this process. */
const TRY_LOCK: Statement = {
  name: 'housekeeping.try_lock',
  text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS is_ours',
};

/**
 * Does the chores of all workers in small batches.
 * - Whoever gets a chore's turn (`WorkerTurns`) does batches of it until nothing is left, and keeps the turn meanwhile.
 * - Each batch is a short transaction of its own under an advisory lock. Whoever finds the lock taken leaves the work to
 *   the other, so that of several workers one goes on.
 * - No batch begins once the process is stopping; the one under way is waited for.
 */
@Injectable()
export class Housekeeping {
  private readonly logger = new Logger(Housekeeping.name);
  private readonly rows;
  private readonly names: string[] = [];
  private readonly failing = new Set<Chore>();
  private readonly done = new Map<Chore, number>();

  constructor(
    private readonly database: Database,
    private readonly turns: WorkerTurns,
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
    this.turns.add({ turn: turnOf(chore), everyMs: chore.restMs, run });
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

  /**
   * Answers how long to pause before the next batch; `undefined`: there is no more to do. Never rejects: a database outage
   * is logged once, and the next turn tries again.
   */
  private async next(chore: Chore): Promise<number | undefined> {
    const startedAt = performance.now();
    try {
      const batch = await this.batch(chore);
      batch.committed?.();
      this.count(chore, batch);
      this.failing.delete(chore);
      if (!batch.more) return undefined;
      const restMs = (performance.now() - startedAt) * (batch.restPerWork ?? REST_PER_WORK);
      const pauseMs = Math.max(MIN_PAUSE_MS, restMs);
      await this.turns.putOff(turnOf(chore), pauseMs + TURN_MARGIN_MS);
      return pauseMs;
    } catch (error) {
      if (!this.failing.has(chore)) this.logger.error({ msg: 'a chore fails', chore: chore.name, err: error });
      this.failing.add(chore);
      return undefined;
    }
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
