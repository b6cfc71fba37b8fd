import type { QueryRunner } from 'typeorm';

/** A due time in a column of its subject, which a trigger copies into `due_work`. */
export interface CopiedDueTime {
  trigger: string;
  /** The kind of work. */
  kind: string;
  table: string;
  /** The time that the trigger copies; `NULL`: there is no work. */
  column: string;
  subject: string;
  part: string;
  /** Condition of the rows that have the work already. */
  backfill: string;
  /** Whether new rows may have the time. */
  isInserted?: boolean;
}

/** Adds the trigger, and the work of the rows that have it already. A part of it may exist. */
export async function copyDueTime(queryRunner: QueryRunner, copied: CopiedDueTime): Promise<void> {
  const { trigger, kind, table, column, subject, part, backfill, isInserted = false } = copied;
  const work = `'${kind}', NEW.${subject}, ${part === '0' ? '0' : `NEW.${part}`}`;
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
  if (isInserted)
    await queryRunner.query(
      `CREATE OR REPLACE TRIGGER ${table}_${trigger}_of_new AFTER INSERT ON ${table}
          FOR EACH ROW WHEN (NEW.${column} IS NOT NULL) EXECUTE FUNCTION ${trigger}()`,
    );
  await queryRunner.query(
    `CREATE OR REPLACE TRIGGER ${table}_${trigger} AFTER UPDATE OF ${column} ON ${table}
          FOR EACH ROW WHEN (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION ${trigger}()`,
  );
  await queryRunner.query(
    `INSERT INTO due_work (kind, subject_id, part, due_at)
          SELECT '${kind}', ${subject}, ${part}, ${column} FROM ${table} WHERE ${backfill} ORDER BY 2, 3
          ON CONFLICT DO NOTHING`,
  );
}

/** Removes the trigger. The work stays. */
export async function uncopyDueTime(queryRunner: QueryRunner, { trigger, table }: CopiedDueTime): Promise<void> {
  await queryRunner.query(`DROP TRIGGER IF EXISTS ${table}_${trigger}_of_new ON ${table}`);
  await queryRunner.query(`DROP TRIGGER ${table}_${trigger} ON ${table}`);
  await queryRunner.query(`DROP FUNCTION ${trigger}`);
}
