import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When work of a turn (`WorkerTurns`) last ended well, in ms since 1970: who begins and fails every time shows by it. */
export class LooksThatEnded1763940000000 implements MigrationInterface {
  name = 'LooksThatEnded1763940000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE SEQUENCE lane_reconciler_end AS bigint');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP SEQUENCE lane_reconciler_end');
  }
}
