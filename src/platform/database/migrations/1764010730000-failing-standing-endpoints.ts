import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * Finds the failures of a standing endpoint. A job looks for them each second; without the index it reads those of all
 * lanes, a row for each.
 */
export class FailingStandingEndpoints1764010730000 implements MigrationInterface {
  name = 'FailingStandingEndpoints1764010730000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await createIndex(queryRunner, INDEX, 'ON failing_endpoints (endpoint_id) WHERE endpoint_id IS NOT NULL');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX ${INDEX}`);
  }
}

const INDEX = 'failing_endpoints_endpoint_id';
