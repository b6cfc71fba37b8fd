import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An erasure may remove the `reason` of a settlement from its audit entry. The database refuses all other changes. */
export class RedactedSettlements1764010551000 implements MigrationInterface {
  name = 'RedactedSettlements1764010551000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const appendOnly = (changes: string): string =>
  `CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE ${changes} OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`;

// in this order updates are always guarded
const UP = [
  `CREATE OR REPLACE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.action IN ('operation.settled', 'operation.settlement_requested')
        AND to_jsonb(NEW) = jsonb_set(to_jsonb(OLD), '{details}', OLD.details::jsonb - 'reason') THEN
        RETURN NEW;
      END IF;
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
    END $$`,
  `CREATE OR REPLACE TRIGGER audit_entries_redact_only BEFORE UPDATE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()`,
  appendOnly('DELETE'),
];

const DOWN = [
  appendOnly('UPDATE OR DELETE'),
  'DROP TRIGGER audit_entries_redact_only ON audit_entries',
  'DROP FUNCTION refuse_change_of_entry',
];
