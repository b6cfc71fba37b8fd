import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type CopiedDueTime, copyDueTime, uncopyDueTime } from './copied-due-time.js';
import { withoutLockLimit } from '../migration-locks.js';

/**
 * Moves checks of waiting notifications and questions for the accounts of shops into `due_work`.
 * - Processes of the version before write and read `look_at`; a trigger copies it. Both may check a notification, which is
 *   applied under its payment's lock. Those that this version lets wait are not in the column.
 * - `account_asked_next_at` says that the account is not known. Its trigger is how both versions plan the question.
 * - Workers of the version before read all shops without their index. Without that of `look_at` they would read all
 *   notifications each second, so only a new database goes without it.
 * - If the migration is interrupted, it continues when it runs again.
 */
export class LastDueTimes1764010780000 implements MigrationInterface {
  name = 'LastDueTimes1764010780000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const copied of COPIED) await copyDueTime(queryRunner, copied);
    await withoutLockLimit(queryRunner, async () => {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${ASKED_NEXT_AT}`);
      const payments = (await queryRunner.query('SELECT id FROM payments LIMIT 1')) as object[];
      if (payments.length === 0) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${LOOK_AT}`);
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const copied of COPIED) await uncopyDueTime(queryRunner, copied);
    await queryRunner.query(
      `UPDATE provider_notifications n SET look_at = d.due_at FROM due_work d
        WHERE d.kind = 'notification' AND d.subject_id = n.id AND n.outcome = 'waiting'`,
    );
    await queryRunner.query('DELETE FROM due_work WHERE kind = ANY ($1)', [COPIED.map(({ kind }) => kind)]);
    await queryRunner.query(
      `CREATE INDEX IF NOT EXISTS ${LOOK_AT} ON provider_notifications (look_at) WHERE outcome = 'waiting'`,
    );
    await queryRunner.query(
      `CREATE INDEX ${ASKED_NEXT_AT} ON shops (account_asked_next_at) WHERE account_asked_next_at IS NOT NULL`,
    );
  }
}

const LOOK_AT = 'provider_notifications_look_at';
const ASKED_NEXT_AT = 'shops_account_asked_next_at';

const COPIED: readonly CopiedDueTime[] = [
  {
    trigger: 'copy_look_at',
    kind: 'notification',
    table: 'provider_notifications',
    column: 'look_at',
    subject: 'id',
    part: '0',
    backfill: `outcome = 'waiting' AND look_at IS NOT NULL`,
  },
  {
    trigger: 'plan_account_question',
    kind: 'shop_account',
    table: 'shops',
    column: 'account_asked_next_at',
    subject: 'id',
    part: '0',
    backfill: 'account_asked_next_at IS NOT NULL',
    isInserted: true,
  },
];
