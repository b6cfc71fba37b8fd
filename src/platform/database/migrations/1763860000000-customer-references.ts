import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/** The merchant's own id of a customer, by which later payments find it again. Others write meanwhile. */
export class CustomerReferences1763860000000 implements MigrationInterface {
  name = 'CustomerReferences1763860000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE customers ADD COLUMN IF NOT EXISTS reference text');
    const definition = 'ON customers (merchant_id, reference) WHERE reference IS NOT NULL';
    await createIndex(queryRunner, 'customers_merchant_id_reference', definition, 'UNIQUE INDEX');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE customers DROP COLUMN reference');
  }
}
