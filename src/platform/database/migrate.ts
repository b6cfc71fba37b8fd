import { DataSource, type QueryRunner } from 'typeorm';
import { pause } from '../../shared/clock.js';
import { dataSourceOptions } from './data-source-options.js';

/** Any constant will do: one session-level lock, so that processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_305_112_021;
const LOOK_AGAIN_MS = 100;

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
 * By asking again and again: a statement that waits keeps its snapshot, for whose end CREATE INDEX CONCURRENTLY of the
 * process that holds the lock would wait in turn.
 */
async function takeLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [answer] = (await runner.query('SELECT pg_try_advisory_lock($1) AS taken', [MIGRATION_LOCK])) as [
      { taken: boolean },
    ];
    if (answer.taken) return;
    await pause(LOOK_AGAIN_MS);
  }
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
