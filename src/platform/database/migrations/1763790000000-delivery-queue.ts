import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is pending moves to a small table of its own, bodies beside it, partitioned by day, and `webhook_deliveries` keeps
 * the headers of what has ended (docs/decisions/023-queue-table.md). From its commit on, what processes of the version
 * before insert as pending, or retry, goes to the new tables as well.
 * All of it changes the catalog alone, whatever the size of the tables.
 */
export class DeliveryQueue1763790000000 implements MigrationInterface {
  name = 'DeliveryQueue1763790000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await queryRunner.query(statement);
    await queryRunner.query(PARTITIONS_AHEAD);
    await queryRunner.query('LOCK TABLE webhook_deliveries IN ACCESS EXCLUSIVE MODE');
    for (const statement of [...ENDED_ALONE, ...FORWARDING, VIEW]) await queryRunner.query(statement);
  }

  /** With no process running: rewrites every delivery that this version wrote. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UTC_DAY = `(statement_timestamp() AT TIME ZONE 'UTC')::date`;

const TABLES = [
  // ids come from one sequence, so that an id means one delivery wherever it is. No index on what a claim changes: claims
  // stay on their page
  `CREATE TABLE pending_deliveries (
    id bigint PRIMARY KEY DEFAULT nextval('webhook_deliveries_id_seq'),
    due_at timestamptz NOT NULL,
    claimed_until timestamptz NOT NULL DEFAULT '-infinity',
    lane_id bigint NOT NULL,
    payment_id bigint NOT NULL,
    merchant_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    created_at timestamptz(3) NOT NULL,
    last_attempt_at timestamptz(3),
    attempts integer NOT NULL DEFAULT 0,
    body_day date NOT NULL,
    body_bytes integer NOT NULL,
    attempts_in_run smallint NOT NULL DEFAULT 0,
    last_status_code smallint,
    event text NOT NULL,
    payment_status text NOT NULL,
    webhook_endpoint text NOT NULL,
    last_error text
  ) WITH (fillfactor = 45, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0)`,
  `CREATE INDEX pending_deliveries_lane_id_due_at_id ON pending_deliveries (lane_id, due_at, id)`,
  `CREATE INDEX pending_deliveries_due_at_id ON pending_deliveries (due_at, id)`,
  `CREATE INDEX pending_deliveries_payment_id_id ON pending_deliveries (payment_id, id)`,
  `CREATE INDEX pending_deliveries_shop_id_id ON pending_deliveries (shop_id, id)`,
  `CREATE TABLE webhook_bodies (
    day date NOT NULL,
    delivery_id bigint NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (delivery_id, day)
  ) PARTITION BY RANGE (day)`,
  // a body always finds a place, also when nobody made the partition of its day
  `CREATE TABLE webhook_bodies_default PARTITION OF webhook_bodies DEFAULT`,
];

/** Days in UTC; from then on the workers make them. */
const PARTITIONS_AHEAD = `DO $$
  DECLARE day date;
  BEGIN
    FOR day IN SELECT ${UTC_DAY} + n FROM generate_series(-1, 7) n LOOP
      EXECUTE format('CREATE TABLE %I PARTITION OF webhook_bodies FOR VALUES FROM (%L) TO (%L)',
        'webhook_bodies_' || to_char(day, 'YYYYMMDD'), day, day + 1);
    END LOOP;
  END $$`;

const ENDED_ALONE = [
  // `body_day` tells where the body is; where it is NULL, the body lies in `request_body` as before
  `ALTER TABLE webhook_deliveries ADD COLUMN body_day date, ADD COLUMN body_bytes integer,
    ALTER COLUMN request_body DROP NOT NULL, ALTER COLUMN claimed_until DROP NOT NULL,
    SET (fillfactor = 100, autovacuum_vacuum_insert_scale_factor = 0.05)`,
];

const MOVED = `id, due_at, lane_id, payment_id, merchant_id, shop_id, created_at, last_attempt_at, attempts, body_day,
  body_bytes, attempts_in_run, last_status_code, event, payment_status, webhook_endpoint, last_error`;

/** For processes of the version before; the version after this one drops it. */
const FORWARDING = [
  `CREATE FUNCTION forward_pending_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.body_day IS NULL THEN
        NEW.body_day := ${UTC_DAY};
        NEW.body_bytes := octet_length(NEW.request_body);
        INSERT INTO webhook_bodies (day, delivery_id, body) VALUES (NEW.body_day, NEW.id, NEW.request_body);
      END IF;
      INSERT INTO pending_deliveries (${MOVED}) VALUES (NEW.id, NEW.next_attempt_at, NEW.lane_id, NEW.payment_id,
        NEW.merchant_id, NEW.shop_id, NEW.created_at, NEW.last_attempt_at, NEW.attempts, NEW.body_day, NEW.body_bytes,
        NEW.attempts_in_run, NEW.last_status_code, NEW.event, NEW.payment_status, NEW.webhook_endpoint, NEW.last_error);
      IF TG_OP = 'UPDATE' THEN DELETE FROM webhook_deliveries WHERE id = NEW.id; END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER webhook_deliveries_forward_new BEFORE INSERT ON webhook_deliveries
    FOR EACH ROW WHEN (NEW.status = 'pending') EXECUTE FUNCTION forward_pending_delivery()`,
  // after: whoever retries gets his row back
  `CREATE TRIGGER webhook_deliveries_forward_retried AFTER UPDATE ON webhook_deliveries
    FOR EACH ROW WHEN (OLD.status <> 'pending' AND NEW.status = 'pending') EXECUTE FUNCTION forward_pending_delivery()`,
];

/** Every delivery, wherever it is; a body that is gone with its partition reads as erased. */
const VIEW = `CREATE VIEW all_deliveries AS
  SELECT d.id, d.merchant_id, d.shop_id, d.lane_id, d.payment_id, d.event, d.payment_status, d.webhook_endpoint,
    coalesce((SELECT b.body FROM webhook_bodies b WHERE b.day = d.body_day AND b.delivery_id = d.id), '') AS request_body,
    'pending' AS status, d.attempts, d.attempts_in_run, d.due_at AS next_attempt_at, d.claimed_until, d.last_status_code,
    d.last_error, d.created_at, d.last_attempt_at, NULL::timestamptz AS delivered_at
  FROM pending_deliveries d
  UNION ALL
  SELECT d.id, d.merchant_id, d.shop_id, d.lane_id, d.payment_id, d.event, d.payment_status, d.webhook_endpoint,
    CASE WHEN d.body_day IS NULL THEN d.request_body ELSE
      coalesce((SELECT b.body FROM webhook_bodies b WHERE b.day = d.body_day AND b.delivery_id = d.id), '') END,
    d.status, d.attempts, d.attempts_in_run, d.next_attempt_at, d.claimed_until, d.last_status_code,
    d.last_error, d.created_at, d.last_attempt_at, d.delivered_at
  FROM webhook_deliveries d`;

const COLUMNS_BEFORE = `id, merchant_id, shop_id, lane_id, payment_id, event, payment_status, webhook_endpoint,
  request_body, status, attempts, attempts_in_run, next_attempt_at, last_status_code, last_error, created_at,
  last_attempt_at`;

const DOWN = [
  'DROP TRIGGER webhook_deliveries_forward_new ON webhook_deliveries',
  'DROP TRIGGER webhook_deliveries_forward_retried ON webhook_deliveries',
  'DROP FUNCTION forward_pending_delivery',
  `INSERT INTO webhook_deliveries (${COLUMNS_BEFORE}) SELECT ${COLUMNS_BEFORE} FROM all_deliveries a
    WHERE a.id IN (SELECT id FROM pending_deliveries)`,
  `UPDATE webhook_deliveries d SET request_body = coalesce((SELECT b.body FROM webhook_bodies b
    WHERE b.day = d.body_day AND b.delivery_id = d.id), '') WHERE body_day IS NOT NULL`,
  `UPDATE webhook_deliveries SET claimed_until = '-infinity' WHERE claimed_until IS NULL`,
  'DROP VIEW all_deliveries',
  `ALTER TABLE webhook_deliveries DROP COLUMN body_day, DROP COLUMN body_bytes, ALTER COLUMN request_body SET NOT NULL,
    ALTER COLUMN claimed_until SET NOT NULL, SET (fillfactor = 50), RESET (autovacuum_vacuum_insert_scale_factor)`,
  'DROP TABLE pending_deliveries, webhook_bodies',
];
