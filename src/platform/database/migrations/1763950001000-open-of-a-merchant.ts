import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Finds what is open of one merchant, however much others have. Begun anew after a crash it goes on. Others write meanwhile.
 */
export class OpenOfAMerchant1763950001000 implements MigrationInterface {
  name = 'OpenOfAMerchant1763950001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await queryRunner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = [
  [
    'provider_operations_open_of_merchant',
    `ON provider_operations (merchant_id, created_at) WHERE state IN ('open', 'pending', 'unknown')`,
  ],
  ['failing_endpoints_merchant_id', 'ON failing_endpoints (merchant_id)'],
] as const;
