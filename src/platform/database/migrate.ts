import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any constant will do: one session-level lock, so that processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_305_112_021;
const LOCK_POLL_MS = 200;

/** Runs all pending migrations and returns their names. Safe to run from several processes at once. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  return withDataSource(databaseUrl, async (dataSource) => {
    const lock = dataSource.createQueryRunner();
    try {
      await takeLock(lock);
      return (await dataSource.runMigrations()).map((migration) => migration.name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  });
}

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
  return withDataSource(databaseUrl, (dataSource) => dataSource.showMigrations());
}

async function withDataSource<T>(databaseUrl: string, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const dataSource = await new DataSource(dataSourceOptions(databaseUrl, 2)).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
