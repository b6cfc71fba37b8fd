import type { QueryRunner } from 'typeorm';
import { Step } from './step.js';

/**
 * Drops what processes of versions before 03ffeb28 needed: forms of attempts, changes, deliveries and amounts that 03ffeb28
 * never writes, and the sequences by which workers took turns. Workers of 03ffeb28 read `lane_reconciler_end`.
 */
export class OlderVersions1764010900080 extends Step {
  readonly name = 'OlderVersions1764010900080';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [table, name] of TRIGGERS) await queryRunner.query(`DROP TRIGGER IF EXISTS ${name} ON ${table}`);
    for (const name of FUNCTIONS) await queryRunner.query(`DROP FUNCTION IF EXISTS ${name}`);
    for (const name of TURNS) await queryRunner.query(`DROP SEQUENCE IF EXISTS ${name}_turn`);
  }
}

const TRIGGERS = [
  ['payment_attempts', 'put_attempt_on_record'],
  ['payment_status_changes', 'payment_status_changes_place'],
  ['payments', 'payments_amounts_of_status'],
  ['webhook_deliveries', 'webhook_deliveries_forward_new'],
  ['webhook_deliveries', 'webhook_deliveries_forward_retried'],
  // of builds that were never released
  ['saved_payment_methods', 'saved_payment_methods_copy_first_detach_at'],
] as const;

const FUNCTIONS = [
  'put_attempt_on_record',
  'place_status_change',
  'amounts_of_status',
  'forward_pending_delivery',
  'event_id',
];

const TURNS = [
  'lane_reconciler',
  'worker_beats',
  'payment_expiry',
  'operation_recovery',
  'waiting_notifications',
  'chore_customer_erasures',
  'chore_endpoint_outcomes',
  'chore_failing_endpoints',
  'chore_idempotency_keys',
  'chore_provider_notifications',
  'chore_shop_counters',
  'chore_shop_outcome_hours',
  'chore_shop_outcomes',
  'chore_webhook_bodies',
  'chore_webhook_deliveries',
  'chore_webhook_events',
  'chore_webhook_redeliveries',
];
