import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CopiedDueTime, copyDueTime, uncopyDueTime } from './copied-due-time.js';

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
    for (const copied of COPIED) await copyDueTime(queryRunner, copied);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const copied of COPIED) await uncopyDueTime(queryRunner, copied);
    await queryRunner.query(
      `UPDATE customers c SET erasure_due_at = d.due_at FROM due_work d WHERE d.kind = 'erasure' AND d.subject_id = c.id`,
    );
    await queryRunner.query(
      `UPDATE payment_attempts a SET look_up_at = d.due_at FROM due_work d
        WHERE d.kind = 'look_up' AND d.subject_id = a.payment_id AND d.part = a.number`,
    );
    await queryRunner.query('DELETE FROM due_work WHERE kind = ANY ($1)', [COPIED.map(({ kind }) => kind)]);
  }
}

const COPIED: readonly CopiedDueTime[] = [
  {
    trigger: 'copy_erasure_due_at',
    kind: 'erasure',
    table: 'customers',
    column: 'erasure_due_at',
    subject: 'id',
    part: '0',
    backfill: 'erasure_due_at IS NOT NULL',
  },
  {
    trigger: 'copy_look_up_at',
    kind: 'look_up',
    table: 'payment_attempts',
    column: 'look_up_at',
    subject: 'payment_id',
    part: 'number',
    backfill: 'look_up_at IS NOT NULL',
  },
  {
    trigger: 'plan_lapse',
    kind: 'authorization',
    table: 'payments',
    column: 'capture_before',
    subject: 'id',
    part: '0',
    backfill: `status = 'processing' AND capture_before IS NOT NULL`,
  },
];
