import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions that are drafts, and a way to read a flow's past payments in the order of their creation. */
export class FlowVersions1763710000000 implements MigrationInterface {
  name = 'FlowVersions1763710000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_versions ADD COLUMN activated_at timestamptz');
    // until now, every version was active from its creation
    await queryRunner.query('UPDATE flow_versions SET activated_at = created_at');
    await queryRunner.query('CREATE INDEX payments_flow_id_created_at_id ON payments (flow_id, created_at, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX payments_flow_id_created_at_id');
    await queryRunner.query('ALTER TABLE flow_versions DROP COLUMN activated_at');
  }
}
