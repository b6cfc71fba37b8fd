import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what; and the scope to read it, for the clients that have all others. */
export class AuditLog1763770000000 implements MigrationInterface {
  name = 'AuditLog1763770000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE api_clients SET scopes = array_remove(scopes, 'audit:read')`);
    await queryRunner.query('DROP TABLE audit_entries');
    await queryRunner.query('DROP FUNCTION refuse_change');
  }
}

const ALL_SCOPES = `ARRAY['flows:read', 'flows:write', 'flows:simulate', 'shops:read', 'shops:write', 'payments:read',
  'payments:write', 'webhooks:read', 'webhooks:write']`;

const UP = [
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
  `CREATE INDEX audit_entries_merchant_id_at_id ON audit_entries (merchant_id, at, id)`,
  `CREATE INDEX audit_entries_merchant_id_action_at_id ON audit_entries (merchant_id, action, at, id)`,
  `CREATE INDEX audit_entries_merchant_id_object_at_id ON audit_entries (merchant_id, object_type, object_id, at, id)`,
  // append-only, whatever the code does
  `CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END $$`,
  `CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  `UPDATE api_clients SET scopes = scopes || 'audit:read'::text WHERE scopes @> ${ALL_SCOPES}`,
];
