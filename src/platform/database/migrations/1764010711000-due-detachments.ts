import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Moves the due times of saved payment methods into `due_work`. Processes of the version before write and read `detach_at`; a
 * trigger copies it. Both may detach a token, which a provider answers alike. Rows of this version have no `detach_at`.
 */
export class DueDetachments1764010711000 implements MigrationInterface {
  name = 'DueDetachments1764010711000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}

const UP = [
  `CREATE FUNCTION copy_detach_at() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.detach_at IS NULL THEN
        DELETE FROM due_work WHERE kind = 'saved_method' AND subject_id = NEW.id;
      ELSE
        INSERT INTO due_work (kind, subject_id, due_at) VALUES ('saved_method', NEW.id, NEW.detach_at)
        ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at;
      END IF;
      RETURN NULL;
    END $$`,
  `CREATE TRIGGER saved_payment_methods_copy_first_detach_at AFTER INSERT ON saved_payment_methods
    FOR EACH ROW WHEN (NEW.detach_at IS NOT NULL) EXECUTE FUNCTION copy_detach_at()`,
  `CREATE TRIGGER saved_payment_methods_copy_detach_at AFTER UPDATE OF detach_at ON saved_payment_methods
    FOR EACH ROW WHEN (OLD.detach_at IS DISTINCT FROM NEW.detach_at) EXECUTE FUNCTION copy_detach_at()`,
  `INSERT INTO due_work (kind, subject_id, due_at)
    SELECT 'saved_method', id, detach_at FROM saved_payment_methods WHERE detach_at IS NOT NULL ON CONFLICT DO NOTHING`,
];

const DOWN = [
  'DROP TRIGGER saved_payment_methods_copy_detach_at ON saved_payment_methods',
  'DROP TRIGGER saved_payment_methods_copy_first_detach_at ON saved_payment_methods',
  'DROP FUNCTION copy_detach_at',
  `UPDATE saved_payment_methods m SET detach_at = d.due_at FROM due_work d WHERE d.kind = 'saved_method' AND d.subject_id = m.id`,
  `DELETE FROM due_work WHERE kind = 'saved_method'`,
];
