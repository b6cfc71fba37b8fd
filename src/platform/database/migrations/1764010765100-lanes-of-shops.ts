import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * The newest lanes of a shop, for a page of endpoints: a shop may have a lane for each of its merchants' customers, and the
 * list read and sorted them all. Lanes of standing endpoints have no shop, so the index leaves them out: they are found by
 * their endpoint. Lanes are few compared with payments, and their `shop_id` never changes.
 */
export class LanesOfShops1764010765100 implements MigrationInterface {
  name = 'LanesOfShops1764010765100';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const lanes = 'ON webhook_lanes (shop_id, id) WHERE shop_id IS NOT NULL';
    await createIndex(queryRunner, 'webhook_lanes_shop_id_id', lanes);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX webhook_lanes_shop_id_id');
  }
}
