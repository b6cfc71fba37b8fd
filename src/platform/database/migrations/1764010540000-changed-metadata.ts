import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Terms of a payment whose metadata gets another value; until now it could only be deleted. The trigger fires only for
 * statements that write metadata. Processes of the version before delete it, which works as before.
 */
export class ChangedMetadata1764010540000 implements MigrationInterface {
  name = 'ChangedMetadata1764010540000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `CREATE OR REPLACE FUNCTION delete_payment_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM payment_terms p USING terms_of_metadata(OLD.merchant_id, OLD.metadata) t
      WHERE p.value_hash = t.value_hash AND p.key_hash = t.key_hash AND p.payment_id = OLD.id;
      INSERT INTO payment_terms (value_hash, key_hash, payment_id)
      SELECT t.value_hash, t.key_hash, NEW.id FROM terms_of_metadata(NEW.merchant_id, NEW.metadata) t;
      RETURN NULL;
    END $$`,
  `CREATE OR REPLACE TRIGGER payments_delete_terms AFTER UPDATE OF metadata ON payments FOR EACH ROW
    WHEN (OLD.metadata::text IS DISTINCT FROM NEW.metadata::text) EXECUTE FUNCTION delete_payment_terms()`,
];

const DOWN = [
  `CREATE OR REPLACE TRIGGER payments_delete_terms AFTER UPDATE OF metadata ON payments FOR EACH ROW
    WHEN (OLD.metadata IS NOT NULL AND NEW.metadata IS NULL) EXECUTE FUNCTION delete_payment_terms()`,
  `CREATE OR REPLACE FUNCTION delete_payment_terms() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      DELETE FROM payment_terms p USING terms_of_metadata(OLD.merchant_id, OLD.metadata) t
      WHERE p.value_hash = t.value_hash AND p.key_hash = t.key_hash AND p.payment_id = OLD.id;
      RETURN NULL;
    END $$`,
];
