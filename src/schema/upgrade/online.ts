import type { QueryRunner } from 'typeorm';
import { createIndex } from '../../platform/database/create-index.js';
import { withoutLockLimit } from '../../platform/database/migration-locks.js';
import { schemaStatements } from '../schema.js';

const CREATED = /^CREATE (?:UNLOGGED )?(TABLE|FUNCTION|TRIGGER|UNIQUE INDEX|INDEX) (\w+)/;

/**
 * Creates objects of the schema by their names, in this order, in a database that serves. Tables and indexes that exist
 * stay; functions and triggers are replaced. An unknown name is an error.
 */
export async function create(queryRunner: QueryRunner, ...names: string[]): Promise<void> {
  const statements = new Map(schemaStatements().map((statement) => [CREATED.exec(statement)?.[2], statement]));
  for (const name of names) {
    const statement = statements.get(name);
    if (statement === undefined) throw new Error(`the schema has no ${name}`);
    await createOnline(queryRunner, statement);
  }
}

/** Runs a statement that creates an object, in a form that may be repeated and that blocks no session for long. */
export async function createOnline(queryRunner: QueryRunner, statement: string): Promise<void> {
  const [head, kind, name] = CREATED.exec(statement)!;
  const definition = statement.slice(head.length);
  if (kind === 'TABLE') await queryRunner.query(`CREATE TABLE IF NOT EXISTS ${name}${definition}`);
  else if (kind === 'INDEX' || kind === 'UNIQUE INDEX') await createIndex(queryRunner, name!, definition, kind);
  else await queryRunner.query(`CREATE OR REPLACE ${kind} ${name}${definition}`);
}

/**
 * Replaces an index by the one of the schema under its name, by which processes of both versions recognise a violation.
 * `part` of its definition tells the new one. The table's lock is held for an instant.
 */
export async function replaceIndex(queryRunner: QueryRunner, name: string, part: string): Promise<void> {
  const isDone = (await queryRunner.query(
    `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND strpos(pg_get_indexdef(indexrelid), $2) > 0`,
    [name, part],
  )) as object[];
  if (isDone.length > 0) return;
  const statement = schemaStatements().find((each) => CREATED.exec(each)?.[2] === name)!;
  await createOnline(queryRunner, statement.replace(name, `${name}_new`));
  // one transaction
  await queryRunner.query(`DROP INDEX IF EXISTS ${name}; ALTER INDEX ${name}_new RENAME TO ${name}`);
}

export const dropIndexes = (queryRunner: QueryRunner, ...names: string[]): Promise<void> =>
  withoutLockLimit(queryRunner, async () => {
    for (const name of names) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  });

/** Calls `update` with ranges of ids, up to the greatest one of `column`: rows are locked for milliseconds at a time. */
export async function inBatches(
  queryRunner: QueryRunner,
  { table, column, size }: { table: string; column: string; size: number },
  update: string,
): Promise<void> {
  const [newest] = (await queryRunner.query(`SELECT max(${column}) AS id FROM ${table}`)) as { id: string | null }[];
  for (let from = 0; from < Number(newest?.id); from += size) await queryRunner.query(update, [from, from + size]);
}
