import type { QueryRunner } from 'typeorm';
import { EVIDENCE_NOTICE, type CopiedDueTime, LAPSE_NOTICE } from '../due-work.js';
import { create } from './online.js';
import { Step } from './step.js';

/**
 * Lists by deadline, and notices before one: `authorization.lapsing` and `dispute.due` of what is open already, unless its time
 * is over. Processes of the version before know nothing of them: the triggers plan for their payments, too.
 */
export class Deadlines1764010900110 extends Step {
  readonly name = 'Deadlines1764010900110';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'payments_merchant_id_capture_before_id', 'disputes_merchant_id_evidence_due_by_id');
    await create(queryRunner, 'approval_falls');
    await create(queryRunner, 'plan_lapse_notice', 'payments_plan_lapse_notice', 'plan_evidence_notice');
    await create(queryRunner, 'disputes_plan_evidence_notice_of_new', 'disputes_plan_evidence_notice');
    for (const notice of [LAPSE_NOTICE, EVIDENCE_NOTICE]) await plan(queryRunner, notice);
  }
}

async function plan(queryRunner: QueryRunner, { kind, table, column, dueAt }: CopiedDueTime): Promise<void> {
  const open = table === 'disputes' ? ` AND status = 'open'` : '';
  await queryRunner.query(
    `INSERT INTO due_work (kind, subject_id, due_at) SELECT '${kind}', id, ${dueAt!('subject')} FROM ${table} subject
      WHERE ${column} > now()${open} ORDER BY id ON CONFLICT DO NOTHING`,
  );
}
