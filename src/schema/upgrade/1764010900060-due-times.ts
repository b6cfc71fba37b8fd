import type { QueryRunner } from 'typeorm';
import { ACCOUNT_QUESTION, type CopiedDueTime, copyDueTime, LAPSE } from '../due-work.js';
import { createOnline, dropIndexes } from './online.js';
import { Step } from './step.js';

/**
 * Moves the other due times into `due_work`: detachments of saved methods, erasures, look-ups, checks of waiting
 * notifications, lapses of authorisations, questions for the accounts of shops.
 * - Processes of the version before write and read the first four in columns, which triggers copy. Both versions may do the
 *   same work, which changes nothing. Work of this version is not in the columns.
 * - Their workers read all shops without the index of questions. Without those of the columns they would read whole tables
 *   each second.
 */
export class DueTimes1764010900060 extends Step {
  readonly name = 'DueTimes1764010900060';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const { condition, ...copied } of MOVED) {
      for (const statement of copyDueTime(copied)) await createOnline(queryRunner, statement);
      const { kind, table, column, subject, part } = copied;
      await queryRunner.query(
        `INSERT INTO due_work (kind, subject_id, part, due_at)
          SELECT '${kind}', ${subject}, ${part}, ${column} FROM ${table}
          WHERE ${column} IS NOT NULL AND ${condition} ORDER BY 2, 3 ON CONFLICT DO NOTHING`,
      );
    }
    await dropIndexes(queryRunner, 'shops_account_asked_next_at');
  }
}

interface MovedDueTime extends CopiedDueTime {
  /** Of the rows that have the work already. */
  condition: string;
}

const MOVED: MovedDueTime[] = [
  {
    trigger: 'copy_detach_at',
    kind: 'saved_method',
    table: 'saved_payment_methods',
    column: 'detach_at',
    subject: 'id',
    part: '0',
    isInserted: true,
    condition: 'true',
  },
  {
    trigger: 'copy_erasure_due_at',
    kind: 'erasure',
    table: 'customers',
    column: 'erasure_due_at',
    subject: 'id',
    part: '0',
    condition: 'true',
  },
  {
    trigger: 'copy_look_up_at',
    kind: 'look_up',
    table: 'payment_attempts',
    column: 'look_up_at',
    subject: 'payment_id',
    part: 'number',
    condition: 'true',
  },
  {
    trigger: 'copy_look_at',
    kind: 'notification',
    table: 'provider_notifications',
    column: 'look_at',
    subject: 'id',
    part: '0',
    condition: `outcome = 'waiting'`,
  },
  { ...LAPSE, condition: `status = 'processing'` },
  { ...ACCOUNT_QUESTION, condition: 'true' },
];
