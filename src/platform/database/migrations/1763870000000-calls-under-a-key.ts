import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often an operation was called under its present key. Of what is there already it is not known: as of more than once,
 * which leaves open what is open. Changes the catalog alone.
 */
export class CallsUnderAKey1763870000000 implements MigrationInterface {
  name = 'CallsUnderAKey1763870000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_operations ADD COLUMN key_calls integer NOT NULL DEFAULT 2');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_operations DROP COLUMN key_calls');
  }
}
