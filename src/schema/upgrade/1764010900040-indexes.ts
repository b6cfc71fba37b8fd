import type { QueryRunner } from 'typeorm';
import { create, createOnline, dropIndexes, replaceIndex } from './online.js';
import { Step } from './step.js';

/**
 * Fewer index entries for each payment. One index has the payments of a flow: a status walks it. History is read by payment
 * or in the order of events, so its key begins with the payment; only events from before positions existed are read by id,
 * and a new database has none. Ended deliveries have no due time. A payment without the provider's transaction id has no
 * entry in the index of these ids.
 */
export class Indexes1764010900040 extends Step {
  readonly name = 'Indexes1764010900040';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'payments_flow_id_id', 'webhook_lanes_shop_id_id', 'failing_endpoints_endpoint_id');
    await createOnline(queryRunner, UNPLACED);
    await this.keyOfHistory(queryRunner);
    await replaceIndex(queryRunner, 'payments_shop_id_provider_transaction_id_key', 'IS NOT NULL');
    await dropIndexes(queryRunner, ...UNUSED);
  }

  /** Replaces the primary key; the lock of the table is held for an instant. */
  private async keyOfHistory(queryRunner: QueryRunner): Promise<void> {
    const [key] = (await queryRunner.query(
      `SELECT pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conname = 'payment_status_changes_pkey'`,
    )) as { definition: string }[];
    if (key?.definition === 'PRIMARY KEY (payment_id, id)') return;
    await createOnline(
      queryRunner,
      'CREATE UNIQUE INDEX payment_status_changes_key ON payment_status_changes (payment_id, id)',
    );
    await queryRunner.query(
      `ALTER TABLE payment_status_changes DROP CONSTRAINT IF EXISTS payment_status_changes_pkey,
        ADD CONSTRAINT payment_status_changes_pkey PRIMARY KEY USING INDEX payment_status_changes_key`,
    );
  }
}

const UNPLACED =
  'CREATE INDEX payment_status_changes_unplaced ON payment_status_changes (id) WHERE event_position IS NULL';

const UNUSED = [
  'payments_flow_id_status_id',
  'payments_flow_id_created_at_id',
  'payment_status_changes_payment_id_id',
  'webhook_deliveries_due',
  // read by versions before 03ffeb28
  'webhook_events_in_order',
];
