import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Disputes of the sandbox, its failing captures and refunds, and its refused voids. A process of the version before does
 * not know these: it shows a failing capture or refund as done. If the migration is interrupted, it continues when it
 * runs again.
 */
export class SandboxDashboard1764010120000 implements MigrationInterface {
  name = 'SandboxDashboard1764010120000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE sandbox_transactions
        ADD COLUMN IF NOT EXISTS fails text,
        ADD COLUMN IF NOT EXISTS refuses_voids boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query('ALTER TABLE sandbox_refunds ADD COLUMN IF NOT EXISTS fails_at timestamptz(3)');
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS sandbox_disputes (
        id text PRIMARY KEY,
        reference text NOT NULL,
        kind text NOT NULL,
        status text NOT NULL,
        amount numeric NOT NULL CHECK (amount > 0),
        reason_code text NOT NULL,
        network_reason_code text,
        evidence_due_by timestamptz(3) NOT NULL,
        opened_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL
      )`,
    );
    await createIndex(queryRunner, 'sandbox_disputes_reference', 'ON sandbox_disputes (reference)');
    await createIndex(queryRunner, 'sandbox_transactions_transaction_id', 'ON sandbox_transactions (transaction_id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX sandbox_transactions_transaction_id');
    await queryRunner.query('DROP TABLE sandbox_disputes');
    await queryRunner.query('ALTER TABLE sandbox_refunds DROP COLUMN fails_at');
    await queryRunner.query('ALTER TABLE sandbox_transactions DROP COLUMN fails, DROP COLUMN refuses_voids');
  }
}
