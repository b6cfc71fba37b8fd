import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { adoptSchema } from './adopt-schema.js';
import { withClient } from './connection.js';
import { dataSourceOptions } from './data-source-options.js';
import { limitLockWaits, LockWatch, retryLocks } from './migration-locks.js';
import { loadMigrations, MIGRATION_NAMES } from './migrations/list.js';
import { isLockFault, isUndefinedTable } from './postgres-errors.js';
import { UNBOUNDED_OPTIONS } from './session-settings.js';

/** Any constant will do: one session-level lock, so that processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_305_112_021;
const LOCK_POLL_MS = 200;

/** Hears, in a line, of what migrations do: each with its time, and what holds one up. */
export type ReportMigration = (line: string) => void;

/**
 * Runs all pending migrations and returns their names. Safe to run from several processes at once, while others serve, and
 * again after one that was ended: each migration is one transaction, or goes on where it was. Throws an error that names who
 * holds a lock for too long, or the commit to upgrade to first.
 */
export async function migrate(databaseUrl: string, tell: ReportMigration = () => {}): Promise<string[]> {
  return withDataSource(databaseUrl, async (dataSource) => {
    const [lock, worker] = [dataSource.createQueryRunner(), dataSource.createQueryRunner()];
    try {
      await takeLock(lock);
      return await new MigrationRun(dataSource, worker, lock, tell).runAll();
    } finally {
      // a session that is lost has given it back, and what broke it is the error to tell
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      await Promise.all([lock.release(), worker.release()]);
    }
  });
}

/** Migrations one after the other, on `worker`; `observer` is a session beside it. */
class MigrationRun {
  private readonly executor: MigrationExecutor;

  constructor(
    dataSource: DataSource,
    private readonly worker: QueryRunner,
    private readonly observer: QueryRunner,
    private readonly tell: ReportMigration,
  ) {
    this.executor = new MigrationExecutor(dataSource, worker);
  }

  async runAll(): Promise<string[]> {
    const [{ pid }] = (await this.worker.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
    await limitLockWaits(this.worker);
    await adoptSchema(this.worker);
    const names: string[] = [];
    for (const migration of await this.executor.getPendingMigrations()) {
      const startedAt = performance.now();
      await this.run(migration, pid);
      this.tell(`ran ${migration.name} in ${((performance.now() - startedAt) / 1_000).toFixed(3)} s`);
      names.push(migration.name);
    }
    return names;
  }

  private async run(migration: Migration, pid: number): Promise<void> {
    const watch = new LockWatch(this.observer, pid, (by) => this.tell(`${migration.name} waits, held up by ${by}`));
    try {
      await retryLocks(
        () => this.attempt(migration),
        (tries) => this.tell(`${migration.name} tries again, ${tries} in vain; a lock is held by ${watch.blockedBy}`),
      );
    } catch (error) {
      throw isLockFault(error) ? stillLocked(migration, watch.blockedBy, error) : error;
    } finally {
      await watch.stop();
    }
  }

  private async attempt(migration: Migration): Promise<void> {
    const isTransaction = migration.instance?.transaction ?? true;
    if (!isTransaction) return void (await this.executor.executeMigration(migration));
    await this.worker.startTransaction();
    try {
      await this.executor.executeMigration(migration);
      await this.worker.commitTransaction();
    } catch (error) {
      await this.worker.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  }
}

const stillLocked = ({ name }: Migration, blockedBy: string, cause: unknown): Error =>
  new Error(
    `${name} cannot get a lock that is held by ${blockedBy}; end that, or wait for its end, and migrate again`,
    {
      cause,
    },
  );

/**
 * Asks again and again instead of waiting in the database: there it would be one transaction, and an index that is made
 * concurrently waits for all that began before, and so for whoever waits for it.
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

/** Whether the database lacks migrations that this build needs. */
export function hasPendingMigrations(databaseUrl: string): Promise<boolean> {
  return withClient(databaseUrl, UNBOUNDED_OPTIONS, async (client) => {
    try {
      const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
      const known = new Set(rows.map(({ name }) => name));
      return MIGRATION_NAMES.some((name) => !known.has(name));
    } catch (error) {
      if (isUndefinedTable(error)) return true;
      throw error;
    }
  });
}

async function withDataSource<T>(databaseUrl: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const migrations = await loadMigrations();
  const options = { ...dataSourceOptions(databaseUrl, 2), migrations, migrationsTransactionMode: 'each' as const };
  const dataSource = await new DataSource(options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
