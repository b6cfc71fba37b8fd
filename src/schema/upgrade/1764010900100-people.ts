import type { QueryRunner } from 'typeorm';
import { create } from './online.js';
import { Step } from './step.js';

/**
 * Roles of clients, and who asked for an operation. Processes of the version before leave these empty: their clients are
 * programs with scopes.
 */
export class People1764010900100 extends Step {
  readonly name = 'People1764010900100';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_clients
      ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'program' CHECK (kind IN ('person', 'program')),
      ADD COLUMN IF NOT EXISTS role text, ADD COLUMN IF NOT EXISTS created_by text,
      ADD COLUMN IF NOT EXISTS changed_at timestamptz(3)`);
    await queryRunner.query('ALTER TABLE provider_operations ADD COLUMN IF NOT EXISTS requested_by text');
    await create(queryRunner, 'external_people');
  }
}
