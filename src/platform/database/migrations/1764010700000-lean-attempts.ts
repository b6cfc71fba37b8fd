import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/** Attempts per statement of the backfill. */
const BATCH = 2_000;

/**
 * The outcome of an attempt changes no column that an index names, so its update writes no index entry (HOT). An attempt
 * whose payment may go on at another shop is found by `left_transaction_id`, and declines are counted from their start.
 * The trigger fills the column for every statement that ends attempts, also for those of processes of the version before.
 */
export class LeanAttempts1764010700000 implements MigrationInterface {
  name = 'LeanAttempts1764010700000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE payment_attempts ADD COLUMN IF NOT EXISTS left_transaction_id text`);
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION name_left_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.left_transaction_id := NEW.provider_transaction_id;
          RETURN NEW;
        END $$`,
    );
    await queryRunner.query(
      `CREATE OR REPLACE TRIGGER payment_attempts_name_left BEFORE UPDATE OF outcome, provider_transaction_id ON payment_attempts FOR EACH ROW
        WHEN (NEW.outcome IN ('soft_declined', 'unavailable')) EXECUTE FUNCTION name_left_transaction()`,
    );
    await this.backfill(queryRunner);
    await createIndex(
      queryRunner,
      'payment_attempts_left_transaction_id',
      'ON payment_attempts (shop_id, left_transaction_id) WHERE left_transaction_id IS NOT NULL',
    );
    await createIndex(
      queryRunner,
      'payment_attempts_declines_by_start',
      'ON payment_attempts (shop_id, started_at DESC) INCLUDE (decline_code) WHERE decline_code IS NOT NULL',
    );
    await withoutLockLimit(queryRunner, async () => {
      for (const name of REPLACED) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX payment_attempts_shop_id_provider_transaction_id ON payment_attempts (shop_id, provider_transaction_id)
        WHERE outcome IN ('soft_declined', 'unavailable')`,
    );
    await queryRunner.query(
      `CREATE INDEX payment_attempts_declines ON payment_attempts (shop_id, ended_at DESC) INCLUDE (decline_code)
        WHERE decline_code IS NOT NULL`,
    );
    await queryRunner.query('DROP INDEX payment_attempts_declines_by_start');
    await queryRunner.query('DROP TRIGGER payment_attempts_name_left ON payment_attempts');
    await queryRunner.query('DROP FUNCTION name_left_transaction()');
    await queryRunner.query('ALTER TABLE payment_attempts DROP COLUMN left_transaction_id');
  }

  private async backfill(queryRunner: QueryRunner): Promise<void> {
    const [newest] = (await queryRunner.query('SELECT max(payment_id) AS id FROM payment_attempts')) as {
      id: string | null;
    }[];
    for (let from = 0; from < Number(newest?.id); from += BATCH) {
      await queryRunner.query(
        `UPDATE payment_attempts SET left_transaction_id = provider_transaction_id
          WHERE payment_id > $1 AND payment_id <= $2 AND outcome IN ('soft_declined', 'unavailable')
            AND left_transaction_id IS NULL AND provider_transaction_id IS NOT NULL`,
        [from, from + BATCH],
      );
    }
  }
}

const REPLACED = ['payment_attempts_shop_id_provider_transaction_id', 'payment_attempts_declines'];
