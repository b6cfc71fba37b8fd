import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A client's secret stays valid for a while after it was rotated. */
export class ClientSecretOverlap1764010461000 implements MigrationInterface {
  name = 'ClientSecretOverlap1764010461000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE api_clients ADD COLUMN previous_secret_hash text, ADD COLUMN previous_secret_expires_at timestamptz(3),
        ADD CONSTRAINT api_clients_previous_secret CHECK ((previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL))`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE api_clients DROP COLUMN previous_secret_hash, DROP COLUMN previous_secret_expires_at',
    );
  }
}
