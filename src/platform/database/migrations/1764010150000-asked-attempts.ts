import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Attempts that a provider's notification asked about: since when, when the last look-up began, and when the next one is
 * due. Processes of the version before neither read nor write the columns.
 */
export class AskedAttempts1764010150000 implements MigrationInterface {
  name = 'AskedAttempts1764010150000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payment_attempts
        ADD COLUMN IF NOT EXISTS asked_at timestamptz(3),
        ADD COLUMN IF NOT EXISTS looked_up_at timestamptz(3),
        ADD COLUMN IF NOT EXISTS look_up_at timestamptz(3)`,
    );
    await createIndex(
      queryRunner,
      'payment_attempts_look_up_at',
      'ON payment_attempts (look_up_at) WHERE look_up_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE payment_attempts DROP COLUMN asked_at, DROP COLUMN looked_up_at, DROP COLUMN look_up_at',
    );
  }
}
