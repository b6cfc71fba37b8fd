/** Bits of a position that hold the transaction id; above them is the epoch. Both are in `HORIZON` of events.queries.ts, too. */
const XID_BITS = 44;

/** What `GET /events` reads, in the order of commits (docs/decisions/033-events.md). */
export const EVENTS = [
  // a row for each start of PostgreSQL that wrote events: transaction ids are compared only within one
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
  // last_unplaced_id: changes of status without a position have at most this id; a new database has none
  'CREATE TABLE event_log (installation uuid NOT NULL, last_unplaced_id bigint NOT NULL)',
  'INSERT INTO event_log VALUES (gen_random_uuid(), 0)',
  // One sequence with changes of status: an event's id is unique. is_fanned_out: its statement has inserted its deliveries
  `CREATE TABLE webhook_events (
    id bigint PRIMARY KEY DEFAULT nextval('payment_status_changes_id_seq'),
    event_position bigint NOT NULL,
    merchant_id bigint NOT NULL,
    shop_id bigint,
    payment_id bigint,
    type text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT statement_timestamp(),
    data json NOT NULL,
    is_fanned_out boolean NOT NULL DEFAULT false
  )`,
  // without them a filter that nothing matches reads all that it leaves out
  'CREATE INDEX webhook_events_of_type_in_order ON webhook_events (merchant_id, type, event_position, id)',
  'CREATE INDEX webhook_events_of_shop_in_order ON webhook_events (merchant_id, shop_id, type, event_position, id)',
];
