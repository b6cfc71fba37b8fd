import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * How many payments had a payment method that the shop's account does not have, the provider's facts about an
 * attempt's card, and when the provider of a shop is asked next for its account. A process of the version before counts
 * such a payment as declined, stores no card, and creates shops whose account is asked for later.
 */
export class UnusableMethods1764010220000 implements MigrationInterface {
  name = 'UnusableMethods1764010220000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    await createIndex(
      queryRunner,
      'shops_account_asked_next_at',
      'ON shops (account_asked_next_at) WHERE account_asked_next_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  'ALTER TABLE shop_outcomes ADD COLUMN IF NOT EXISTS unusable integer NOT NULL DEFAULT 0',
  'ALTER TABLE shop_outcome_hours ADD COLUMN IF NOT EXISTS unusable integer NOT NULL DEFAULT 0',
  'ALTER TABLE payment_attempts ADD COLUMN IF NOT EXISTS card jsonb',
  // null: the provider has answered; the default is for shops of earlier versions
  `ALTER TABLE shops ADD COLUMN IF NOT EXISTS account_asked_next_at timestamptz(3) DEFAULT 'epoch'`,
];

const DOWN = [
  'ALTER TABLE shops DROP COLUMN account_asked_next_at',
  'ALTER TABLE payment_attempts DROP COLUMN card',
  'ALTER TABLE shop_outcome_hours DROP COLUMN unusable',
  'ALTER TABLE shop_outcomes DROP COLUMN unusable',
];
