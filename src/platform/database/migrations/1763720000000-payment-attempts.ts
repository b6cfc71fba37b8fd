import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Attempts of payments with one shop after another, the decision they follow, and how shops have done lately. */
export class PaymentAttempts1763720000000 implements MigrationInterface {
  name = 'PaymentAttempts1763720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...ATTEMPTS, ...OUTCOMES]) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE shop_outages, shop_outcomes, payment_attempts');
    await queryRunner.query(`ALTER TABLE payments DROP COLUMN attempt, DROP COLUMN max_attempts,
      DROP COLUMN fallback_shop_ids, DROP COLUMN decision`);
  }
}

const ATTEMPTS = [
  // the attempt under way, and what may follow it; no fallbacks: NULL
  `ALTER TABLE payments
    ADD COLUMN attempt smallint NOT NULL DEFAULT 1,
    ADD COLUMN max_attempts smallint NOT NULL DEFAULT 1,
    ADD COLUMN fallback_shop_ids bigint[],
    ADD COLUMN decision json`,
  `CREATE TABLE payment_attempts (
    payment_id bigint NOT NULL,
    number smallint NOT NULL,
    shop_id bigint NOT NULL,
    provider text NOT NULL,
    provider_transaction_id text,
    outcome text CHECK (outcome IN ('approved', 'processing', 'declined', 'soft_declined', 'unavailable', 'unknown')),
    decline_code text,
    started_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    PRIMARY KEY (payment_id, number),
    CHECK ((outcome IS NULL) = (ended_at IS NULL))
  ) WITH (fillfactor = 80)`,
  // what a payment may have moved on from; the attempt under way is found through the payment itself
  `CREATE INDEX payment_attempts_shop_id_provider_transaction_id ON payment_attempts (shop_id, provider_transaction_id)
    WHERE outcome IN ('soft_declined', 'unavailable')`,
  `INSERT INTO payment_attempts (payment_id, number, shop_id, provider, provider_transaction_id, outcome, started_at, ended_at)
    SELECT p.id, 1, p.shop_id, p.payment_provider, p.provider_transaction_id, o.outcome, p.created_at,
      CASE WHEN o.outcome IS NOT NULL THEN p.updated_at END
    FROM payments p
    CROSS JOIN LATERAL (
      SELECT CASE p.status WHEN 'completed' THEN 'approved' WHEN 'refunded' THEN 'approved' WHEN 'failed' THEN 'declined'
        WHEN 'processing' THEN 'processing' END AS outcome
    ) o`,
];

const OUTCOMES = [
  // one row per minute and slot: outcomes at the same time seldom wait for each other's commit
  `CREATE TABLE shop_outcomes (
    shop_id bigint NOT NULL,
    minute timestamptz(0) NOT NULL,
    slot smallint NOT NULL,
    approved integer NOT NULL DEFAULT 0,
    declined integer NOT NULL DEFAULT 0,
    failed integer NOT NULL DEFAULT 0,
    PRIMARY KEY (shop_id, minute, slot)
  ) WITH (fillfactor = 50)`,
  `CREATE INDEX shop_outcomes_minute ON shop_outcomes (minute)`,
  `CREATE TABLE shop_outages (
    shop_id bigint PRIMARY KEY,
    began_at timestamptz(3) NOT NULL,
    last_fault_at timestamptz(3) NOT NULL,
    ended_at timestamptz(3)
  )`,
];
