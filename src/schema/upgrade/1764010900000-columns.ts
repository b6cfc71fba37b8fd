import type { QueryRunner } from 'typeorm';
import { Step } from './step.js';

/**
 * New columns, room on pages and a closer vacuum. Processes of the version before name
 * the columns that they write, so they leave these empty. The lock of one table is not kept while that of another is
 * waited for.
 */
export class Columns1764010900000 extends Step {
  readonly name = 'Columns1764010900000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement);
  }
}

const VACUUM = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0';

const STATEMENTS = [
  'ALTER TABLE idempotency_keys ADD COLUMN IF NOT EXISTS merchant_id bigint',
  'ALTER TABLE idempotency_keys SET (fillfactor = 18)',
  `ALTER TABLE api_clients ADD COLUMN IF NOT EXISTS previous_secret_hash text,
    ADD COLUMN IF NOT EXISTS previous_secret_expires_at timestamptz(3),
    DROP CONSTRAINT IF EXISTS api_clients_previous_secret`,
  `ALTER TABLE api_clients ADD CONSTRAINT api_clients_previous_secret
    CHECK ((previous_secret_hash IS NULL) = (previous_secret_expires_at IS NULL))`,
  `ALTER TABLE provider_operations ADD COLUMN IF NOT EXISTS settle_request jsonb,
    ADD COLUMN IF NOT EXISTS earlier_attempt smallint`,
  `ALTER TABLE payment_attempts ADD COLUMN IF NOT EXISTS left_transaction_id text,
    ADD COLUMN IF NOT EXISTS is_logged boolean`,
  `ALTER TABLE payment_attempts SET (fillfactor = 60, ${VACUUM})`,
  `ALTER TABLE payments SET (${VACUUM})`,
  'ALTER TABLE webhook_attempts ADD COLUMN IF NOT EXISTS error_message text',
  'ALTER TABLE webhook_events ADD COLUMN IF NOT EXISTS is_fanned_out boolean NOT NULL DEFAULT false',
  'ALTER TABLE endpoint_errors ADD COLUMN IF NOT EXISTS last_message text',
];
