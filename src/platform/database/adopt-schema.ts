import type { QueryRunner } from 'typeorm';

/** Replaces the migrations up to commit a3d06a80. */
const INITIAL = { time: 1_764_000_500_000, name: 'InitialSchema1764000500000' };
/**
 * Number of migrations up to that commit. The list was append-only, so a database with all of them is at the last one.
 */
const REPLACED = 31;

interface Found {
  /** Whether the initial migration is recorded. */
  is_known: boolean;
  replaced: number;
  /** NULL: no migration has run. */
  last: string | null;
}

const FIND = `SELECT coalesce(bool_or(name = '${INITIAL.name}'), false) AS is_known,
    count(*) FILTER (WHERE "timestamp" < ${INITIAL.time})::int AS replaced,
    (array_agg(name ORDER BY "timestamp" DESC))[1] AS last
  FROM migrations`;

/**
 * Records the initial migration in a database whose schema comes from the migrations that it replaced. Their rows stay:
 * processes of a3d06a80 look for them when they start, and may be started again while both versions serve. Throws, and
 * changes nothing, when the database has only some of them.
 */
export async function adoptSchema(queryRunner: QueryRunner): Promise<void> {
  if (!(await queryRunner.hasTable('migrations'))) return;
  const [{ is_known: isKnown, replaced, last }] = (await queryRunner.query(FIND)) as [Found];
  if (isKnown || last === null) return;
  if (replaced < REPLACED)
    throw new Error(
      `the database is at migration ${last} (${replaced} of ${REPLACED} up to commit a3d06a80), from which this version ` +
        'cannot upgrade: run the migrations of commit a3d06a80 first, then these',
    );
  await queryRunner.query('INSERT INTO migrations ("timestamp", name) VALUES ($1, $2)', [INITIAL.time, INITIAL.name]);
}
