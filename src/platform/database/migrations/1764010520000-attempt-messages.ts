import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Says more about the error of an attempt, such as why a token endpoint gave no token. Processes of the version before
 * name the columns that they write, so they leave these empty.
 */
export class AttemptMessages1764010520000 implements MigrationInterface {
  name = 'AttemptMessages1764010520000';
  /** The lock of one table is not kept while the other is waited for. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_attempts ADD COLUMN IF NOT EXISTS error_message text');
    await queryRunner.query('ALTER TABLE endpoint_errors ADD COLUMN IF NOT EXISTS last_message text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_attempts DROP COLUMN error_message');
    await queryRunner.query('ALTER TABLE endpoint_errors DROP COLUMN last_message');
  }
}
