import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Customers that were erased, and ways to find all that is stored about one. */
export class CustomerErasure1763780000000 implements MigrationInterface {
  name = 'CustomerErasure1763780000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX idempotency_keys_payment_id, provider_notifications_unknown_payment,
      payments_customer_id_id`);
    await queryRunner.query('ALTER TABLE customers DROP COLUMN erased_at, DROP COLUMN erasure_due_at');
  }
}

const UP = [
  // when something of an erased customer is to be blanked (again); NULL: nothing is left
  `ALTER TABLE customers ADD COLUMN erased_at timestamptz(3), ADD COLUMN erasure_due_at timestamptz(3)`,
  `CREATE INDEX customers_erasure_due_at ON customers (erasure_due_at) WHERE erasure_due_at IS NOT NULL`,
  `CREATE INDEX payments_customer_id_id ON payments (customer_id, id) WHERE customer_id IS NOT NULL`,
  `CREATE INDEX provider_notifications_unknown_payment ON provider_notifications (shop_id, provider_transaction_id)
    WHERE payment_id IS NULL`,
  `CREATE INDEX idempotency_keys_payment_id ON idempotency_keys (payment_id) WHERE payment_id IS NOT NULL`,
];
