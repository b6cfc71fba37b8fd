import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The condition of the payments that take part in a rollout; null: all. */
export class RolloutConditions1764010401000 implements MigrationInterface {
  name = 'RolloutConditions1764010401000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_rollouts ADD COLUMN IF NOT EXISTS condition json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_rollouts DROP COLUMN condition');
  }
}
