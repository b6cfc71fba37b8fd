import type { QueryRunner } from 'typeorm';
import { withoutLockLimit } from './migration-locks.js';

/**
 * Creates an index while other sessions write to the table, and replaces one that a crash left unfinished. For
 * migrations with `transaction = false`. `definition`: the SQL after the index's name. It waits, without a limit, for
 * every transaction that began before, also for read-only ones; no reader or writer waits for it. So a process that
 * waits for the migrations must not do so inside a transaction (`migrate`).
 */
export async function createIndex(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
  kind: 'INDEX' | 'UNIQUE INDEX' = 'INDEX',
): Promise<void> {
  const unfinished = (await queryRunner.query(
    'SELECT 1 FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  )) as object[];
  await withoutLockLimit(queryRunner, async () => {
    if (unfinished.length > 0) await queryRunner.query(`DROP INDEX CONCURRENTLY ${name}`);
    await queryRunner.query(`CREATE ${kind} CONCURRENTLY IF NOT EXISTS ${name} ${definition}`);
  });
}
