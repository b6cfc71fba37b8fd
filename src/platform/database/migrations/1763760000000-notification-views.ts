import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ways to read what providers sent: of a shop, newest first and by outcome, and of a payment. */
export class NotificationViews1763760000000 implements MigrationInterface {
  name = 'NotificationViews1763760000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX provider_notifications_shop_id_outcome_id ON provider_notifications (shop_id, outcome, id)',
    );
    await queryRunner.query(
      `CREATE INDEX provider_notifications_payment_id_id ON provider_notifications (payment_id, id)
        WHERE payment_id IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX provider_notifications_payment_id_id');
    await queryRunner.query('DROP INDEX provider_notifications_shop_id_outcome_id');
  }
}
