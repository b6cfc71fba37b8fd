import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Captures and refunds in the sandbox's ledger. An authorised transaction stays `open` in `status`, so processes
 * of the version before void it correctly; `authorized_at` says since when it is authorised. If the migration is
 * interrupted, it continues when it runs again.
 */
export class SandboxCaptures1764010100000 implements MigrationInterface {
  name = 'SandboxCaptures1764010100000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE sandbox_transactions
        ADD COLUMN IF NOT EXISTS authorized_at timestamptz(3),
        ADD COLUMN IF NOT EXISTS capture_before timestamptz(3),
        ADD COLUMN IF NOT EXISTS captures text,
        ADD COLUMN IF NOT EXISTS captured numeric`,
    );
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS sandbox_refunds (
        id text PRIMARY KEY,
        reference text NOT NULL,
        idempotency_key text UNIQUE,
        amount numeric NOT NULL CHECK (amount > 0),
        settles_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
      )`,
    );
    await createIndex(queryRunner, 'sandbox_refunds_reference', 'ON sandbox_refunds (reference)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sandbox_refunds');
    await queryRunner.query(
      `ALTER TABLE sandbox_transactions DROP COLUMN authorized_at, DROP COLUMN capture_before, DROP COLUMN captures,
        DROP COLUMN captured`,
    );
  }
}
