import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Finds attempts of payments that were created before the period, for the payments behind a cell. A first attempt begins
 * with its payment, so only failover writes to the index.
 */
export class LaterAttempts1764010455000 implements MigrationInterface {
  name = 'LaterAttempts1764010455000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, INDEX, 'ON payment_attempts (shop_id, started_at, payment_id) WHERE number > 1');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
  }
}

const INDEX = 'payment_attempts_shop_id_started_at';
