import type { QueryRunner } from 'typeorm';
import { create } from './online.js';
import { Step } from './step.js';

/**
 * Triggers that do more than those of the version before, whose processes they serve as well. Entries of the audit log are
 * guarded at every moment: the guard of all updates and deletions goes last.
 */
export class Triggers1764010900020 extends Step {
  readonly name = 'Triggers1764010900020';

  async up(queryRunner: QueryRunner): Promise<void> {
    await create(queryRunner, 'delete_payment_terms', 'payments_delete_terms');
    await create(queryRunner, 'count_rollout_payment', 'payments_recount_in_rollout');
    await create(queryRunner, 'log_attempt_change', 'payment_attempts_log_change');
    await create(queryRunner, 'refuse_change_of_entry', 'audit_entries_redact_only');
    await create(queryRunner, 'refuse_deletion_of_young', 'audit_entries_keep_a_year', 'audit_entries_append_only');
  }
}
