import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Accounts of shops at their providers, and what a payment carries of its payer's payment method. A process of the
 * version before inserts neither: its shops have the label `default`, so a token goes to all of them as it did before.
 */
export class PaymentMethods1764010200000 implements MigrationInterface {
  name = 'PaymentMethods1764010200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  // provider_account: the label that requests use; provider_account_id: the provider's own id, null: unknown
  `ALTER TABLE shops ADD COLUMN provider_account text NOT NULL DEFAULT 'default', ADD COLUMN provider_account_id text,
    ADD COLUMN accepts_any_token boolean NOT NULL DEFAULT false`,
  'ALTER TABLE payments ADD COLUMN payment_method jsonb',
];

const DOWN = [
  'ALTER TABLE payments DROP COLUMN payment_method',
  `ALTER TABLE shops DROP COLUMN accepts_any_token, DROP COLUMN provider_account_id, DROP COLUMN provider_account`,
];
