import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { isLockFault } from './postgres-errors.js';

/**
 * How migrations lock tables that other sessions use. A session that waits for an exclusive lock blocks all sessions
 * that come after it. So a migration waits at most 0.2 s at a time, less than half of the `lock_timeout` of serving
 * processes (`data-source-options.ts`). Between two tries it lets the other sessions run for a second. It gives up
 * after two minutes.
 */
const LOCK_TIMEOUT_MS = 200;
const PAUSE_MS = 1_000;
const TRIES = 100;

const FIRST_POLL_MS = 50;
const MAX_POLL_MS = 5_000;
/** A wait that blocks no other session, such as for a concurrent index build, is reported after this time. */
const REPORT_AFTER_MS = 10_000;

/** Limits lock waits of this session to `LOCK_TIMEOUT_MS`. */
export const limitLockWaits = (queryRunner: QueryRunner): Promise<unknown> =>
  queryRunner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** Runs `work` without a limit on lock waits. Only for statements that block no other session while they wait. */
export async function withoutLockLimit(queryRunner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await queryRunner.query('SET lock_timeout = 0');
  try {
    await work();
  } catch (error) {
    // the session may be lost: report the first error
    await limitLockWaits(queryRunner).catch(() => undefined);
    throw error;
  }
  await limitLockWaits(queryRunner);
}

/**
 * Repeats `work` while a lock is not available, a bounded number of times. A failed try of `work` must leave no
 * changes, or the next one must continue where it stopped. `onRetry` is called before each further try.
 */
export async function retryLocks<T>(work: () => Promise<T>, onRetry: (tries: number) => void = () => {}): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockFault(error) || tries === TRIES) throw error;
      onRetry(tries);
      await delay(PAUSE_MS);
    }
  }
}

interface Blocker {
  pid: number;
  application_name: string | null;
  state: string | null;
  transaction_age: string | null;
  query_age: string | null;
}

/** Without the text of the query, which may hold personal data. Of other roles' sessions only the pid is visible. */
const BLOCKERS = `SELECT a.pid, a.application_name, a.state,
    date_trunc('second', clock_timestamp() - a.xact_start)::text AS transaction_age,
    date_trunc('second', clock_timestamp() - a.query_start)::text AS query_age
  FROM pg_stat_activity a WHERE a.pid = ANY (pg_blocking_pids($1)) ORDER BY a.xact_start`;

/** Finds out which sessions block another one, on a second session: a waiting session can run no query. */
export class LockWatch {
  private blockers: Blocker[] = [];
  private readonly stopped = new AbortController();
  private readonly polling: Promise<void>;

  /** `pid`: the session that may wait. `report` is called when a wait lasts long. */
  constructor(
    private readonly queryRunner: QueryRunner,
    private readonly pid: number,
    private readonly report: (blockedBy: string) => void,
  ) {
    this.polling = this.poll().catch(() => undefined);
  }

  /** Describes the sessions that were seen to block it last. */
  get blockedBy(): string {
    return this.blockers.map(describeBlocker).join(', ') || 'an unknown session';
  }

  /** Resolves when its own statement, if any, has ended. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.polling;
  }

  private async poll(): Promise<void> {
    const { signal } = this.stopped;
    let reportedAt = Date.now();
    for (let pauseMs = FIRST_POLL_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_POLL_MS)) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = (await this.queryRunner.query(BLOCKERS, [this.pid])) as Blocker[];
      if (found.length > 0) this.blockers = found;
      if (found.length === 0 || Date.now() - reportedAt < REPORT_AFTER_MS) continue;
      reportedAt = Date.now();
      this.report(this.blockedBy);
    }
  }
}

const describeBlocker = ({ pid, application_name, state, transaction_age, query_age }: Blocker): string =>
  `pid ${pid} (${application_name || 'no application_name'}, ${state ?? 'state unknown'}, ` +
  `transaction for ${transaction_age ?? 'unknown'}, last statement started ${query_age ?? 'unknown'} ago)`;
