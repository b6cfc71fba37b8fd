import type { MigrationInterface, QueryRunner } from 'typeorm';
import { pushEvents } from './push-events.js';

/**
 * Statements that insert events also insert their deliveries (`insertEvents`), and mark them. The trigger delivers the events
 * of processes of the version before, which are not marked. A later version drops it; a new schema needs none.
 */
export class FannedOutEvents1764010830000 implements MigrationInterface {
  name = 'FannedOutEvents1764010830000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE webhook_events ADD COLUMN IF NOT EXISTS is_fanned_out boolean NOT NULL DEFAULT false',
    );
    await queryRunner.query(pushEvents('NOT is_fanned_out'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(pushEvents('true'));
    await queryRunner.query('ALTER TABLE webhook_events DROP COLUMN is_fanned_out');
  }
}
