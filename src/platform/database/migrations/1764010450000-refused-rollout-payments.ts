import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Payments of a rollout that no shop took. Triggers and older processes that do not know the column write its default. */
export class RefusedRolloutPayments1764010450000 implements MigrationInterface {
  name = 'RefusedRolloutPayments1764010450000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE flow_rollout_counts ADD COLUMN IF NOT EXISTS refused bigint NOT NULL DEFAULT 0',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_rollout_counts DROP COLUMN refused');
  }
}
