import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many notifications that changed nothing were stored for a shop on its latest such day; one row per shop, written
 * over, so that nothing of it has to be removed.
 */
export class IgnoredNotifications1763820000000 implements MigrationInterface {
  name = 'IgnoredNotifications1763820000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // room on the page for the next version: an update then touches no index
    await queryRunner.query(`CREATE TABLE ignored_notifications (
      shop_id bigint PRIMARY KEY,
      day date NOT NULL,
      count bigint NOT NULL
    ) WITH (fillfactor = 50)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE ignored_notifications');
  }
}
