import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** Any constant will do: one session-level lock, so that processes that start together migrate one after the other. */
const MIGRATION_LOCK = 7_305_112_021;

/** Runs all pending migrations and returns their names. Safe to run from several processes at once. */
export async function migrate(databaseUrl: string): Promise<string[]> {
  return withDataSource(databaseUrl, async (dataSource) => {
    const lock = dataSource.createQueryRunner();
    try {
      await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      return (await dataSource.runMigrations()).map((migration) => migration.name);
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  });
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
