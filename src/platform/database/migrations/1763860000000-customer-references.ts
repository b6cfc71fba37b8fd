import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The merchant's own id of a customer, by which later payments find it again. */
export class CustomerReferences1763860000000 implements MigrationInterface {
  name = 'CustomerReferences1763860000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE customers ADD COLUMN reference text');
    await queryRunner.query(`CREATE UNIQUE INDEX customers_merchant_id_reference ON customers (merchant_id, reference)
      WHERE reference IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE customers DROP COLUMN reference');
  }
}
