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
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS traceparent text`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN IF EXISTS traceparent`);
    }
  }
}

const TABLES = ['payments', 'webhook_bodies'];
