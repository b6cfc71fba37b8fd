import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Counts a shop's declines by code without reading its payments, and lists a merchant's clients. Both indexes are built
 * while others write. The first one costs a write for declines alone: what ends an attempt changes `outcome`, which is
 * indexed before, so that no update becomes a cold one.
 */
export class ShopReports1763934000000 implements MigrationInterface {
  name = 'ShopReports1763934000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const declines =
      'ON payment_attempts (shop_id, ended_at DESC) INCLUDE (decline_code) WHERE decline_code IS NOT NULL';
    await createIndex(queryRunner, 'payment_attempts_declines', declines);
    await createIndex(queryRunner, 'api_clients_merchant_id_id', 'ON api_clients (merchant_id, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX api_clients_merchant_id_id');
    await queryRunner.query('DROP INDEX payment_attempts_declines');
  }
}
