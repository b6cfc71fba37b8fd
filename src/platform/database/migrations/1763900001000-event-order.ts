import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * The index that a merchant's events are read by. Made while others read and write: it takes long where there is much
 * history, and keeps nobody waiting. Begun anew after a crash, it first removes what an unfinished run has left.
 */
export class EventOrder1763900001000 implements MigrationInterface {
  name = 'EventOrder1763900001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const definition = 'ON payment_status_changes (merchant_id, event_position, id) WHERE event_position IS NOT NULL';
    await createIndex(queryRunner, 'payment_status_changes_in_order', definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX payment_status_changes_in_order');
  }
}
