import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withClient } from '../../platform/database/connection.js';
import { dataSourceOptions } from '../../platform/database/data-source-options.js';
import { limitLockWaits, LockWatch, retryLocks } from '../../platform/database/migration-locks.js';
import { isLockFault, isUndefinedTable } from '../../platform/database/postgres-errors.js';
import { UNBOUNDED_OPTIONS } from '../../platform/database/session-settings.js';
import { loadSteps, STEP_NAMES } from './list.js';
import { assertUpgradable, SCHEMA } from './origin.js';

/** Key of a session-level lock: processes that start together migrate one after the other. Any constant is fine. */
const MIGRATION_LOCK = 7_305_112_021;
const LOCK_POLL_MS = 200;

/** Gets one line per event: a migration that ran, with its time, and a migration that is blocked. */
export type ReportMigration = (line: string) => void;

/**
 * Creates the schema in an empty database, or brings that of the previous version to it by the steps that it lacks.
 * Returns the names of what ran. Several processes may call it at once, while others serve, and again after an interrupted
 * run: the schema is created in one transaction, and a step continues where it stopped. Throws an error that names the
 * session which blocks a step for too long, or the commit to upgrade to first.
 */
export async function migrate(databaseUrl: string, report: ReportMigration = () => {}): Promise<string[]> {
  return withDataSource(databaseUrl, async (dataSource) => {
    const [lock, worker] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    try {
      await takeLock(lock);
      return await new MigrationRun(dataSource, worker, lock, report).runAll();
    } finally {
      // a lost session has released the lock, and the error that broke it is the one to report
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await Promise.all([lock.release(), worker.release()]);
    }
  });
}

/** Runs migrations one after the other on `worker`. `observer` is a second session for queries meanwhile. */
class MigrationRun {
  private readonly executor: MigrationExecutor;

  constructor(
    dataSource: DataSource,
    private readonly worker: QueryRunner,
    private readonly observer: QueryRunner,
    private readonly report: ReportMigration,
  ) {
    this.executor = new MigrationExecutor(dataSource, worker);
  }

  async runAll(): Promise<string[]> {
    const [{ pid }] = (await this.worker.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    await limitLockWaits(this.worker);
    const recorded = await this.executor.getExecutedMigrations();
    const steps = await this.executor.getPendingMigrations();
    if (recorded.length === 0) return [await this.timed(await newDatabase(), pid, steps)];
    assertUpgradable(recorded.map(({ name }) => name));
    const names: string[] = [];
    for (const step of steps) names.push(await this.timed(step, pid));
    return names;
  }

  private async timed(migration: Migration, pid: number, included: Migration[] = []): Promise<string> {
    const startedAt = performance.now();
    await this.run(migration, pid, included);
    this.report(`ran ${migration.name} in ${((performance.now() - startedAt) / 1_000).toFixed(3)} s`);
    return migration.name;
  }

  private async run(migration: Migration, pid: number, included: Migration[]): Promise<void> {
    const watch = new LockWatch(this.observer, pid, (by) => this.report(`${migration.name} waits, blocked by ${by}`));
    try {
      await retryLocks(
        () => this.attempt(migration, included),
        (tries) =>
          this.report(`${migration.name} tries again (failed tries: ${tries}); a lock is held by ${watch.blockedBy}`),
      );
    } catch (error) {
      throw isLockFault(error) ? stillLocked(migration, watch.blockedBy, error) : error;
    } finally {
      await watch.stop();
    }
  }

  /** `included`: steps that the migration makes unnecessary, which are recorded with it. */
  private async attempt(migration: Migration, included: Migration[]): Promise<void> {
    const isTransaction = migration.instance?.transaction ?? true;
    if (!isTransaction) return void (await this.executor.executeMigration(migration));
    await this.worker.startTransaction();
    try {
      await this.executor.executeMigration(migration);
      for (const step of included) await this.executor.insertMigration(step);
      await this.worker.commitTransaction();
    } catch (error) {
      await this.worker.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }
}

/** Loaded on demand, like the steps. */
async function newDatabase(): Promise<Migration> {
  const { NewDatabase } = await import('./new-database.js');
  return new Migration(undefined, Number(SCHEMA.slice(-13)), SCHEMA, new NewDatabase());
}

const stillLocked = ({ name }: Migration, blockedBy: string, cause: unknown): Error =>
  new Error(
    `${name} cannot get a lock that is held by ${blockedBy}; end that session or wait for it, then migrate again`,
    {
      cause,
    },
  );

/**
 * Polls instead of waiting in the database. A waiting statement is a transaction, and a concurrent index build waits
 * for all transactions that began before it: the two would wait for each other.
 */
async function takeLock(lock: QueryRunner): Promise<void> {
  const isTaken = async () => {
    const [row] = (await lock.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK])) as [
      { taken: boolean },
    ];
    return row.taken;
  };
  while (!(await isTaken())) await delay(LOCK_POLL_MS);
}

/** Whether the database lacks the schema, or steps to that of this build. */
export function hasPendingMigrations(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, UNBOUNDED_OPTIONS, async (client) => {
    try {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
      const known = new Set(rows.map(({ name }) => name));
      return STEP_NAMES.some((name) => !known.has(name));
    } catch (error) {
      if (isUndefinedTable(error)) return true;
      throw error;
    }
  });
}

async function withDataSource<T>(databaseUrl: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const migrations = await loadSteps();
  const options = { ...dataSourceOptions(databaseUrl, 2), migrations, migrationsTransactionMode: 'each' as const };
  const dataSource = await new DataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
