import type { MigrationInterface, QueryRunner } from 'typeorm';
import { retryLocks } from '../migration-locks.js';

/**
 * Room for slots that name a connection, see docs/decisions/026-nobody-waits-in-company.md. A wider column would rewrite the
 * tables while every payment waits for them (seconds, where shops are many). So new tables take their names in an instant,
 * which older processes follow, and the rows come after: added to what was counted since, a batch at a time. Sums are too
 * small meanwhile. Begun anew after a crash it goes on.
 */
export class RowsPerConnection1763810000000 implements MigrationInterface {
  name = 'RowsPerConnection1763810000000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { table, swap, move } of TABLES) {
      const [found] = (await queryRunner.query(IS_NARROW, [table])) as object[];
      if (found) await queryRunner.query(swap);
      const [{ left }] = (await queryRunner.query(IS_LEFT, [`${table}_before`])) as [{ left: boolean }];
      if (left) await moveRows(queryRunner, table, move);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

async function moveRows(queryRunner: QueryRunner, table: string, move: string): Promise<void> {
  const step = async () => ((await queryRunner.query(move)) as object[]).length > 0;
  while (await retryLocks(step));
  await queryRunner.query(`DROP TABLE ${table}_before`);
}

/** $1 table. */
const IS_NARROW = `SELECT FROM pg_attribute
  WHERE attrelid = to_regclass($1) AND attname = 'slot' AND atttypid = 'smallint'::regtype`;

/** $1 table. */
const IS_LEFT = 'SELECT to_regclass($1) IS NOT NULL AS left';

/** Rows of one statement; whoever counts in one of them waits for it. In the order in which others lock theirs. */
const BATCH = 2_000;

/** `swap` is one message, and so one transaction. */
const TABLES = [
  {
    table: 'webhook_shop_counters',
    swap: `ALTER TABLE webhook_shop_counters RENAME TO webhook_shop_counters_before;
      ALTER INDEX webhook_shop_counters_pkey RENAME TO webhook_shop_counters_before_pkey;
      CREATE TABLE webhook_shop_counters (
        shop_id bigint NOT NULL,
        slot bigint NOT NULL,
        payments bigint NOT NULL DEFAULT 0,
        payments_with_webhooks bigint NOT NULL DEFAULT 0,
        PRIMARY KEY (shop_id, slot)
      ) WITH (fillfactor = 50)`,
    move: `WITH taken AS (
        DELETE FROM webhook_shop_counters_before WHERE (shop_id, slot) IN (
          SELECT shop_id, slot FROM webhook_shop_counters_before ORDER BY shop_id, slot LIMIT ${BATCH}) RETURNING *
      )
      INSERT INTO webhook_shop_counters AS c (shop_id, slot, payments, payments_with_webhooks)
      SELECT shop_id, slot, payments, payments_with_webhooks FROM taken ORDER BY shop_id, slot
      ON CONFLICT (shop_id, slot) DO UPDATE SET payments = c.payments + excluded.payments,
        payments_with_webhooks = c.payments_with_webhooks + excluded.payments_with_webhooks
      RETURNING 1 AS moved`,
  },
  {
    table: 'shop_outcomes',
    swap: `ALTER TABLE shop_outcomes RENAME TO shop_outcomes_before;
      ALTER INDEX shop_outcomes_pkey RENAME TO shop_outcomes_before_pkey;
      ALTER INDEX shop_outcomes_minute RENAME TO shop_outcomes_before_minute;
      CREATE TABLE shop_outcomes (
        shop_id bigint NOT NULL,
        minute timestamptz(0) NOT NULL,
        slot bigint NOT NULL,
        approved integer NOT NULL DEFAULT 0,
        declined integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        PRIMARY KEY (shop_id, minute, slot)
      ) WITH (fillfactor = 50);
      CREATE INDEX shop_outcomes_minute ON shop_outcomes (minute)`,
    move: `WITH taken AS (
        DELETE FROM shop_outcomes_before WHERE (shop_id, minute, slot) IN (
          SELECT shop_id, minute, slot FROM shop_outcomes_before ORDER BY shop_id, minute, slot LIMIT ${BATCH}) RETURNING *
      )
      INSERT INTO shop_outcomes AS o (shop_id, minute, slot, approved, declined, failed)
      SELECT shop_id, minute, slot, approved, declined, failed FROM taken ORDER BY shop_id, minute, slot
      ON CONFLICT (shop_id, minute, slot) DO UPDATE SET approved = o.approved + excluded.approved,
        declined = o.declined + excluded.declined, failed = o.failed + excluded.failed
      RETURNING 1 AS moved`,
  },
];

const DOWN = [
  `CREATE TEMPORARY TABLE sums ON COMMIT DROP AS
    SELECT shop_id, sum(payments) AS payments, sum(payments_with_webhooks) AS payments_with_webhooks
    FROM webhook_shop_counters GROUP BY shop_id`,
  'DELETE FROM webhook_shop_counters',
  'ALTER TABLE webhook_shop_counters ALTER COLUMN slot TYPE smallint',
  'INSERT INTO webhook_shop_counters SELECT shop_id, 0, payments, payments_with_webhooks FROM sums',
  // an hour's memory of how shops do; it fills again
  'DELETE FROM shop_outcomes',
  'ALTER TABLE shop_outcomes ALTER COLUMN slot TYPE smallint',
];
