import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { loadMigrations, type MigrationClass } from '../../../src/platform/database/migrations/list.js';
import type { TestDatabase } from '../servers/database.js';

export const migrations = await loadMigrations();

/** The migration of that name and all behind it. */
export const migrationsSince = (name: string): MigrationClass[] =>
  migrations.slice(migrations.findIndex((migration) => migration.name.startsWith(name)));

/** Undoes the migration of that name and all behind it. */
export async function revertTo({ url }: TestDatabase, name: string): Promise<void> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 1), migrations }).initialize();
  try {
    for (let left = migrationsSince(name).length; left > 0; left--) await dataSource.undoLastMigration();
  } finally {
    await dataSource.destroy();
  }
}

/** Columns, constraints, indexes and defaults, as PostgreSQL itself writes them. */
export async function schemaOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    SELECT format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public'
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT format('function %s', oid::regprocedure) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('type %s', typname) FROM pg_type WHERE typnamespace = 'public'::regnamespace
    ORDER BY line`);
  return rows.map(({ line }) => line);
}
