import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/**
 * Indexes that this version does not use.
 * - A payment without the provider's transaction id has no entry in the index of these ids.
 * - Processes of the version before read the other ones, of which nearly every row has no entry, each second. So only a new
 *   database goes without them; in others the next version drops them.
 * - If the migration is interrupted, it continues when it runs again.
 */
export class UnusedIndexes1764010756000 implements MigrationInterface {
  name = 'UnusedIndexes1764010756000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.leaveOutUnknownIds(queryRunner);
    const payments = (await queryRunner.query('SELECT id FROM payments LIMIT 1')) as object[];
    if (payments.length > 0) return;
    await withoutLockLimit(queryRunner, async () => {
      for (const name of Object.keys(UNUSED)) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(UNUSED))
      await queryRunner.query(`CREATE INDEX IF NOT EXISTS ${name} ${definition}`);
    await queryRunner.query(`DROP INDEX ${TRANSACTION_KEY}`);
    await queryRunner.query(`CREATE UNIQUE INDEX ${TRANSACTION_KEY} ${TRANSACTIONS}`);
  }

  /** Replaces the index under its name, which errors have. Between its two statements the lock is held for an instant. */
  private async leaveOutUnknownIds(queryRunner: QueryRunner): Promise<void> {
    const done = (await queryRunner.query(
      `SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indpred IS NOT NULL`,
      [TRANSACTION_KEY],
    )) as object[];
    if (done.length > 0) return;
    const known = `${TRANSACTIONS} WHERE provider_transaction_id IS NOT NULL`;
    await createIndex(queryRunner, NEW_TRANSACTION_KEY, known, 'UNIQUE INDEX');
    await queryRunner.query(
      `DO $$ BEGIN
        DROP INDEX ${TRANSACTION_KEY};
        ALTER INDEX ${NEW_TRANSACTION_KEY} RENAME TO ${TRANSACTION_KEY};
      END $$`,
    );
  }
}

const TRANSACTION_KEY = 'payments_shop_id_provider_transaction_id_key';
const NEW_TRANSACTION_KEY = 'payments_known_transaction_id_key';
const TRANSACTIONS = 'ON payments (shop_id, provider_transaction_id)';

const UNUSED = {
  customers_erasure_due_at: 'ON customers (erasure_due_at) WHERE erasure_due_at IS NOT NULL',
  payment_attempts_look_up_at: 'ON payment_attempts (look_up_at) WHERE look_up_at IS NOT NULL',
  payments_capture_before: `ON payments (capture_before) WHERE status = 'processing' AND capture_before IS NOT NULL`,
  provider_operations_next_try_at: 'ON provider_operations (next_try_at) WHERE next_try_at IS NOT NULL',
  payment_status_changes_unplaced: 'ON payment_status_changes (id) WHERE event_position IS NULL',
};
