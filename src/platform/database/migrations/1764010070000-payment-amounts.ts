import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/** Payments per statement of the backfill: its row locks last about ten milliseconds, those of 5,000 rows 200 ms. */
const BATCH = 200;

/**
 * Amounts of a payment: authorised, captured, refunded. Old rows get the amounts that their status implies, in small
 * transactions. The trigger does the same for processes of the version before, which write the status only; it can be
 * dropped with the next version. If the migration is interrupted, it continues when it runs again.
 */
export class PaymentAmounts1764010070000 implements MigrationInterface {
  name = 'PaymentAmounts1764010070000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payments
        ADD COLUMN IF NOT EXISTS capture text NOT NULL DEFAULT 'automatic',
        ADD COLUMN IF NOT EXISTS amount_authorized numeric(19, 4) NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS amount_captured numeric(19, 4) NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS amount_refunded numeric(19, 4) NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS capture_before timestamptz(3)`,
    );
    await queryRunner.query(
      `CREATE OR REPLACE FUNCTION amounts_of_status() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          NEW.amount_authorized := greatest(NEW.amount_authorized, NEW.amount);
          IF NEW.amount_captured = 0 THEN NEW.amount_captured := NEW.amount; END IF;
          IF NEW.status = 'refunded' THEN NEW.amount_refunded := NEW.amount_captured; END IF;
          RETURN NEW;
        END $$`,
    );
    await queryRunner.query(
      `CREATE OR REPLACE TRIGGER payments_amounts_of_status BEFORE UPDATE OF status ON payments FOR EACH ROW
        WHEN (NEW.status IN ('completed', 'refunded') AND NEW.amount_captured = 0
          OR NEW.status = 'refunded' AND NEW.amount_refunded < NEW.amount_captured)
        EXECUTE FUNCTION amounts_of_status()`,
    );
    await this.backfill(queryRunner);
    await queryRunner.query('ALTER TABLE payments DROP CONSTRAINT IF EXISTS payments_amounts');
    await queryRunner.query(
      `ALTER TABLE payments ADD CONSTRAINT payments_amounts CHECK (capture IN ('automatic', 'manual')
        AND 0 <= amount_refunded AND amount_refunded <= amount_captured AND amount_captured <= amount_authorized) NOT VALID`,
    );
    await queryRunner.query('ALTER TABLE payments VALIDATE CONSTRAINT payments_amounts');
    await createIndex(
      queryRunner,
      'payments_capture_before',
      `ON payments (capture_before) WHERE status = 'processing' AND capture_before IS NOT NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER payments_amounts_of_status ON payments');
    await queryRunner.query('DROP FUNCTION amounts_of_status()');
    await queryRunner.query(
      `ALTER TABLE payments DROP COLUMN capture, DROP COLUMN amount_authorized, DROP COLUMN amount_captured,
        DROP COLUMN amount_refunded, DROP COLUMN capture_before`,
    );
  }

  private async backfill(queryRunner: QueryRunner): Promise<void> {
    const [newest] = (await queryRunner.query('SELECT max(id) AS id FROM payments')) as { id: string | null }[];
    for (let from = 0; from < Number(newest?.id); from += BATCH) {
      await queryRunner.query(
        `UPDATE payments SET amount_authorized = amount, amount_captured = amount,
            amount_refunded = CASE status WHEN 'refunded' THEN amount ELSE 0 END
          WHERE id > $1 AND id <= $2 AND status IN ('completed', 'refunded') AND amount_captured = 0`,
        [from, from + BATCH],
      );
    }
  }
}
