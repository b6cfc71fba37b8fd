import { readFile } from 'node:fs/promises';
import type { TestDatabase } from '../servers/database.js';

/** A random value of each database, created with its schema: the key of `webhook_id`. */
const SALT = /\\x[0-9a-f]{32}/g;

/**
 * Tables with their columns in order, constraints, indexes, triggers, views, functions, sequences, partitions and storage
 * options, as PostgreSQL itself prints them. Without daily partitions, which differ by day, and without white space.
 */
export async function schemaOf({ pool }: TestDatabase): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(`
    WITH relations AS (
      SELECT oid, relname, relkind, relpersistence, reloptions, relpartbound FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relname !~ '^webhook_bodies_\\d{8}'
    )
    SELECT format('%s %s %s %s %s', relkind, relname, relpersistence, pg_get_expr(relpartbound, oid),
        (SELECT string_agg(option, ', ' ORDER BY option) FROM unnest(reloptions) AS option)) AS line FROM relations
    UNION ALL SELECT format('%s.%s %s', relname, row_number() OVER (PARTITION BY r.oid ORDER BY attnum),
        concat_ws(' ', attname, format_type(atttypid, atttypmod), CASE WHEN attnotnull THEN 'NOT NULL' END,
          nullif(attidentity, ''), attstorage, pg_get_expr(adbin, adrelid)))
      FROM relations r JOIN pg_attribute ON attrelid = r.oid AND attnum > 0 AND NOT attisdropped
      LEFT JOIN pg_attrdef ON adrelid = r.oid AND adnum = attnum WHERE relkind IN ('r', 'p', 'v')
    UNION ALL SELECT pg_get_indexdef(r.oid) FROM relations r WHERE relkind IN ('i', 'I')
    UNION ALL SELECT format('not valid: %s', r.relname) FROM relations r JOIN pg_index ON indexrelid = r.oid AND NOT indisvalid
    UNION ALL SELECT pg_get_viewdef(r.oid) FROM relations r WHERE relkind = 'v'
    UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN relations r ON tgrelid = r.oid AND NOT tgisinternal
    UNION ALL SELECT format('%s %s %s', relname, conname, pg_get_constraintdef(c.oid))
      FROM pg_constraint c JOIN relations r ON conrelid = r.oid AND contype <> 'n'
    UNION ALL SELECT format('%s %s', relname, to_jsonb(s) - 'seqrelid') FROM pg_sequence s JOIN relations r ON r.oid = seqrelid
    UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT format('type %s', typname) FROM pg_type
      WHERE typnamespace = 'public'::regnamespace AND typname !~ '^_?webhook_bodies_\\d{8}'
    ORDER BY line`);
  return rows.map(({ line }) => line.replaceAll(SALT, 'salt').replaceAll(/\s+/g, ' '));
}

const PAGE = 'src/schema/triggers.md';
const ONLY_OLD = '## Only in databases of 03ffeb28';

const namesIn = (text: string): string[] => [...text.matchAll(/`([\w.]+)`/g)].map(([, name]) => name!);

/** `src/schema/triggers.md`: triggers with their functions, and objects that only databases of 03ffeb28 have. */
export async function describedObjects(): Promise<{ triggers: string[]; onlyOld: string[] }> {
  const [described, onlyOld] = (await readFile(PAGE, 'utf8')).split(ONLY_OLD) as [string, string];
  const triggers = described.split('\n').filter((line) => line.startsWith('| `'));
  const pairs = triggers.flatMap((row) => {
    const [, names, functions] = row.split('|') as [string, string, string];
    return namesIn(names).map((name, index) => `${name} ${namesIn(functions)[index] ?? namesIn(functions)[0]}`);
  });
  return { triggers: pairs.sort(), onlyOld: namesIn(onlyOld) };
}

const DROP = `SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass) AS statement FROM pg_trigger WHERE tgname = $1
  UNION ALL SELECT format('DROP FUNCTION %I', proname) FROM pg_proc WHERE proname = $1
  UNION ALL SELECT format('DROP %s %I', CASE relkind WHEN 'i' THEN 'INDEX' WHEN 'r' THEN 'TABLE' ELSE 'SEQUENCE' END, relname)
    FROM pg_class WHERE relname = $1`;

/** Drops the objects that only databases of 03ffeb28 have, as the next version will. An object that is missing is an error. */
export async function dropOldObjects({ pool }: TestDatabase): Promise<void> {
  for (const name of (await describedObjects()).onlyOld) {
    const [table, column] = name.split('.');
    const { rows } = await pool.query<{ statement: string }>(DROP, [name]);
    const drop = column === undefined ? rows[0]?.statement : `ALTER TABLE ${table} DROP COLUMN ${column}`;
    if (drop === undefined) throw new Error(`${PAGE} names ${name}, which an upgraded database has not`);
    await pool.query(drop);
  }
}
