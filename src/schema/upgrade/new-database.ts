import type { MigrationInterface, QueryRunner } from 'typeorm';
import { schemaStatements } from '../schema.js';
import { SCHEMA } from './origin.js';

/** Creates the whole schema in an empty database. */
export class NewDatabase implements MigrationInterface {
  readonly name = SCHEMA;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of schemaStatements()) await queryRunner.query(statement);
  }

  down(): Promise<never> {
    return Promise.reject(new Error('drop the database instead'));
  }
}
