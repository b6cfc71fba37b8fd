import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { isLockFault } from './postgres-errors.js';

/**
 * How migrations take locks of tables that others use. Who waits for an exclusive lock makes everybody after him wait as
 * well: so for a fifth of a second at a time, which is less than half of what serving processes wait for a lock
 * (`data-source-options.ts`), and with a second for the others in between. Two minutes of it, then the migration gives up.
 */
const LOCK_TIMEOUT_MS = 200;
const PAUSE_MS = 1_000;
const TRIES = 100;

const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 5_000;
/** What waits without keeping others waiting, such as an index that is made concurrently, is told of after this. */
const TELL_AFTER_MS = 10_000;

/** Statements of this session give up waiting for a lock after `LOCK_TIMEOUT_MS`, unless told otherwise. */
export const limitLockWaits = (queryRunner: QueryRunner): Promise<unknown> =>
  queryRunner.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);

/** For statements that keep nobody waiting while they wait: nothing limits how long they may. */
export async function withoutLockLimit(queryRunner: QueryRunner, work: () => Promise<unknown>): Promise<void> {
  await queryRunner.query('SET lock_timeout = 0');
  try {
    await work();
  } catch (error) {
    // of a session that is lost the first error is the one to tell
    await limitLockWaits(queryRunner).catch(() => undefined);
    throw error;
  }
  await limitLockWaits(queryRunner);
}

/**
 * Does `work` again while a lock is not to be had, a bounded number of times. `work` leaves nothing of a try that fails, or
 * goes on where it was. `onRetry` is told before each further try.
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

/** Never the query itself, which may hold personal data. Of another role's session only the pid may be seen. */
const BLOCKERS = `SELECT a.pid, a.application_name, a.state,
    date_trunc('second', clock_timestamp() - a.xact_start)::text AS transaction_age,
    date_trunc('second', clock_timestamp() - a.query_start)::text AS query_age
  FROM pg_stat_activity a WHERE a.pid = ANY (pg_blocking_pids($1)) ORDER BY a.xact_start`;

/** Looks who keeps a session waiting, over another one: whoever waits can ask nothing. */
export class LockWatch {
  private blockers: Blocker[] = [];
  private readonly stopped = new AbortController();
  private readonly looking: Promise<void>;

  /** `pid`: of the session that may wait. `tell` hears of a wait that lasts. */
  constructor(
    private readonly queryRunner: QueryRunner,
    private readonly pid: number,
    private readonly tell: (blockedBy: string) => void,
  ) {
    this.looking = this.look().catch(() => undefined);
  }

  /** Whom it waited for last, in words. */
  get blockedBy(): string {
    return this.blockers.map(inWords).join(', ') || 'nobody that was seen';
  }

  /** Ends when no statement of its own is under way any more. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.looking;
  }

  private async look(): Promise<void> {
    const { signal } = this.stopped;
    let toldAt = Date.now();
    for (let pauseMs = FIRST_LOOK_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LAST_LOOK_MS)) {
      await delay(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const found = (await this.queryRunner.query(BLOCKERS, [this.pid])) as Blocker[];
      if (found.length > 0) this.blockers = found;
      if (found.length === 0 || Date.now() - toldAt < TELL_AFTER_MS) continue;
      toldAt = Date.now();
      this.tell(this.blockedBy);
    }
  }
}

const inWords = ({ pid, application_name, state, transaction_age, query_age }: Blocker): string =>
  `pid ${pid} (${application_name || 'no application_name'}, ${state ?? 'state unknown'}, ` +
  `transaction for ${transaction_age ?? 'unknown'}, last statement begun ${query_age ?? 'unknown'} ago)`;
