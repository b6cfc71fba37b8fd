import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { pushEvents } from './push-events.js';

/**
 * Standing endpoints of merchants, and deliveries to them. A standing endpoint has a lane for each origin that it had; a
 * process of the version before finds no such lane and sends nothing to it. Deliveries of one change share a body
 * (`body_id`; null: the body has the delivery's own id). An event without a payment or a shop can be delivered too.
 */
export class StandingEndpoints1764010300000 implements MigrationInterface {
  name = 'StandingEndpoints1764010300000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    for (const [name, definition] of Object.entries(INDEXES)) await createIndex(queryRunner, name, definition);
    await createIndex(
      queryRunner,
      'webhook_lanes_endpoint_id_origin_key',
      'ON webhook_lanes (endpoint_id, origin) WHERE endpoint_id IS NOT NULL',
      'UNIQUE INDEX',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const DELIVERY_TABLES = ['pending_deliveries', 'webhook_deliveries'] as const;

/** Every delivery, pending or ended; a body that is gone with its partition reads as erased. */
const allDeliveries = (columns: string, bodyId: string): string => `CREATE OR REPLACE VIEW all_deliveries AS
  SELECT d.id, d.merchant_id, d.shop_id, d.lane_id, d.payment_id, d.event, d.payment_status, d.webhook_endpoint,
    coalesce((SELECT b.body FROM webhook_bodies b WHERE b.day = d.body_day AND b.delivery_id = ${bodyId}), '') AS request_body,
    'pending' AS status, d.attempts, d.attempts_in_run, d.due_at AS next_attempt_at, d.claimed_until, d.last_status_code,
    d.last_error, d.created_at, d.last_attempt_at, NULL::timestamptz AS delivered_at${columns}
  FROM pending_deliveries d
  UNION ALL
  SELECT d.id, d.merchant_id, d.shop_id, d.lane_id, d.payment_id, d.event, d.payment_status, d.webhook_endpoint,
    CASE WHEN d.body_day IS NULL THEN d.request_body ELSE
      coalesce((SELECT b.body FROM webhook_bodies b WHERE b.day = d.body_day AND b.delivery_id = ${bodyId}), '') END,
    d.status, d.attempts, d.attempts_in_run, d.next_attempt_at, d.claimed_until, d.last_status_code,
    d.last_error, d.created_at, d.last_attempt_at, d.delivered_at${columns}
  FROM webhook_deliveries d`;

const UP = [
  // ids come from the lanes, so that an id means either a standing endpoint or the origin of payments' addresses
  `CREATE TABLE IF NOT EXISTS webhook_endpoints (
    id bigint PRIMARY KEY,
    merchant_id bigint NOT NULL,
    lane_id bigint NOT NULL,
    url text NOT NULL,
    description text,
    shop_ids bigint[],
    event_types text[] NOT NULL,
    format text NOT NULL DEFAULT 'json' CHECK (format IN ('json', 'slack')),
    max_per_second integer,
    redeliver_on_recovery boolean NOT NULL DEFAULT true,
    status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused', 'disabled', 'deleted')),
    status_reason text,
    status_changed_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    sealed_secret bytea NOT NULL,
    sealed_previous_secret bytea,
    previous_secret_expires_at timestamptz(3),
    secret_active_from timestamptz(3),
    sealed_headers bytea,
    sealed_auth bytea,
    created_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    updated_at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp())
  )`,
  `ALTER TABLE webhook_lanes ADD COLUMN IF NOT EXISTS endpoint_id bigint, ADD COLUMN IF NOT EXISTS merchant_id bigint,
    ALTER COLUMN shop_id DROP NOT NULL`,
  ...DELIVERY_TABLES.map(
    (table) => `ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS endpoint_id bigint NOT NULL DEFAULT 0,
      ADD COLUMN IF NOT EXISTS body_id bigint, ALTER COLUMN payment_id DROP NOT NULL,
      ALTER COLUMN payment_status DROP NOT NULL, ALTER COLUMN shop_id DROP NOT NULL`,
  ),
  'ALTER TABLE failing_endpoints ALTER COLUMN shop_id DROP NOT NULL, ADD COLUMN IF NOT EXISTS endpoint_id bigint',
  'ALTER TABLE webhook_events ALTER COLUMN shop_id DROP NOT NULL, DROP CONSTRAINT IF EXISTS webhook_events_type_check',
  `ALTER TABLE webhook_redeliveries ALTER COLUMN shop_id DROP NOT NULL, ADD COLUMN IF NOT EXISTS lane_id bigint`,
  allDeliveries(', d.endpoint_id, d.body_id', 'coalesce(d.body_id, d.id)'),
  pushEvents('true'),
  `CREATE OR REPLACE TRIGGER webhook_events_push AFTER INSERT ON webhook_events
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION push_webhook_events()`,
];

const INDEXES = {
  webhook_endpoints_merchant_id_id: `ON webhook_endpoints (merchant_id, id) WHERE status <> 'deleted'`,
  webhook_deliveries_endpoint_id_status_id: 'ON webhook_deliveries (endpoint_id, status, id) WHERE endpoint_id <> 0',
  pending_deliveries_endpoint_id_id: 'ON pending_deliveries (endpoint_id, id) WHERE endpoint_id <> 0',
  // for redelivery on recovery; failures are few
  webhook_deliveries_failed_lane_id_id: `ON webhook_deliveries (lane_id, id) WHERE status = 'failed'`,
};

const ADDED_TYPES = [
  'delivery.failed',
  'endpoint.failing',
  'endpoint.recovered',
  'refund.created',
  'refund.updated',
  'dispute.opened',
  'dispute.updated',
  'dispute.closed',
];

const DOWN = [
  'DROP TRIGGER webhook_events_push ON webhook_events',
  'DROP FUNCTION push_webhook_events',
  'DELETE FROM pending_deliveries WHERE endpoint_id <> 0 OR payment_id IS NULL',
  'DELETE FROM webhook_deliveries WHERE endpoint_id <> 0 OR payment_id IS NULL',
  'DELETE FROM failing_endpoints WHERE shop_id IS NULL',
  'DELETE FROM webhook_redeliveries WHERE lane_id IS NOT NULL',
  'DELETE FROM webhook_lanes WHERE endpoint_id IS NOT NULL',
  `DELETE FROM webhook_events WHERE shop_id IS NULL OR type <> ALL (ARRAY[${ADDED_TYPES.map((type) => `'${type}'`).join(', ')}])`,
  'DROP INDEX webhook_deliveries_failed_lane_id_id',
  'DROP VIEW all_deliveries',
  'ALTER TABLE webhook_redeliveries DROP COLUMN lane_id, ALTER COLUMN shop_id SET NOT NULL',
  `ALTER TABLE webhook_events ALTER COLUMN shop_id SET NOT NULL, ADD CONSTRAINT webhook_events_type_check
    CHECK (type IN (${ADDED_TYPES.map((type) => `'${type}'`).join(', ')}))`,
  'ALTER TABLE failing_endpoints DROP COLUMN endpoint_id, ALTER COLUMN shop_id SET NOT NULL',
  ...DELIVERY_TABLES.map(
    (table) => `ALTER TABLE ${table} DROP COLUMN endpoint_id, DROP COLUMN body_id, ALTER COLUMN payment_id SET NOT NULL,
      ALTER COLUMN payment_status SET NOT NULL, ALTER COLUMN shop_id SET NOT NULL`,
  ),
  allDeliveries('', 'd.id'),
  'ALTER TABLE webhook_lanes DROP COLUMN endpoint_id, DROP COLUMN merchant_id, ALTER COLUMN shop_id SET NOT NULL',
  'DROP TABLE webhook_endpoints',
];
