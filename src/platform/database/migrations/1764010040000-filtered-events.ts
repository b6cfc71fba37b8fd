import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * The indexes that `GET /events` reads the events of one shop and of some types by: without them a filter that nothing
 * matches reads all that it leaves out. Made while others read and write. `webhook_events_in_order` is for processes of the
 * version before; the version after this one drops it.
 */
export class FilteredEvents1764010040000 implements MigrationInterface {
  name = 'FilteredEvents1764010040000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES)) await createIndex(queryRunner, name, definition);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await queryRunner.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  payment_status_changes_of_shop_in_order:
    'ON payment_status_changes (merchant_id, shop_id, event_position, id) WHERE event_position IS NOT NULL',
  webhook_events_of_type_in_order: 'ON webhook_events (merchant_id, type, event_position, id)',
  webhook_events_of_shop_in_order: 'ON webhook_events (merchant_id, shop_id, type, event_position, id)',
};
