import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When permits were last spent, which shows that the clock was set back since. Rows of the version before have none, and its
 * processes leave it as it is. Changes the catalog alone.
 */
export class SpentPermits1764000400000 implements MigrationInterface {
  name = 'SpentPermits1764000400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE rate_limits ADD COLUMN spent_at timestamptz');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE rate_limits DROP COLUMN spent_at');
  }
}
