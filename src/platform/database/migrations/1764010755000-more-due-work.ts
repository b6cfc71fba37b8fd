import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Moves erasures, look-ups that were asked for and lapses of authorisations into `due_work`.
 * - Processes of the version before write and read `erasure_due_at` and `look_up_at`; triggers copy them. Both may do the same
 *   erasure or look-up, which changes nothing. Work of this version is not in the columns.
 * - `capture_before` is the payment's own. Its trigger is how both versions plan the lapse.
 */
export class MoreDueWork1764010755000 implements MigrationInterface {
  name = 'MoreDueWork1764010755000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { trigger, table, column, subject, part, backfill } of COPIED) {
      const work = `'${WORK[trigger]}', NEW.${subject}, ${part === '0' ? '0' : `NEW.${part}`}`;
      await queryRunner.query(
        `CREATE OR REPLACE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN
            IF NEW.${column} IS NULL THEN
              DELETE FROM due_work WHERE (kind, subject_id, part) = (${work});
            ELSE
              INSERT INTO due_work (kind, subject_id, part, due_at) VALUES (${work}, NEW.${column})
              ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at;
            END IF;
            RETURN NULL;
          END $$`,
      );
      await queryRunner.query(
        `CREATE OR REPLACE TRIGGER ${table}_${trigger} AFTER UPDATE OF ${column} ON ${table}
          FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION ${trigger}()`,
      );
      await queryRunner.query(
        `INSERT INTO due_work (kind, subject_id, part, due_at)
          SELECT '${WORK[trigger]}', ${subject}, ${part}, ${column} FROM ${table} WHERE ${backfill} ORDER BY 2, 3
          ON CONFLICT DO NOTHING`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { trigger, table } of COPIED) {
      await queryRunner.query(`DROP TRIGGER ${table}_${trigger} ON ${table}`);
      await queryRunner.query(`DROP FUNCTION ${trigger}`);
    }
    await queryRunner.query(
      `UPDATE customers c SET erasure_due_at = d.due_at FROM due_work d WHERE d.kind = 'erasure' AND d.subject_id = c.id`,
    );
    await queryRunner.query(
      `UPDATE payment_attempts a SET look_up_at = d.due_at FROM due_work d
        WHERE d.kind = 'look_up' AND d.subject_id = a.payment_id AND d.part = a.number`,
    );
    await queryRunner.query('DELETE FROM due_work WHERE kind = ANY ($1)', [Object.values(WORK)]);
  }
}

/** Kinds of work by their triggers. */
const WORK = { copy_erasure_due_at: 'erasure', copy_look_up_at: 'look_up', plan_lapse: 'authorization' } as const;

interface Copied {
  trigger: keyof typeof WORK;
  table: string;
  /** The time that the trigger copies. */
  column: string;
  subject: string;
  part: string;
  /** Condition of the rows that have the work already. */
  backfill: string;
}

const COPIED: readonly Copied[] = [
  {
    trigger: 'copy_erasure_due_at',
    table: 'customers',
    column: 'erasure_due_at',
    subject: 'id',
    part: '0',
    backfill: 'erasure_due_at IS NOT NULL',
  },
  {
    trigger: 'copy_look_up_at',
    table: 'payment_attempts',
    column: 'look_up_at',
    subject: 'payment_id',
    part: 'number',
    backfill: 'look_up_at IS NOT NULL',
  },
  {
    trigger: 'plan_lapse',
    table: 'payments',
    column: 'capture_before',
    subject: 'id',
    part: '0',
    backfill: `status = 'processing' AND capture_before IS NOT NULL`,
  },
];
