import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What `GET /events` reads, in the order of commits (docs/decisions/033-events.md): changes of status get a position, and
 * what happens to deliveries and endpoints a table of its own. Changes the catalog alone, whatever the size of the tables.
 * From its commit on, what processes of the version before insert gets its position by a trigger.
 */
export class Events1763900000000 implements MigrationInterface {
  name = 'Events1763900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

/**
 * Bits of a position that hold the transaction id; above them is the epoch. Both are in `HORIZON` of events.queries.ts, too.
 */
const XID_BITS = 44;

const UP = [
  // one row for each start of PostgreSQL that wrote events: ids of transactions are compared within one alone
  `CREATE TABLE event_epochs (
    epoch bigint PRIMARY KEY,
    postmaster_started_at timestamptz NOT NULL UNIQUE
  )`,
  // the order of conflicting inserts: the second one waits for the first, and then sees its row
  `CREATE FUNCTION current_event_position() RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE current_epoch bigint;
    BEGIN
      SELECT epoch INTO current_epoch FROM event_epochs WHERE postmaster_started_at = pg_postmaster_start_time();
      IF NOT FOUND THEN
        INSERT INTO event_epochs (epoch, postmaster_started_at)
          SELECT coalesce(max(epoch), 0) + 1, pg_postmaster_start_time() FROM event_epochs ON CONFLICT DO NOTHING;
        SELECT epoch INTO STRICT current_epoch FROM event_epochs
          WHERE postmaster_started_at = pg_postmaster_start_time();
      END IF;
      RETURN (current_epoch << ${XID_BITS}) + pg_current_xact_id()::text::bigint;
    END $$`,
  // the position of the payment's last change: the next one comes after it, whichever transaction was numbered first
  'ALTER TABLE payments ADD COLUMN event_position bigint',
  `ALTER TABLE payment_status_changes ADD COLUMN event_position bigint, ADD COLUMN merchant_id bigint,
    ADD COLUMN shop_id bigint`,
  // under the lock of the line before: whatever has no position is at most here
  `CREATE TABLE event_log (installation uuid NOT NULL, last_unplaced_id bigint NOT NULL)`,
  `INSERT INTO event_log SELECT gen_random_uuid(), coalesce(max(id), 0) FROM payment_status_changes`,
  `CREATE TABLE webhook_events (
    id bigint PRIMARY KEY DEFAULT nextval('payment_status_changes_id_seq'),
    event_position bigint NOT NULL,
    merchant_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    payment_id bigint,
    type text NOT NULL CHECK (type IN ('delivery.failed', 'endpoint.failing', 'endpoint.recovered')),
    created_at timestamptz(3) NOT NULL DEFAULT statement_timestamp(),
    data json NOT NULL
  )`,
  'CREATE INDEX webhook_events_in_order ON webhook_events (merchant_id, event_position, id)',
  // lanes whose last answer other than 2xx has not been followed by a 2xx
  `CREATE TABLE failing_endpoints (
    lane_id bigint PRIMARY KEY,
    merchant_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    origin text NOT NULL,
    failing_since timestamptz(3) NOT NULL,
    last_status_code smallint,
    last_error text,
    announced_at timestamptz(3),
    event_position bigint
  )`,
  `CREATE INDEX failing_endpoints_failing_since ON failing_endpoints (failing_since) WHERE announced_at IS NULL`,
  // for processes of the version before; the version after this one drops it
  `CREATE FUNCTION place_status_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      SELECT p.merchant_id, p.shop_id, greatest(current_event_position(), p.event_position,
          (SELECT max(c.event_position) FROM payment_status_changes c WHERE c.payment_id = NEW.payment_id))
        INTO NEW.merchant_id, NEW.shop_id, NEW.event_position FROM payments p WHERE p.id = NEW.payment_id;
      RETURN NEW;
    END $$`,
  `CREATE TRIGGER payment_status_changes_place BEFORE INSERT ON payment_status_changes
    FOR EACH ROW WHEN (NEW.event_position IS NULL AND NEW.from_status <> NEW.to_status)
    EXECUTE FUNCTION place_status_change()`,
];

const DOWN = [
  'DROP TRIGGER payment_status_changes_place ON payment_status_changes',
  'DROP FUNCTION place_status_change',
  'DROP TABLE failing_endpoints, webhook_events, event_log',
  `ALTER TABLE payment_status_changes DROP COLUMN event_position, DROP COLUMN merchant_id, DROP COLUMN shop_id`,
  'ALTER TABLE payments DROP COLUMN event_position',
  'DROP FUNCTION current_event_position',
  'DROP TABLE event_epochs',
];
