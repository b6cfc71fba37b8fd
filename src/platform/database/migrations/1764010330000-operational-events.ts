import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createIndex } from '../create-index.js';

/**
 * When an operation was reported as stuck, and the position of a shop's last event, so that its next event comes after it.
 * A process of the version before reports neither.
 */
export class OperationalEvents1764010330000 implements MigrationInterface {
  name = 'OperationalEvents1764010330000';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE provider_operations ADD COLUMN IF NOT EXISTS stuck_at timestamptz(3)');
    await queryRunner.query('ALTER TABLE shop_outages ADD COLUMN IF NOT EXISTS event_position bigint');
    await createIndex(queryRunner, 'provider_operations_maybe_stuck', MAYBE_STUCK);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE shop_outages DROP COLUMN event_position');
    await queryRunner.query('ALTER TABLE provider_operations DROP COLUMN stuck_at');
  }
}

// without charges whose call is under way and operations that the provider or the payer completes: those are many
const MAYBE_STUCK = `ON provider_operations (created_at) WHERE stuck_at IS NULL AND (state = 'unknown'
    OR (state = 'open' AND kind <> 'charge') OR (state IN ('open', 'pending') AND next_try_at IS NULL))`;
