import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Shops that sign with a key of their own, too. Changes the catalog alone; processes of the version before know none of it
 * and sign with the secret, as every shop does until it asks for more.
 */
export class WebhookSigningKeys1763920000000 implements MigrationInterface {
  name = 'WebhookSigningKeys1763920000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE shops
      ADD COLUMN webhook_signing text NOT NULL DEFAULT 'shared_secret',
      ADD COLUMN webhook_signing_key bytea,
      ADD COLUMN previous_webhook_signing_key bytea,
      ADD COLUMN previous_webhook_signing_key_expires_at timestamptz`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE shops
      DROP COLUMN webhook_signing,
      DROP COLUMN webhook_signing_key,
      DROP COLUMN previous_webhook_signing_key,
      DROP COLUMN previous_webhook_signing_key_expires_at`);
  }
}
