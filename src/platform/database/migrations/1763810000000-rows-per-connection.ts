import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Room for slots that name a connection, see docs/decisions/026-nobody-waits-in-company.md. What older processes count in
 * the slots they know stays right, and may go on while this runs.
 */
export class RowsPerConnection1763810000000 implements MigrationInterface {
  name = 'RowsPerConnection1763810000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE webhook_shop_counters ALTER COLUMN slot TYPE bigint');
    await queryRunner.query('ALTER TABLE shop_outcomes ALTER COLUMN slot TYPE bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const DOWN = [
  `CREATE TEMPORARY TABLE sums ON COMMIT DROP AS
    SELECT shop_id, sum(payments) AS payments, sum(payments_with_webhooks) AS payments_with_webhooks
    FROM webhook_shop_counters GROUP BY shop_id`,
  'DELETE FROM webhook_shop_counters',
  'ALTER TABLE webhook_shop_counters ALTER COLUMN slot TYPE smallint',
  'INSERT INTO webhook_shop_counters SELECT shop_id, 0, payments, payments_with_webhooks FROM sums',
  // an hour's memory of how shops do; it fills again
  'DELETE FROM shop_outcomes',
  'ALTER TABLE shop_outcomes ALTER COLUMN slot TYPE smallint',
];
