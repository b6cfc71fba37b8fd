import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/** Lists deliveries of events of no shop by their merchant. */
export class DeliveriesOfNoShop1764010310000 implements MigrationInterface {
  name = 'DeliveriesOfNoShop1764010310000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  webhook_deliveries_merchant_id_status_id: 'ON webhook_deliveries (merchant_id, status, id) WHERE shop_id IS NULL',
  pending_deliveries_merchant_id_id: 'ON pending_deliveries (merchant_id, id) WHERE shop_id IS NULL',
};
