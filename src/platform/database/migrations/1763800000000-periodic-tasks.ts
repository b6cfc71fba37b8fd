import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What one worker of all does at a time (`WorkerTurns`): its value is when the next turn is due, in ms since 1970. */
export class PeriodicTasks1763800000000 implements MigrationInterface {
  name = 'PeriodicTasks1763800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SEQUENCE lane_reconciler_turn AS bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SEQUENCE lane_reconciler_turn');
  }
}
