import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-options.js';
import { loadMigrations, type MigrationClass } from '../../../src/platform/database/migrations/list.js';
import type { TestDatabase } from '../servers/database.js';

export const migrations = await loadMigrations();

/** The migration with this name and all later ones. */
export const migrationsSince = (name: string): MigrationClass[] =>
  migrations.slice(migrations.findIndex((migration) => migration.name.startsWith(name)));

/** Undoes the migration with this name and all later ones. */
export async function revertTo({ url }: TestDatabase, name: string): Promise<void> {
  const dataSource = await new DataSource({ ...dataSourceOptions(url, 1), migrations }).initialize();
  try {
    for (let left = migrationsSince(name).length; left > 0; left--) await dataSource.undoLastMigration();
  } finally {
    await dataSource.destroy();
  }
}

/** A random value of each database, created by its migrations: the key of `webhook_id`. */
const SALT = /\\x[0-9a-f]{32}/g;

/**
 * Tables with their columns in order, constraints, indexes, triggers, views, functions, sequences and storage options,
 * as PostgreSQL itself prints them. Without daily partitions, which differ by day, and without white space. A
 * constraint that is NOT VALID counts as valid, because only rows from before a migration are not checked.
 */
export async function schemaOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    WITH relations AS (
      SELECT oid, relname, relkind, relpersistence, reloptions FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname !~ '^webhook_bodies_\\d{8}'
    )
    SELECT format('%s %s %s %s', relkind, relname, relpersistence,
        (SELECT string_agg(option, ', ' ORDER BY option) FROM unnest(reloptions) AS option)) AS line FROM relations
    UNION ALL SELECT format('%s.%s %s', relname, row_number() OVER (PARTITION BY r.oid ORDER BY attnum),
        concat_ws(' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
          nullif(attidentity, ''), attstorage, pg_get_expr(adbin, adrelid)))
      FROM relations r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = r.oid AND adnum = attnum WHERE relkind IN ('r', 'p', 'v')
    UNION ALL SELECT pg_get_indexdef(r.oid) FROM relations r WHERE relkind IN ('i', 'I')
    UNION ALL SELECT pg_get_viewdef(r.oid) FROM relations r WHERE relkind = 'v'
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN relations r ON tgrelid = r.oid AND NOT tgisinternal
    UNION ALL SELECT format('%s %s %s', relname, conname, replace(pg_get_constraintdef(c.oid), ' NOT VALID', ''))
      FROM pg_constraint c JOIN relations r ON conrelid = r.oid AND contype <> 'n'
    UNION ALL SELECT format('%s %s', relname, to_jsonb(s) - 'seqrelid') FROM pg_sequence s JOIN relations r ON r.oid = seqrelid
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('type %s', typname) FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typname !~ '^_?webhook_bodies_\\d{8}'
    ORDER BY line`);
  return rows.map(({ line }) => line.replaceAll(SALT, 'salt').replaceAll(/\s+/g, ' '));
}
