import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When the next run of each task is due that one worker of all runs (`SharedSchedule`), and when one last succeeded. Workers
 * add their tasks. The sequences `<task>_turn` and `lane_reconciler_end`, which workers of the version before use for that,
 * stay: such workers run during an upgrade.
 */
export class ScheduledTasks1764010060000 implements MigrationInterface {
  name = 'ScheduledTasks1764010060000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE scheduled_tasks (
        name text PRIMARY KEY,
        next_run_at timestamptz NOT NULL,
        last_success_at timestamptz
      )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE scheduled_tasks');
  }
}
