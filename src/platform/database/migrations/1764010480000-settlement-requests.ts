import type { MigrationInterface, QueryRunner } from 'typeorm';

// settle_request: who asked for which settlement; the same one of another client is carried out
const UP = ['ALTER TABLE provider_operations ADD COLUMN IF NOT EXISTS settle_request jsonb'];

const DOWN = ['ALTER TABLE provider_operations DROP COLUMN settle_request'];

/**
 * A settlement by hand that waits for the confirmation of a second client. Processes of the version before ignore it.
 */
export class SettlementRequests1764010480000 implements MigrationInterface {
  name = 'SettlementRequests1764010480000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await queryRunner.query(statement);
  }
}
