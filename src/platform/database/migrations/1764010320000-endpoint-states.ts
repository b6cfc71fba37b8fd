import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Parked deliveries of endpoints that are not active, and redelivery when an endpoint answers again. A job for one endpoint
 * has its id in `lane_id` and no shop; a process of the version before finds nothing for it and ends it.
 */
export class EndpointStates1764010320000 implements MigrationInterface {
  name = 'EndpointStates1764010320000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    for (const [name, definition] of Object.entries(INDEXES)) await createIndex(queryRunner, name, definition);
    await createIndex(
      queryRunner,
      'webhook_redeliveries_lane_id_filter_hash_key',
      'ON webhook_redeliveries (lane_id, filter_hash) WHERE lane_id IS NOT NULL',
      'UNIQUE INDEX',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  // true: a process of the version before does not tell whether a delivery failed for good
  'ALTER TABLE failing_endpoints ADD COLUMN IF NOT EXISTS has_failed boolean NOT NULL DEFAULT true',
  'ALTER TABLE webhook_lanes ADD COLUMN IF NOT EXISTS answered_at timestamptz(3)',
  `UPDATE webhook_lanes l SET answered_at = h.hour
    FROM (SELECT lane_id, min(hour) AS hour FROM endpoint_hours WHERE delivered > 0 GROUP BY lane_id) h
    WHERE l.id = h.lane_id AND l.answered_at IS NULL`,
  `ALTER TABLE webhook_redeliveries ADD COLUMN IF NOT EXISTS failed_from timestamptz NOT NULL DEFAULT '-infinity',
    ADD COLUMN IF NOT EXISTS max_runs smallint`,
  'ALTER TABLE webhook_endpoints ADD COLUMN IF NOT EXISTS is_ended boolean NOT NULL DEFAULT false',
];

const INDEXES = {
  // the parked deliveries of each lane, oldest first
  pending_deliveries_parked_lane_id_id: `ON pending_deliveries (lane_id, id) WHERE due_at = 'infinity'`,
  // endpoints that may have deliveries to park or to end
  webhook_endpoints_stopped_id: `ON webhook_endpoints (id) WHERE status <> 'active' AND NOT is_ended`,
};

const DOWN = [
  'DROP INDEX pending_deliveries_parked_lane_id_id',
  `DELETE FROM webhook_redeliveries WHERE lane_id IS NOT NULL OR status = 'pending'`,
  'DROP INDEX webhook_redeliveries_lane_id_filter_hash_key',
  'ALTER TABLE webhook_endpoints DROP COLUMN is_ended',
  'ALTER TABLE webhook_redeliveries DROP COLUMN failed_from, DROP COLUMN max_runs',
  'ALTER TABLE webhook_lanes DROP COLUMN answered_at',
  'ALTER TABLE failing_endpoints DROP COLUMN has_failed',
];
