import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Attempts that processes of the version before `provider_operations` insert, while some of them still run: known by the
 * reference that they do not give. The transaction that inserts one puts its charge on record, under the key that those
 * processes tell the provider, so that recovery knows it. For other attempts nothing is done but that one comparison. What
 * was inserted between the migration that opened operations and this one is put on record by it; that reads payments once
 * and keeps nobody from writing. May be begun anew.
 */
export class AttemptsOfOlderProcesses1763880000000 implements MigrationInterface {
  name = 'AttemptsOfOlderProcesses1763880000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/** The end of an INSERT for `b`, an attempt, and its payment `p`. Five minutes: by then no process of that version waits. */
const CHARGE_OF = `(merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference, amount, currency,
      state, next_try_at, created_at)
    SELECT p.merchant_id, b.shop_id, p.id, b.number, 'charge', 'payment', format('authorize-%s-%s', p.id, b.number),
      b.reference, p.amount, p.currency,
      CASE b.outcome WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'open' END,
      clock_timestamp() + interval '5 minutes', b.started_at`;

const UP = [
  // both or none, in one message and so in one transaction
  `CREATE OR REPLACE FUNCTION put_attempt_on_record() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      UPDATE payment_attempts SET reference = gen_random_uuid()::text
        WHERE payment_id = NEW.payment_id AND number = NEW.number;
      INSERT INTO provider_operations ${CHARGE_OF}
        FROM payment_attempts b JOIN payments p ON p.id = b.payment_id
        WHERE b.payment_id = NEW.payment_id AND b.number = NEW.number AND p.status IN ('pending', 'processing');
      RETURN NULL;
    END $$;
  ALTER TABLE payment_attempts ALTER COLUMN reference DROP DEFAULT;
  CREATE OR REPLACE TRIGGER put_attempt_on_record AFTER INSERT ON payment_attempts
    FOR EACH ROW WHEN (NEW.reference IS NULL) EXECUTE FUNCTION put_attempt_on_record()`,
  `INSERT INTO provider_operations ${CHARGE_OF}
    FROM payments p JOIN payment_attempts b ON b.payment_id = p.id AND b.number = p.attempt
    WHERE p.status IN ('pending', 'processing') AND (b.outcome IS NULL OR b.outcome IN ('processing', 'unknown'))
      AND NOT EXISTS (SELECT FROM provider_operations o
        WHERE o.payment_id = p.id AND o.attempt = b.number AND o.kind = 'charge')`,
];

const DOWN = [
  `DROP TRIGGER put_attempt_on_record ON payment_attempts;
  DROP FUNCTION put_attempt_on_record();
  ALTER TABLE payment_attempts ALTER COLUMN reference SET DEFAULT gen_random_uuid()::text`,
];
