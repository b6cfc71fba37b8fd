import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Notifications that wait for what makes them legal, and those that contradict one with the same id; payments are found by
 * the merchant's session id; a shop's credentials before the last change verify notifications for a while. Begun anew after
 * a crash it goes on. Others write meanwhile, and what older processes write stays right.
 */
export class WaitingNotifications1763850000000 implements MigrationInterface {
  name = 'WaitingNotifications1763850000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of COLUMNS) await queryRunner.query(statement);
    await createIndex(queryRunner, ...VARIANTS, 'UNIQUE INDEX');
    await queryRunner.query(TAKE_OVER_NAME);
    for (const [name, definition] of INDEXES) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const COLUMNS = [
  // under the lock of the payment: something of it waits, so that who knows nothing of it must look
  'ALTER TABLE payments ADD COLUMN IF NOT EXISTS has_waiting_notifications boolean NOT NULL DEFAULT false',
  `ALTER TABLE provider_notifications ADD COLUMN IF NOT EXISTS attempt smallint, ADD COLUMN IF NOT EXISTS reference text,
    ADD COLUMN IF NOT EXISTS amount text, ADD COLUMN IF NOT EXISTS currency text,
    ADD COLUMN IF NOT EXISTS decline_code text, ADD COLUMN IF NOT EXISTS operation_id text,
    ADD COLUMN IF NOT EXISTS fingerprint text, ADD COLUMN IF NOT EXISTS variant text NOT NULL DEFAULT '',
    ADD COLUMN IF NOT EXISTS look_at timestamptz(3), ALTER COLUMN provider_transaction_id DROP NOT NULL`,
  `ALTER TABLE provider_notifications DROP CONSTRAINT provider_notifications_outcome_check,
    ADD CONSTRAINT provider_notifications_outcome_check
      CHECK (outcome IN ('applied', 'ignored', 'waiting', 'conflict', 'alarm')) NOT VALID`,
  `ALTER TABLE shops ADD COLUMN IF NOT EXISTS previous_provider_credentials bytea,
    ADD COLUMN IF NOT EXISTS previous_provider_credentials_expires_at timestamptz`,
];

/** Of the same id, other contents are told apart by their fingerprint; '' is the first. */
const VARIANTS = [
  'provider_notifications_variant',
  'ON provider_notifications (shop_id, provider, notification_id, variant)',
] as const;

/** The name stays: older processes insert by it. */
const TAKE_OVER_NAME = `ALTER TABLE provider_notifications DROP CONSTRAINT provider_notifications_key,
    ADD CONSTRAINT provider_notifications_key UNIQUE USING INDEX provider_notifications_variant`;

const INDEXES = [
  ['provider_notifications_look_at', `ON provider_notifications (look_at) WHERE outcome = 'waiting'`],
  [
    'provider_notifications_unknown',
    `ON provider_notifications (shop_id, provider_transaction_id) WHERE outcome = 'waiting' AND payment_id IS NULL`,
  ],
  ['payments_merchant_id_payment_session_id_id', 'ON payments (merchant_id, payment_session_id, id)'],
] as const;

const DOWN = [
  'DROP INDEX payments_merchant_id_payment_session_id_id',
  `DELETE FROM provider_notifications WHERE variant <> '' OR provider_transaction_id IS NULL`,
  `UPDATE provider_notifications SET outcome = 'ignored' WHERE outcome IN ('waiting', 'alarm')`,
  `ALTER TABLE provider_notifications DROP CONSTRAINT provider_notifications_key, DROP CONSTRAINT provider_notifications_outcome_check,
    ADD CONSTRAINT provider_notifications_outcome_check CHECK (outcome IN ('applied', 'ignored')),
    DROP COLUMN attempt, DROP COLUMN reference, DROP COLUMN amount, DROP COLUMN currency, DROP COLUMN decline_code,
    DROP COLUMN operation_id, DROP COLUMN fingerprint, DROP COLUMN variant, DROP COLUMN look_at,
    ALTER COLUMN provider_transaction_id SET NOT NULL,
    ADD CONSTRAINT provider_notifications_key UNIQUE (shop_id, provider, notification_id)`,
  'ALTER TABLE payments DROP COLUMN has_waiting_notifications',
  `ALTER TABLE shops DROP COLUMN previous_provider_credentials, DROP COLUMN previous_provider_credentials_expires_at`,
];
