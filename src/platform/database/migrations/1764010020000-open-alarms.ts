import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * When somebody acknowledged an alarm of a provider's notification, and an index of those that nobody has. Processes of the
 * version before write neither. Begun anew after a crash it goes on.
 */
export class OpenAlarms1764010020000 implements MigrationInterface {
  name = 'OpenAlarms1764010020000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE provider_notifications ADD COLUMN IF NOT EXISTS acknowledged_at timestamptz(3)',
    );
    await createIndex(
      queryRunner,
      'provider_notifications_open_alarms',
      `ON provider_notifications (shop_id, id) WHERE outcome = 'alarm' AND acknowledged_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_notifications DROP COLUMN acknowledged_at');
  }
}
