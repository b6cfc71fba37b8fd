/** Who changed what. The database itself refuses changes of entries, because code may have errors. */
export const AUDIT = [
  `CREATE TABLE audit_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    merchant_id bigint NOT NULL,
    at timestamptz(3) NOT NULL DEFAULT date_trunc('milliseconds', clock_timestamp()),
    actor text NOT NULL CHECK (actor IN ('client', 'cli', 'system')),
    client_id text,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text NOT NULL,
    fields text[] NOT NULL,
    details json NOT NULL,
    address text,
    request_id text,
    CHECK ((actor = 'client') = (client_id IS NOT NULL))
  )`,
  'CREATE INDEX audit_entries_merchant_id_at_id ON audit_entries (merchant_id, at, id)',
  'CREATE INDEX audit_entries_merchant_id_action_at_id ON audit_entries (merchant_id, action, at, id)',
  'CREATE INDEX audit_entries_merchant_id_object_at_id ON audit_entries (merchant_id, object_type, object_id, at, id)',
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END $$`,
  // an erasure may remove the reason of a settlement
  `CREATE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.action IN ('operation.settled', 'operation.settlement_requested')
        AND to_jsonb(NEW) = jsonb_set(to_jsonb(OLD), '{details}', OLD.details::jsonb - 'reason') THEN
        RETURN NEW;
      END IF;
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END $$`,
  `CREATE TRIGGER audit_entries_redact_only BEFORE UPDATE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()`,
  // entries older than a year may go
  `CREATE FUNCTION refuse_deletion_of_young() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at > now() - interval '365 days' THEN
        RAISE EXCEPTION '% is append-only for a year', TG_TABLE_NAME;
      END IF;
      RETURN OLD;
    END $$`,
  `CREATE TRIGGER audit_entries_keep_a_year BEFORE DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_young()`,
  `CREATE TRIGGER audit_entries_append_only BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];
