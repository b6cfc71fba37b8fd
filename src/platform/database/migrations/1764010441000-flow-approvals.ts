import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Approvals of versions of flows. Processes of the version before activate without them. */
export class FlowApprovals1764010441000 implements MigrationInterface {
  name = 'FlowApprovals1764010441000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE TABLE IF NOT EXISTS flow_version_approvals (
        flow_id bigint NOT NULL,
        version integer NOT NULL,
        approved_by text NOT NULL,
        reason text,
        approved_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (flow_id, version, approved_by),
        FOREIGN KEY (flow_id, version) REFERENCES flow_versions (flow_id, version)
      )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE flow_version_approvals');
  }
}
