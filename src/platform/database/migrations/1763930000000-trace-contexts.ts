import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Where the trace of a payment and that of a delivery are kept (docs/decisions/039-tracing.md). `NULL` unless they are
 * traced: rows stay as long as they were, as the null bitmap has room for one column more. Changes the catalog alone;
 * processes of the version before know none of it.
 */
export class TraceContexts1763930000000 implements MigrationInterface {
  name = 'TraceContexts1763930000000';
  /** Of two tables at once, a lock would be held while the other is waited for. */
  transaction = false as const;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await alterBriefly(queryRunner, `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS traceparent text`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await alterBriefly(queryRunner, `ALTER TABLE ${table} DROP COLUMN IF EXISTS traceparent`);
    }
  }
}

const TABLES = ['payments', 'webhook_bodies'];
const LOCK_TRIES = 120;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Who waits for an exclusive lock makes everybody after him wait as well: so for half a second at a time, and with a
 * second for the others in between.
 */
async function alterBriefly(queryRunner: QueryRunner, statement: string): Promise<void> {
  await queryRunner.query(`SET lock_timeout = '500ms'`);
  try {
    for (let tries = 1; !(await isAltered(queryRunner, statement, tries)); tries++) {
      await queryRunner.query('SELECT pg_sleep(1)');
    }
  } finally {
    await queryRunner.query('RESET lock_timeout');
  }
}

async function isAltered(queryRunner: QueryRunner, statement: string, tries: number): Promise<boolean> {
  try {
    await queryRunner.query(statement);
    return true;
  } catch (error) {
    const { code } = (error as { driverError?: { code?: string } }).driverError ?? {};
    if (code !== LOCK_NOT_AVAILABLE || tries === LOCK_TRIES) throw error;
    return false;
  }
}
