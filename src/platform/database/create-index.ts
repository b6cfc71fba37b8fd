import type { QueryRunner } from 'typeorm';
import { withoutLockLimit } from './migration-locks.js';

/**
 * Makes an index while others write the table; what a crash left unfinished is made anew. For migrations with
 * `transaction = false`. `definition`: what follows the index's name. It waits for every transaction that began before, also
 * for one that only reads, for as long as that takes, as nobody who reads or writes waits for it: whoever waits for the
 * migrations must not do so inside a transaction (`migrate`).
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
