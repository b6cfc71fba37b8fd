import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/**
 * Fewer index entries for each payment. One index has the payments of a flow: a status walks it. History is read by payment
 * or in the order of events, so its key begins with the payment; only events from before positions existed are read by id.
 * Ended deliveries have no due time.
 */
export class LeanIndexes1764010701000 implements MigrationInterface {
  name = 'LeanIndexes1764010701000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'payments_flow_id_id', 'ON payments (flow_id, id)');
    await createIndex(
      queryRunner,
      'payment_status_changes_unplaced',
      'ON payment_status_changes (id) WHERE event_position IS NULL',
    );
    await this.keyOfHistory(queryRunner);
    for (const name of Object.keys(BEFORE)) await dropIndex(queryRunner, name);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE payment_status_changes DROP CONSTRAINT payment_status_changes_pkey,
        ADD CONSTRAINT payment_status_changes_pkey PRIMARY KEY (id)`,
    );
    for (const [name, definition] of Object.entries(BEFORE))
      await queryRunner.query(`CREATE INDEX ${name} ${definition}`);
    await queryRunner.query('DROP INDEX payments_flow_id_id, payment_status_changes_unplaced');
  }

  /** Replaces the primary key; the lock of the table is held for an instant. */
  private async keyOfHistory(queryRunner: QueryRunner): Promise<void> {
    const [key] = (await queryRunner.query(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'payment_status_changes_pkey'`,
    )) as { definition: string }[];
    if (key?.definition === 'PRIMARY KEY (payment_id, id)') return;
    await createIndex(
      queryRunner,
      'payment_status_changes_key',
      'ON payment_status_changes (payment_id, id)',
      'UNIQUE INDEX',
    );
    await queryRunner.query(
      `ALTER TABLE payment_status_changes DROP CONSTRAINT IF EXISTS payment_status_changes_pkey,
        ADD CONSTRAINT payment_status_changes_pkey PRIMARY KEY USING INDEX payment_status_changes_key`,
    );
  }
}

const BEFORE = {
  payments_flow_id_status_id: 'ON payments (flow_id, status, id)',
  payments_flow_id_created_at_id: 'ON payments (flow_id, created_at, id)',
  payment_status_changes_payment_id_id: 'ON payment_status_changes (payment_id, id)',
  webhook_deliveries_due: `ON webhook_deliveries (lane_id, next_attempt_at, id) WHERE status = 'pending'`,
};

const dropIndex = (queryRunner: QueryRunner, name: string): Promise<void> =>
  withoutLockLimit(queryRunner, async () => {
    await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  });
