import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { retryLocks } from '../migration-locks.js';

/** Attempts that one transaction looks at. */
const BATCH = 5_000;

interface Position {
  payment_id: number;
  number: number;
}

/**
 * Gives a reference to every attempt that is there, and an operation to those that are not finished, so that recovery looks
 * at them. Their keys are the ones that the provider was told. In small transactions, each complete in itself: begun anew
 * after a crash it goes on. Others write meanwhile.
 */
export class OpenOperations1763830001000 implements MigrationInterface {
  name = 'OpenOperations1763830001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    const definition = 'ON payment_attempts (reference) WHERE reference IS NOT NULL';
    await createIndex(queryRunner, 'payment_attempts_reference_key', definition, 'UNIQUE INDEX');
    await walk(queryRunner, FILL_REFERENCES);
    await walk(queryRunner, OPEN_OPERATIONS);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX payment_attempts_reference_key');
  }
}

/** A batch whose rows somebody holds is rolled back and done again: what it had locked keeps nobody waiting meanwhile. */
async function walk(queryRunner: QueryRunner, statement: string): Promise<void> {
  for (let at: Position | undefined = { payment_id: 0, number: 0 }; at;) {
    const { payment_id: paymentId, number }: Position = at;
    at = await retryLocks(() => step(queryRunner, statement, [paymentId, number, BATCH]));
  }
}

async function step(queryRunner: QueryRunner, statement: string, values: number[]): Promise<Position | undefined> {
  await queryRunner.startTransaction();
  try {
    await queryRunner.query('SET LOCAL enable_seqscan = off');
    const rows = (await queryRunner.query(statement, values)) as Position[];
    await queryRunner.commitTransaction();
    return rows[0];
  } catch (error) {
    await queryRunner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

/** $1 payment and $2 number to start behind, $3 how many. Answers the last one, if there is any. */
const SEEN = `SELECT payment_id, number FROM batch ORDER BY payment_id DESC, number DESC LIMIT 1`;

const FILL_REFERENCES = `WITH batch AS MATERIALIZED (
    SELECT payment_id, number FROM payment_attempts WHERE (payment_id, number) > ($1, $2)
    ORDER BY payment_id, number LIMIT $3
  ), filled AS (
    UPDATE payment_attempts a SET reference = gen_random_uuid()::text FROM batch b
    WHERE a.payment_id = b.payment_id AND a.number = b.number AND a.reference IS NULL
  ) ${SEEN}`;

/** Due one after the other within five minutes, and not all at once. */
const OPEN_OPERATIONS = `WITH batch AS MATERIALIZED (
    SELECT payment_id, number, outcome, shop_id, reference, started_at FROM payment_attempts
    WHERE (payment_id, number) > ($1, $2) ORDER BY payment_id, number LIMIT $3
  ), opened AS (
    INSERT INTO provider_operations (merchant_id, shop_id, payment_id, attempt, kind, cause, idempotency_key, reference,
      amount, currency, state, next_try_at, created_at)
    SELECT p.merchant_id, b.shop_id, p.id, b.number, 'charge', 'payment', format('authorize-%s-%s', p.id, b.number),
      b.reference, p.amount, p.currency,
      CASE b.outcome WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'open' END,
      clock_timestamp() + random() * interval '5 minutes', b.started_at
    FROM batch b JOIN payments p ON p.id = b.payment_id
    WHERE p.status IN ('pending', 'processing') AND p.attempt = b.number
      AND (b.outcome IS NULL OR b.outcome IN ('processing', 'unknown'))
      AND NOT EXISTS (SELECT FROM provider_operations o
        WHERE o.payment_id = b.payment_id AND o.attempt = b.number AND o.kind = 'charge')
  ) ${SEEN}`;
