import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * What remains of a payment that was archived: a row for each attempt, so that a late notification and a comparison with the
 * provider's charges know its ids. The indexes hold hashes, a quarter of the ids. The audit log lets entries go that are
 * older than a year, and refuses to delete any other.
 */
export class ArchivedCharges1764010760000 implements MigrationInterface {
  name = 'ArchivedCharges1764010760000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
    await createIndex(queryRunner, ...BY_REFERENCE);
    await createIndex(queryRunner, ...BY_TRANSACTION);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const BY_REFERENCE = [
  'archived_charges_reference',
  'ON archived_charges (hashtextextended(reference, 0)) WHERE reference IS NOT NULL',
] as const;
const BY_TRANSACTION = [
  'archived_charges_transaction_id',
  'ON archived_charges (shop_id, hashtextextended(transaction_id, 0)) WHERE transaction_id IS NOT NULL',
] as const;

const UP = [
  `CREATE TABLE IF NOT EXISTS archived_charges (
    payment_id bigint NOT NULL,
    shop_id bigint NOT NULL,
    merchant_id bigint NOT NULL,
    archived_at timestamptz(0) NOT NULL DEFAULT now(),
    attempt smallint NOT NULL,
    is_current boolean NOT NULL,
    is_returned boolean NOT NULL,
    status text NOT NULL,
    reference text,
    transaction_id text,
    PRIMARY KEY (payment_id, attempt)
  ) WITH (autovacuum_vacuum_insert_scale_factor = 0.2)`,
  `CREATE OR REPLACE FUNCTION refuse_deletion_of_young() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF OLD.at > now() - interval '365 days' THEN
        RAISE EXCEPTION '% is append-only for a year', TG_TABLE_NAME;
      END IF;
      RETURN OLD;
    END $$`,
  `CREATE OR REPLACE TRIGGER audit_entries_keep_a_year BEFORE DELETE ON audit_entries
    FOR EACH ROW EXECUTE FUNCTION refuse_deletion_of_young()`,
  `CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
];

const DOWN = [
  'DROP TRIGGER audit_entries_keep_a_year ON audit_entries',
  'DROP FUNCTION refuse_deletion_of_young',
  `CREATE OR REPLACE TRIGGER audit_entries_append_only BEFORE DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()`,
  'DROP TABLE archived_charges',
];
