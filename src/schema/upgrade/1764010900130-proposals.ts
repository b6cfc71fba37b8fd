import type { QueryRunner } from 'typeorm';
import { create } from './online.js';
import { Step } from './step.js';

/** Requests for approvals of versions, comments, and the version that each activation replaced. */
export class Proposals1764010900130 extends Step {
  readonly name = 'Proposals1764010900130';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE flow_versions ADD COLUMN IF NOT EXISTS replaced_version integer');
    await create(queryRunner, 'flow_approval_requests', 'flow_approval_requests_waiting_key');
    await create(queryRunner, 'flow_approval_requests_flow_id_version_id');
    await create(queryRunner, 'flow_approval_requests_merchant_id_status_id');
    await create(queryRunner, 'flow_version_comments', 'flow_version_comments_flow_id_version_id');
  }
}
