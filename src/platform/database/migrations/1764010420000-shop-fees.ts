import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the provider of a shop charges for a payment; null: unknown. Processes of the version before ignore it. */
export class ShopFees1764010420000 implements MigrationInterface {
  name = 'ShopFees1764010420000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE shops ADD COLUMN fees jsonb');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE shops DROP COLUMN fees');
  }
}
