import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * What the last hours came to, kept as counts: of shops and of endpoints by the hour, of a merchant's deliveries by the
 * minute (docs/decisions/041-counts-of-the-last-hours.md). They begin empty; processes of the version before write none of
 * it. Changes the catalog alone.
 */
export class HourlyOutcomes1763950000000 implements MigrationInterface {
  name = 'HourlyOutcomes1763950000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE shop_outcome_hours, endpoint_hours, endpoint_errors, delivery_minutes');
  }
}

/**
 * Finds what is open of one merchant, however much others have. Begun anew after a crash it goes on. Others write meanwhile.
 */
export class OpenOfAMerchant1763950001000 implements MigrationInterface {
  name = 'OpenOfAMerchant1763950001000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of INDEXES) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const [name] of INDEXES) await queryRunner.query(`DROP INDEX ${name}`);
  }
}

const TABLES = [
  // the minutes of `shop_outcomes` once they are over, put together
  `CREATE TABLE shop_outcome_hours (
    shop_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    approved integer NOT NULL,
    declined integer NOT NULL,
    failed integer NOT NULL,
    PRIMARY KEY (shop_id, hour)
  ) WITH (fillfactor = 70)`,
  'CREATE INDEX shop_outcome_hours_hour ON shop_outcome_hours (hour)',
  // `answer_times`: how many answers took how long, by the classes of answer-times.ts
  `CREATE TABLE endpoint_hours (
    lane_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    attempts integer NOT NULL,
    delivered integer NOT NULL,
    failed integer NOT NULL,
    answer_times integer[] NOT NULL,
    PRIMARY KEY (lane_id, hour)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX endpoint_hours_hour ON endpoint_hours (hour)',
  `CREATE TABLE endpoint_errors (
    lane_id bigint NOT NULL,
    hour timestamptz(0) NOT NULL,
    code text NOT NULL,
    attempts integer NOT NULL,
    last_at timestamptz(3) NOT NULL,
    last_delivery_id bigint NOT NULL,
    PRIMARY KEY (lane_id, hour, code)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX endpoint_errors_hour ON endpoint_errors (hour)',
  `CREATE TABLE delivery_minutes (
    merchant_id bigint NOT NULL,
    minute timestamptz(0) NOT NULL,
    delivered integer NOT NULL,
    retried integer NOT NULL,
    failed integer NOT NULL,
    PRIMARY KEY (merchant_id, minute)
  ) WITH (fillfactor = 50)`,
  'CREATE INDEX delivery_minutes_minute ON delivery_minutes (minute)',
];

const INDEXES = [
  [
    'provider_operations_open_of_merchant',
    `ON provider_operations (merchant_id, created_at) WHERE state IN ('open', 'pending', 'unknown')`,
  ],
  ['failing_endpoints_merchant_id', 'ON failing_endpoints (merchant_id)'],
] as const;
