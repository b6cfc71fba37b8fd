import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';
import { withoutLockLimit } from '../migration-locks.js';

/**
 * The index of due times leaves out work that no worker does. So a statement that ends or moves the work of a subject cannot
 * read by it. PostgreSQL may plan such a statement while there is hardly any work, and keep the plan. Each payment then
 * read the work of all open operations.
 */
export class IndexOfDueTimes1764010770000 implements MigrationInterface {
  name = 'IndexOfDueTimes1764010770000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, 'due_work_due_at', `ON due_work (kind, due_at) WHERE due_at < 'infinity'`);
    await withoutLockLimit(queryRunner, async () => {
      await queryRunner.query('DROP INDEX CONCURRENTLY IF EXISTS due_work_kind_due_at');
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX due_work_kind_due_at ON due_work (kind, due_at)');
    await queryRunner.query('DROP INDEX due_work_due_at');
  }
}
